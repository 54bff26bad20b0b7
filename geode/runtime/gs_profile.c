/* gs_profile.c -- see the header. One clock reading a phase and epoch: nothing beside an epoch's work. */
#include "gs_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_cpu.h"
#include "gs_fail.h"
#include "gs_span.h"
#include "gs_text.h"

static const char *const phase_names[GS_PHASE_COUNT] = {"read",  "hoist",    "population", "center",
                                                        "shape", "estimate", "update",     "report"};
static FILE *file;
static const char *file_path;
static double seconds[GS_PHASE_COUNT], stage_start, last;
static uint64_t stage_ticks;

void gs_profile_to(const char *path) {
    if (path == NULL) return;
    file_path = path;
    file = fopen(path, "w");
    if (file == NULL) gs_fail("%s: %s", path, strerror(errno));
}

void gs_profile_begin(void) {
    memset(seconds, 0, sizeof seconds);
    stage_start = last = gs_cpu_seconds();
    stage_ticks = gs_cpu_ticks();
    gs_span_clear();
}

void gs_profile_mark(enum gs_phase phase) {
    const double now = gs_cpu_seconds();
    seconds[phase] += now - last;
    last = now;
}

static void add_instance(struct gs_text *text, const struct gs_instance *instance, const char *prefix, bool members,
                         bool *first) {
    static const char *const levels[] = {"run", "epoch", "pair", "member"};
    struct gs_text path = {0};
    gs_text_add(&path, "%s%s%s", prefix, *prefix == '\0' ? "" : "/", instance->unit->name);
    for (int level = 0; level < 4; level++) {
        const struct gs_span_sum sum = gs_span_sum(instance, level);
        if (sum.calls == 0) continue;
        gs_text_add(text, "%s{\"path\":", *first ? "" : ",");
        gs_text_add_json(text, path.data);
        gs_text_add(text, ",\"level\":\"%s\",\"members\":%s,\"ticks\":%" PRIu64 ",\"calls\":%" PRIu64 ",\"flops\":%.17g}",
                    levels[level], members ? "true" : "false", sum.ticks, sum.calls, instance->unit->flops);
        *first = false;
    }
    for (size_t i = 0; i < instance->call_count; i++) add_instance(text, instance->calls[i], path.data, members, first);
    gs_text_free(&path);
}

void gs_profile_end(const struct gs_profile_stage *stage) {
    if (file == NULL) return;
    const double total = gs_cpu_seconds() - stage_start;
    const double a_tick = total / (double)(gs_cpu_ticks() - stage_ticks);
    const struct gs_pool_times times = gs_pool_times(stage->pool);
    const double workers = (double)gs_pool_size(stage->pool);
    struct gs_text text = {0};
    gs_text_add(&text, "{\"stage\":%zu,\"kind\":\"%s\",\"word\":", stage->number, stage->kind);
    gs_text_add_json(&text, stage->entry->word);
    gs_text_add(&text, ",\"workers\":%zu,\"rows\":%" PRIu64 ",\"population\":%" PRIu64 ",\"epochs\":%" PRIu64
                       ",\"total\":%.9f,\"phases\":{", gs_pool_size(stage->pool), stage->rows, stage->population,
                stage->epochs, total);
    for (int i = 0; i < GS_PHASE_COUNT; i++) {
        gs_text_add(&text, "%s\"%s\":%.9f", i == 0 ? "" : ",", phase_names[i], seconds[i]);
    }
    gs_text_add(&text, "},\"busy\":%.9f,\"noise\":%.9f,\"waiting\":%.9f,\"peak\":%.9g,\"units\":[", (double)times.busy * a_tick,
                (double)times.noise * a_tick, ((double)times.wall * workers - (double)times.busy) * a_tick,
                gs_span_peak());
    bool first = true;
    add_instance(&text, stage->entry->root, "", false, &first);
    const struct gs_members_form *form = stage->entry->members_form;
    if (form != NULL) add_instance(&text, form->root, "", true, &first);
    gs_text_add(&text, "]}\n");
    const bool bad = fputs(text.data, file) == EOF || fflush(file) != 0;
    gs_text_free(&text);
    if (bad) gs_fail("%s: %s", file_path, strerror(errno));
}
