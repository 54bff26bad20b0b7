/* gs_fingerprint.c -- notes and digests from constant data and settings; main thread. */
#include "gs_fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_bf16.h"
#include "gs_fail.h"
#include "gs_table.h"
#include "gs_text.h"

static void digest_text(struct gs_text *text, char hex[GS_SHA256_HEX]) {
    struct gs_sha256 hash;
    gs_sha256_start(&hash);
    gs_sha256_add(&hash, text->data, text->length);
    gs_sha256_finish(&hash, hex);
    gs_text_free(text);
}

static void describe_parameter(struct gs_text *text, const struct gs_parameter *parameter) {
    gs_text_add(text, "parameter %s", parameter->name);
    for (uint32_t a = 0; a < parameter->axes; a++) gs_text_add(text, " %" PRIu64, parameter->shape[a]);
    gs_text_add(text, "\n");
}

void gs_fingerprint_model(const struct gs_program *program, char hex[GS_SHA256_HEX]) {
    struct gs_text text = {0};
    gs_text_add(&text, "model\n");
    for (size_t p = 0; p < program->parameter_count; p++) describe_parameter(&text, &program->parameters[p]);
    digest_text(&text, hex);
}

/* A place of the call tree: its graph, its parameters, its calls in source order. */
static void describe_instance(struct gs_text *text, const struct gs_program *program,
                              const struct gs_instance *instance) {
    gs_text_add(text, "unit %s %s\n", instance->unit->name, instance->unit->graph == NULL ? "" : instance->unit->graph);
    for (size_t i = 0; i < instance->slot_count; i++) {
        gs_text_add(text, "slot %s\n", program->parameters[instance->slots[i]].name);
    }
    gs_text_add(text, "calls %zu\n", instance->call_count);
    for (size_t i = 0; i < instance->call_count; i++) describe_instance(text, program, instance->calls[i]);
}

/* Stages that train, and of the others those that move the shuffle on. */
static void digest_graph(const struct gs_program *program, char hex[GS_SHA256_HEX]) {
    static const char *const kinds[] = {"train", "evaluate", "predict"}, *const batches[] = {"all", "batch", "episodes"};
    struct gs_text text = {0};
    char real[GS_REAL_TEXT];
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        describe_parameter(&text, parameter);
        gs_text_real(parameter->init_value, real);
        gs_text_add(&text, "kind %d trainable %d init %d %s\n", (int)parameter->kind, parameter->trainable,
                    (int)parameter->init, real);
    }
    for (size_t s = 0; s < program->stage_count; s++) {
        const struct gs_stage *stage = &program->stages[s];
        if (stage->kind != GS_STAGE_TRAIN && stage->batch != GS_BATCH_SAMPLE) continue;
        gs_text_add(&text, "%s %s %" PRIu64 "\n", kinds[stage->kind], batches[stage->batch], stage->batch_rows);
        if (stage->kind == GS_STAGE_TRAIN) describe_instance(&text, program, stage->entry->root);
    }
    gs_text_add(&text, "end\n");
    digest_text(&text, hex);
}

void gs_fingerprint_rows(struct gs_dataset data, size_t row_floats, char hex[GS_SHA256_HEX]) {
    struct gs_sha256 hash;
    float some[256];
    gs_sha256_start(&hash);
    for (uint64_t row = 0; row < data.rows && data.tiles != NULL; row++) {
        const float *lane = data.tiles + (size_t)(row / data.lanes) * data.stride + (size_t)(row % data.lanes);
        for (size_t k = 0; k < row_floats;) {
            size_t filled = 0;
            for (; k < row_floats && filled < 256; k++) some[filled++] = lane[k * data.lanes];
            gs_sha256_add(&hash, some, filled * sizeof *some);
        }
    }
    gs_sha256_finish(&hash, hex);
}

size_t gs_fingerprint_stage(const struct gs_program *program, size_t stage) {
    size_t before = 0;
    for (size_t s = 0; s < stage; s++) before += program->stages[s].kind == GS_STAGE_TRAIN;
    return before;
}

/* EPOCHS belongs to the fingerprint only where a schedule is stretched over it. */
static bool matters(const struct gs_setting *setting, const struct gs_settings *settings) {
    if (setting->offset != offsetof(struct gs_settings, epochs)) return setting->fingerprint;
    return settings->alpha_schedule == GS_ALPHA_SCHEDULE_COSINE || settings->sigma_schedule == GS_SIGMA_SCHEDULE_COSINE;
}

static const char *keep(struct gs_arena *arena, const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(gs_arena_take(arena, size, 1, "the fingerprint"), text, size);
}

