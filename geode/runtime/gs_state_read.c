/* gs_state_read.c -- from a file to the run, before the first stage; main thread. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_fail.h"
#include "gs_fingerprint.h"
#include "gs_state.h"
#include "gs_text.h"
#include "gs_weights.h"

struct reader {
    struct gs_run *run;
    struct gs_checkpoint file;
    struct gs_differences differences;
    struct gs_text accepts; /* names for --resume-changed */
};

/* --- notes */

static const char *want_note(const struct reader *reader, const char *key) {
    const char *value = gs_checkpoint_note(&reader->file, key);
    if (value == NULL) gs_fail("%s: is no whole state: it has no note %s", reader->file.path, key);
    return value;
}

static _Noreturn void fail_note(const struct reader *reader, const char *key, const char *value) {
    gs_fail("%s: is no whole state: %s can't be `%s`", reader->file.path, key, value);
}

/* Numbers are written in one way only, and no other is one. */
static uint64_t want_integer(const struct reader *reader, const char *key) {
    uint64_t value;
    char again[32];
    const char *text = want_note(reader, key);
    if (!gs_read_integer(text, &value)) fail_note(reader, key, text);
    snprintf(again, sizeof again, "%" PRIu64, value);
    if (strcmp(again, text) != 0) fail_note(reader, key, text);
    return value;
}

static double want_real(const struct reader *reader, const char *key) {
    double value;
    const char *text = want_note(reader, key);
    char again[GS_REAL_TEXT];
    if (!gs_text_read_real(text, &value)) fail_note(reader, key, text);
    gs_text_real(value, again);
    if (strcmp(again, text) != 0) fail_note(reader, key, text);
    return value;
}

static const char *keep(struct gs_run *run, const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(gs_arena_take(&run->arena, size, 1, "the accepted changes"), text, size);
}

/* --- differences between the run of the file and this one */

/* Adds an accepted difference to the record that later files carry. */
static void record(struct gs_run *run, const char *what, const char *in_file, const char *now) {
    struct gs_text changes = {0};
    gs_text_add(&changes, "%s%sepoch %" PRIu64 " %s: %s -> %s", run->changes, run->changes[0] == '\0' ? "" : "; ",
                run->epoch, what, in_file, now);
    run->changes = keep(run, changes.data);
    gs_text_free(&changes);
}

/* One part of the fingerprint, NULL where the file lacks it. If it is not the same, --resume-changed accepts it by
 * `name`, or it is a difference to be told. */
static void compare(struct reader *reader, const char *name, const char *shown, const char *in_file, const char *now) {
    if (in_file != NULL && strcmp(in_file, now) == 0) return;
    if (in_file == NULL) in_file = "missing";
    if (gs_fingerprint_accepts(reader->run->options.resume_changed, name)) {
        record(reader->run, shown, in_file, now);
        return;
    }
    gs_differ(&reader->differences, shown, in_file, now);
    if (!gs_fingerprint_accepts(reader->accepts.data, name)) {
        gs_text_add(&reader->accepts, "%s%s", reader->accepts.length == 0 ? "" : ",", name);
    }
}

static void compare_note(struct reader *reader, const struct gs_note *note) {
    const char *in_file = gs_checkpoint_note(&reader->file, note->key);
    unsigned long stage;
    char name[64], shown[96];
    if (strncmp(note->key, "rows/", 5) == 0) return; /* when they are read */
    if (sscanf(note->key, "setting/%lu/%63s", &stage, name) == 2) {
        const struct gs_program *program = reader->run->program;
        const bool only = gs_fingerprint_stage(program, program->stage_count) == 1;
        if (only) snprintf(shown, sizeof shown, "%s", name);
        if (!only) snprintf(shown, sizeof shown, "TRAIN stage %lu's %s", stage, name);
        compare(reader, name, shown, in_file, note->value);
    } else if (strcmp(note->key, "model") == 0) {
        if (in_file != NULL && strcmp(in_file, note->value) == 0) return;
        gs_differ(&reader->differences, "the parameters", "in another order or of other sizes", "those of the program");
    } else {
        static const char *const keys[] = {"graph", "tables", "arith", "normal"};
        static const char *const names[] = {"GRAPH", "TABLES", "ARITH", "NORMAL"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            if (strcmp(note->key, keys[i]) == 0) compare(reader, names[i], names[i], in_file, note->value);
        }
    }
}

