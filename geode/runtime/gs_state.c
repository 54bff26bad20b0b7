/* gs_state.c -- from the run to files; main thread, between epochs. Reading is gs_state_read.c. */
#include "gs_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_checkpoint.h"
#include "gs_fail.h"
#include "gs_fingerprint.h"
#include "gs_text.h"

/* What one file will hold. */
struct contents {
    struct gs_arena arena;
    struct gs_tensor *tensors;
    struct gs_note *notes;
    size_t tensor_count, note_count;
};

static const char *keep(struct contents *contents, const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(gs_arena_take(&contents->arena, size, 1, "a checkpoint"), text, size);
}

static const char *join(struct contents *contents, const char *prefix, const char *name) {
    const size_t first = strlen(prefix), second = strlen(name);
    char *text = gs_arena_take(&contents->arena, first + second + 1, 1, "a checkpoint");
    memcpy(text, prefix, first);
    memcpy(text + first, name, second + 1);
    return text;
}

static void note(struct contents *contents, const char *key, const char *value) {
    contents->notes[contents->note_count++] = (struct gs_note){.key = key, .value = keep(contents, value)};
}

static void note_integer(struct contents *contents, const char *key, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    note(contents, key, text);
}

static void note_real(struct contents *contents, const char *key, double value) {
    char text[GS_REAL_TEXT];
    gs_text_real(value, text);
    note(contents, key, text);
}

static void add(struct contents *contents, const char *prefix, const struct gs_parameter *parameter, const float *data) {
    contents->tensors[contents->tensor_count++] = (struct gs_tensor){
        .name = join(contents, prefix, parameter->name), .axes = parameter->axes, .shape = parameter->shape,
        .count = parameter->m * parameter->n, .data = data};
}

/* All parameters of a vector that is laid out as theta. */
static void add_weights(struct contents *contents, const char *prefix, const struct gs_run *run, const float *theta) {
    for (size_t p = 0; p < run->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &run->program->parameters[p];
        add(contents, prefix, parameter, theta + parameter->offset);
    }
}

static void add_best(struct contents *contents, const char *kind, const struct gs_run *run, const struct gs_best *best) {
    char key[64];
    if (!best->some) return;
    snprintf(key, sizeof key, "best/%s/", kind);
    add_weights(contents, keep(contents, key), run, best->weights);
    snprintf(key, sizeof key, "best-%s-score", kind);
    note_real(contents, keep(contents, key), best->score);
    snprintf(key, sizeof key, "best-%s-epoch", kind);
    note_integer(contents, keep(contents, key), best->epoch);
    if (best != &run->progress.best_member) return;
    note_integer(contents, "best-member-member", best->member);
}

static void add_optimizer(struct contents *contents, const struct gs_run *run) {
    const struct gs_optimizer_state *state = &run->optimizer;
    for (size_t p = 0; p < run->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &run->program->parameters[p];
        struct gs_optimizer_part parts[2];
        const size_t count = gs_optimizer_parts(state, &run->model, p, parts);
        for (size_t i = 0; i < count; i++) add(contents, parts[i].prefix, parameter, parts[i].data);
    }
    const struct gs_setting *setting = gs_setting_at(offsetof(struct gs_settings, optimizer));
    note(contents, "optimizer", setting->values[state->kind]);
    note_integer(contents, "optimizer-steps", state->steps);
}

static struct contents make_contents(const struct gs_run *run, size_t kinds, size_t notes) {
    struct contents contents = {0};
    const size_t tensors = kinds * run->program->parameter_count;
    contents.tensors = gs_arena_take(&contents.arena, tensors, sizeof *contents.tensors, "a checkpoint");
    contents.notes = gs_arena_take(&contents.arena, notes, sizeof *contents.notes, "a checkpoint");
    return contents;
}

static void finish(struct contents *contents, const char *path) {
    gs_checkpoint_write(path, contents->tensors, contents->tensor_count, contents->notes, contents->note_count);
    gs_arena_free(&contents->arena);
}