static const char *value_of(const struct gs_setting *setting, const struct gs_settings *settings, struct gs_arena *arena) {
    char text[64];
    gs_setting_print(setting, settings, text, sizeof text);
    if (setting->kind == GS_SETTING_REAL && strcmp(text, "off") != 0) { /* printed with fewer digits than it has */
        double real;
        memcpy(&real, (const char *)settings + setting->offset, sizeof real);
        gs_text_real(real, text);
    }
    return keep(arena, text);
}

static void add(struct gs_note *notes, size_t *count, const char *key, const char *value) {
    notes[(*count)++] = (struct gs_note){.key = key, .value = value};
}

struct gs_note *gs_fingerprint_notes(const struct gs_run *run, struct gs_arena *arena, size_t *count) {
    const struct gs_program *program = run->program;
    const size_t trained = gs_fingerprint_stage(program, program->stage_count);
    struct gs_note *notes = gs_arena_take(arena, 5 + trained * (gs_setting_count + 1), sizeof *notes, "the fingerprint");
    struct gs_text arith = {0};
    char hex[GS_SHA256_HEX], key[128];
    *count = 0;
    gs_text_add(&arith, "%s", GS_ARITH_VERSION);
    if (gs_bf16_used(program)) gs_text_add(&arith, "+bf16-%s", gs_bf16_way());
    add(notes, count, "arith", keep(arena, arith.data));
    gs_text_free(&arith);
    digest_graph(program, hex);
    add(notes, count, "graph", keep(arena, hex));
    gs_fingerprint_model(program, hex);
    add(notes, count, "model", keep(arena, hex));
    add(notes, count, "normal", GS_NORMAL_VERSION);
    if (gs_table_digest(run, hex)) add(notes, count, "tables", keep(arena, hex));
    for (size_t s = 0, k = 0; s < program->stage_count; s++) {
        if (program->stages[s].kind != GS_STAGE_TRAIN) continue;
        if (run->rows_digest != NULL && run->rows_digest[k][0] != '\0') {
            snprintf(key, sizeof key, "rows/%zu", k + 1);
            add(notes, count, keep(arena, key), run->rows_digest[k]);
        }
        for (size_t i = 0; i < gs_setting_count; i++) {
            if (!matters(&gs_setting_table[i], &run->options.settings[s])) continue;
            snprintf(key, sizeof key, "setting/%zu/%s", k + 1, gs_setting_table[i].name);
            add(notes, count, keep(arena, key), value_of(&gs_setting_table[i], &run->options.settings[s], arena));
        }
        k++;
    }
    return notes;
}

void gs_fingerprint_run(const struct gs_run *run, char hex[GS_SHA256_HEX]) {
    struct gs_arena arena = {0};
    struct gs_text text = {0};
    size_t count;
    const struct gs_note *notes = gs_fingerprint_notes(run, &arena, &count);
    for (size_t i = 0; i < count; i++) gs_text_add(&text, "%s=%s\n", notes[i].key, notes[i].value);
    digest_text(&text, hex);
    gs_arena_free(&arena);
}

/* The letters of a name without `!` and a leading point, in lower case: those of an option. */
static char letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_name(const char *name, size_t length, const char *part) {
    size_t i = 0;
    for (; i < length && part[i] != '\0' && letter(name[i]) == letter(part[i]); i++) continue;
    return (i == length || (i + 1 == length && name[i] == '!')) && (part[i] == '\0' || strcmp(part + i, "!") == 0);
}

bool gs_fingerprint_accepts(const char *names, const char *part) {
    for (const char *name = names; name != NULL && *name != '\0';) {
        const size_t length = strcspn(name, ",");
        if (same_name(name, length, part)) return true;
        name += length + (name[length] == ',');
    }
    return false;
}

void gs_fingerprint_check_names(const char *names) {
    static const char *const parts[] = {"GRAPH", "ROWS", "TABLES", "ARITH", "NORMAL"};
    for (const char *name = names; name != NULL && *name != '\0';) {
        const size_t length = strcspn(name, ",");
        bool known = false;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) known = known || same_name(name, length, parts[i]);
        for (size_t i = 0; i < gs_setting_count; i++) {
            const struct gs_setting *setting = &gs_setting_table[i];
            const bool compared = setting->fingerprint || setting->offset == offsetof(struct gs_settings, epochs);
            known = known || (compared && same_name(name, length, setting->name));
        }
        if (!known) {
            gs_fail_usage("--resume-changed: `%.*s` is nothing that resuming compares: settings by name, GRAPH, ROWS, "
                          "TABLES, ARITH, NORMAL", (int)length, name);
        }
        name += length + (name[length] == ',');
    }
}