/* Notes about stages or of EPOCHS that this run, which may differ by what was accepted, does not compare. */
static void pass_over(struct reader *reader) {
    const bool other_graph = gs_fingerprint_accepts(reader->run->options.resume_changed, "GRAPH");
    for (size_t i = 0; i < reader->file.note_count; i++) {
        struct gs_note *note = &reader->file.notes[i];
        const char *name = strrchr(note->key, '/');
        const bool setting = strncmp(note->key, "setting/", 8) == 0, rows = strncmp(note->key, "rows/", 5) == 0;
        const bool tables = strcmp(note->key, "tables") == 0;
        if (setting && strcmp(name, "/EPOCHS") == 0) note->used = true;
        if (other_graph && (setting || rows || tables)) note->used = true;
    }
}

static void compare_run(struct reader *reader) {
    struct gs_arena arena = {0};
    size_t count;
    const struct gs_note *notes = gs_fingerprint_notes(reader->run, &arena, &count);
    for (size_t i = 0; i < count; i++) compare_note(reader, &notes[i]);
    pass_over(reader);
    if (reader->differences.count > 0) {
        struct gs_text help = {0};
        if (reader->accepts.length > 0) {
            gs_text_add(&help, "--resume-changed %s goes on all the same, and records it", reader->accepts.data);
        }
        gs_differences_fail(&reader->differences, "is the state of another run", help.length == 0 ? "" : help.data);
    }
    gs_arena_free(&arena);
}

/* --- the state */

static void read_best(const struct reader *reader, const char *kind, struct gs_best *best) {
    char key[64];
    snprintf(key, sizeof key, "best-%s-score", kind);
    if (gs_checkpoint_note(&reader->file, key) == NULL) return;
    best->some = true;
    best->score = want_real(reader, key);
    if (best->score - best->score != 0.0) fail_note(reader, key, want_note(reader, key));
    snprintf(key, sizeof key, "best-%s-epoch", kind);
    best->epoch = want_integer(reader, key);
    if (best == &reader->run->progress.best_member) best->member = want_integer(reader, "best-member-member");
    snprintf(key, sizeof key, "best/%s/", kind);
    gs_weights_read(&reader->file, reader->run->program, true, key, best->weights);
}

/* The root of a mean of squares is taken. */
static void check_squares(const struct reader *reader, const struct gs_parameter *parameter,
                          const struct gs_optimizer_part *part) {
    for (size_t i = 0; i < gs_entries(parameter); i++) {
        if (part->data[i] >= 0.0f) continue;
        gs_fail("%s: is no whole state: %s%s holds %.9g, a mean of squares can't be negative", reader->file.path, part->prefix,
                parameter->name, (double)part->data[i]);
    }
}

static void read_optimizer(const struct reader *reader) {
    struct gs_run *run = reader->run;
    const char *name = want_note(reader, "optimizer");
    struct gs_settings settings;
    if (!gs_setting_read(gs_setting_at(offsetof(struct gs_settings, optimizer)), name, &settings)) {
        fail_note(reader, "optimizer", name);
    }
    run->optimizer = gs_optimizer_state_make(&run->arena, &run->model, settings.optimizer);
    run->optimizer.steps = want_integer(reader, "optimizer-steps");
    run->has_optimizer = true;
    for (size_t p = 0; p < run->program->parameter_count; p++) {
        struct gs_optimizer_part parts[2];
        const size_t count = gs_optimizer_parts(&run->optimizer, &run->model, p, parts);
        for (size_t i = 0; i < count; i++) {
            gs_weights_read_one(&reader->file, &run->program->parameters[p], parts[i].prefix, parts[i].data);
            if (parts[i].squares) check_squares(reader, &run->program->parameters[p], &parts[i]);
        }
    }
}

static size_t read_stage(const struct reader *reader) {
    const struct gs_program *program = reader->run->program;
    const uint64_t wanted = want_integer(reader, "stage");
    for (size_t s = 0; s < program->stage_count; s++) {
        if (program->stages[s].kind == GS_STAGE_TRAIN && gs_fingerprint_stage(program, s) + 1 == wanted) return s;
    }
    gs_fail("%s: was written in TRAIN stage %" PRIu64 ", which this program does not have", reader->file.path, wanted);
}

/* The digests of rows that the run of the file has seen, of the stages up to its own. */
static void read_rows(const struct reader *reader) {
    const struct gs_run *run = reader->run;
    const size_t last = gs_fingerprint_stage(run->program, run->progress.stage);
    for (size_t k = 0; k <= last; k++) {
        char key[64];
        snprintf(key, sizeof key, "rows/%zu", k + 1);
        const char *digest = want_note(reader, key);
        if (strlen(digest) != GS_SHA256_HEX - 1) fail_note(reader, key, digest);
        memcpy(run->rows_digest[k], digest, GS_SHA256_HEX);
    }
}