void gs_state_save(const struct gs_run *run, const char *path) {
    struct gs_arena arena = {0};
    char digest[GS_SHA256_HEX];
    size_t count;
    const struct gs_note *fingerprint = gs_fingerprint_notes(run, &arena, &count);
    struct contents contents = make_contents(run, 5, count + 32);
    const struct gs_progress *progress = &run->progress;
    note(&contents, "format", GS_STATE_FORMAT);
    for (size_t i = 0; i < count; i++) note(&contents, fingerprint[i].key, fingerprint[i].value);
    note_integer(&contents, "stage", gs_fingerprint_stage(run->program, progress->stage) + 1);
    note_integer(&contents, "stage-epochs", progress->epochs);
    note_integer(&contents, "epochs", run->epoch);
    note_integer(&contents, "pass", run->pass);
    note_integer(&contents, "cursor", progress->cursor);
    note_integer(&contents, "waited", progress->waited);
    note_real(&contents, "score", progress->score);
    note_integer(&contents, "evaluations", run->evaluations);
    note_integer(&contents, "nan-members", run->nan_members);
    note(&contents, "resume-changed", run->changes);
    add_weights(&contents, "", run, run->model.theta);
    add_optimizer(&contents, run);
    add_best(&contents, "weights", run, &progress->best_weights);
    add_best(&contents, "member", run, &progress->best_member);
    gs_checkpoint_digest(contents.tensors, contents.tensor_count, digest);
    note(&contents, "data", digest);
    gs_checkpoint_header_digest(contents.tensors, contents.tensor_count, contents.notes, contents.note_count, digest);
    note(&contents, "header", digest);
    finish(&contents, path);
    gs_arena_free(&arena);
}

static void save_weights(const struct gs_run *run, const char *path, const float *theta) {
    struct contents contents = make_contents(run, 1, 2);
    char hex[GS_SHA256_HEX];
    gs_fingerprint_model(run->program, hex);
    note(&contents, "format", GS_WEIGHTS_FORMAT);
    note(&contents, "model", hex);
    add_weights(&contents, "", run, theta);
    finish(&contents, path);
}

struct gs_text gs_state_path_of_best(const char *path, const char *kind) {
    struct gs_text text = {0};
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    const char *point = strrchr(name, '.');
    if (point == NULL || point == name) point = name + strlen(name);
    gs_text_add(&text, "%.*s.best-%s%s", (int)(point - path), path, kind, point);
    return text;
}

void gs_state_save_weights(const struct gs_run *run, const char *path) {
    const struct gs_best *const bests[] = {&run->progress.best_weights, &run->progress.best_member};
    static const char *const kinds[] = {"weights", "member"};
    save_weights(run, path, run->model.theta);
    for (size_t i = 0; i < 2; i++) {
        if (!bests[i]->some) continue;
        struct gs_text best = gs_state_path_of_best(path, kinds[i]);
        save_weights(run, best.data, bests[i]->weights);
        gs_text_free(&best);
    }
}

static void check_stage(struct gs_run *run, const struct gs_settings *settings) {
    const char *const paths[] = {settings->save_model, settings->save_model_all};
    if (settings->save_every > 0 && settings->save_model_all == NULL) {
        gs_fail_usage("SAVE-EVERY is how often SAVE-MODEL-ALL writes its file, which is not named");
    }
    for (size_t i = 0; i < 2; i++) {
        if (paths[i] == NULL) continue;
        gs_checkpoint_check(paths[i]);
        run->saves = true;
    }
}

void gs_state_prepare(struct gs_run *run) {
    const struct gs_program *program = run->program;
    const size_t trained = gs_fingerprint_stage(program, program->stage_count);
    const char *resume = program->stage_count == 0 ? NULL : run->options.settings[0].resume_model;
    bool digests = resume != NULL;
    gs_fingerprint_check_names(run->options.resume_changed);
    if (run->options.resume_changed != NULL && resume == NULL) gs_fail_usage("--resume-changed needs RESUME-MODEL");
    for (size_t s = 0; s < program->stage_count; s++) {
        const struct gs_settings *settings = &run->options.settings[s];
        const char *other = settings->resume_model;
        if (other != NULL && (resume == NULL || strcmp(resume, other) != 0)) {
            gs_fail_usage("RESUME-MODEL holds for the whole run: it must stand before the first stage");
        }
        if (program->stages[s].kind != GS_STAGE_TRAIN) continue;
        check_stage(run, settings);
        digests = digests || settings->save_model_all != NULL || settings->metrics_file != NULL;
    }
    run->changes = "";
    if (digests) run->rows_digest = gs_arena_take(&run->arena, trained, sizeof *run->rows_digest, "the fingerprint");
    if (!run->saves && resume == NULL) return;
    const size_t floats = program->parameter_floats;
    run->progress.best_member.weights = gs_arena_take(&run->arena, floats, sizeof(float), "the best weights");
    run->progress.best_weights.weights = gs_arena_take(&run->arena, floats, sizeof(float), "the best weights");
}