/* What the disk gives back is what was written. */
static void check_data(const struct reader *reader) {
    char digest[GS_SHA256_HEX];
    gs_checkpoint_data_digest(&reader->file, digest);
    const bool same = strcmp(want_note(reader, "data"), digest) == 0;
    const struct gs_checkpoint *file = &reader->file;
    gs_checkpoint_header_digest(file->tensors, file->tensor_count, file->notes, file->note_count, digest);
    const bool same_header = strcmp(want_note(reader, "header"), digest) == 0;
    if (same && same_header) return;
    gs_fail("%s: is damaged: its %s are not those that were saved\n  help: go on from an earlier state, or from a copy",
            file->path, same ? "notes" : "numbers");
}

/* A state is understood as a whole or not at all: what nobody asked for may have been important. */
static void check_all_used(const struct gs_checkpoint *file) {
    for (size_t i = 0; i < file->tensor_count; i++) {
        if (!file->tensors[i].used) gs_fail("%s: holds %s, which is no part of this run", file->path, file->tensors[i].name);
    }
    for (size_t i = 0; i < file->note_count; i++) {
        if (!file->notes[i].used) gs_fail("%s: has a note %s, which means nothing here", file->path, file->notes[i].key);
    }
}

static void read_state(struct reader *reader) {
    struct gs_run *run = reader->run;
    struct gs_progress *progress = &run->progress;
    gs_weights_check(&reader->file, run->program, true, true);
    run->epoch = want_integer(reader, "epochs");
    run->changes = keep(run, want_note(reader, "resume-changed"));
    compare_run(reader);
    progress->stage = read_stage(reader);
    read_rows(reader);
    progress->epochs = want_integer(reader, "stage-epochs");
    run->pass = want_integer(reader, "pass");
    progress->cursor = want_integer(reader, "cursor");
    progress->waited = want_integer(reader, "waited");
    progress->score = want_real(reader, "score");
    run->evaluations = want_integer(reader, "evaluations");
    run->nan_members = want_integer(reader, "nan-members");
    if (progress->epochs > run->epoch) fail_note(reader, "stage-epochs", want_note(reader, "stage-epochs"));
    check_data(reader); /* before anything is said about the numbers themselves */
    gs_weights_read(&reader->file, run->program, true, "", run->model.theta);
    read_optimizer(reader);
    read_best(reader, "weights", &progress->best_weights);
    read_best(reader, "member", &progress->best_member);
    check_all_used(&reader->file);
    run->resumed = true;
}

void gs_state_resume(struct gs_run *run, const char *path) {
    struct reader reader = {.run = run, .file = gs_checkpoint_open(path), .differences = {.path = path}};
    const char *format = gs_checkpoint_note(&reader.file, "format");
    const bool state = format != NULL && strcmp(format, GS_STATE_FORMAT) == 0;
    const bool trains = gs_fingerprint_stage(run->program, run->program->stage_count) > 0;
    if (format != NULL && !state && strncmp(format, "geode-", 6) == 0 && strcmp(format, GS_WEIGHTS_FORMAT) != 0) {
        gs_fail("%s: has format %s; this program reads %s and %s", path, format, GS_STATE_FORMAT, GS_WEIGHTS_FORMAT);
    }
    if (trains && state) {
        read_state(&reader);
    } else {
        gs_weights_check(&reader.file, run->program, state, trains);
        if (state) check_data(&reader);
        gs_weights_read(&reader.file, run->program, state, "", run->model.theta);
    }
    gs_text_free(&reader.accepts);
    gs_checkpoint_close(&reader.file);
}

void gs_state_take_rows(struct gs_run *run, size_t stage, struct gs_dataset data) {
    const size_t k = gs_fingerprint_stage(run->program, stage);
    char digest[GS_SHA256_HEX];
    if (run->rows_digest == NULL) return;
    gs_fingerprint_rows(data, run->program->stages[stage].entry->row_floats, digest);
    const bool other = run->rows_digest[k][0] != '\0' && strcmp(run->rows_digest[k], digest) != 0;
    if (other && !gs_fingerprint_accepts(run->options.resume_changed, "ROWS")) {
        gs_fail("%s: is the state of another run\n  ROWS: others in the file's run than now\n"
                "  help: --resume-changed ROWS goes on all the same, and records it",
                run->options.settings[0].resume_model);
    }
    if (other) record(run, "ROWS", run->rows_digest[k], digest);
    memcpy(run->rows_digest[k], digest, sizeof digest);
}
