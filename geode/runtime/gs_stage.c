/* gs_stage.c -- what a stage reads, and the stages that do not train; main thread. */
#include "gs_stage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_evaluate.h"
#include "gs_fail.h"
#include "gs_input.h"
#include "gs_metrics.h"
#include "gs_predict.h"
#include "gs_profile.h"
#include "gs_replace.h"
#include "gs_shuffle.h"

struct gs_dataset gs_stage_data(struct gs_run *run, const struct gs_stage *stage) {
    const struct gs_program *program = run->program;
    const size_t lanes = program->lanes;
    if (stage->data < 0) {
        const uint64_t rows = stage->batch_rows;
        return (struct gs_dataset){.tile_count = (size_t)((rows + lanes - 1) / lanes), .lanes = lanes, .rows = rows};
    }
    const size_t index = (size_t)stage->data;
    const char *path = run->options.data_paths[index];
    char option[32];
    gs_options_data_name(program, index, option, sizeof option);
    struct gs_rows table = gs_input_rows(&program->data_files[index], path, option);
    const uint64_t rows = table.rows;
    const uint64_t wanted = stage->row_count == 0 && stage->first_row < rows ? rows - stage->first_row : stage->row_count;
    if (stage->first_row >= rows || wanted > rows - stage->first_row) {
        const uint64_t last = stage->first_row + (stage->row_count > 0 ? stage->row_count - 1 : 0);
        gs_fail("%s: ROWS %" PRIu64 " to %" PRIu64 " are wanted, the file has %" PRIu64 " rows, counted from 0", path,
                stage->first_row, last, rows);
    }
    if (stage->batch == GS_BATCH_SAMPLE && stage->batch_rows > wanted) {
        gs_fail("%s: a BATCH of %" PRIu64 " rows is wanted, there are %" PRIu64, path, stage->batch_rows, wanted);
    }
    const struct gs_dataset data = gs_dataset_tile(&run->rows, &table, stage->first_row, wanted, lanes);
    gs_rows_close(&table);
    return data;
}

/* An evaluator of the stage's word with the mean weights, ready to be asked; memory of the arena. */
static struct gs_evaluator make_evaluator(struct gs_arena *arena, struct gs_run *run, size_t stage,
                                          struct gs_dataset data, struct gs_pool *pool) {
    const struct gs_stage *record = &run->program->stages[stage];
    if (record->batch == GS_BATCH_SAMPLE) {
        struct gs_shuffle shuffle = gs_shuffle_make(arena, data, record->entry->row_floats, record->batch_rows,
                                                    run->options.settings[stage].seed, run->pass);
        gs_shuffle_next(&shuffle);
        run->pass = shuffle.pass;
        data = shuffle.batch;
    }
    struct gs_evaluator evaluator =
        gs_evaluator_make(arena, &run->model, record->entry, pool, data, 0, false, NULL, run->options.hoist_limit);
    evaluator.loop_limit = (float)run->options.settings[stage].loop_limit;
    evaluator.seed = run->options.settings[stage].seed;
    evaluator.draw_epoch = UINT64_MAX; /* an epoch that no training sees */
    gs_profile_mark(GS_PHASE_READ);
    gs_evaluate_run(&evaluator);
    gs_evaluate_epoch(&evaluator);
    gs_profile_mark(GS_PHASE_HOIST);
    return evaluator;
}

static void end_profile(const char *kind, size_t stage, const struct gs_evaluator *evaluator) {
    gs_profile_end(&(struct gs_profile_stage){.number = stage + 1, .kind = kind, .entry = evaluator->entry,
                                              .pool = evaluator->pool, .rows = evaluator->data.rows});
}

void gs_stage_evaluate(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_arena arena = {0};
    struct gs_evaluator evaluator = make_evaluator(&arena, run, stage, data, pool);
    printf("evaluate word=%s value=%s rows=%" PRIu64 "\n", evaluator.entry->word,
           gs_metrics_number(gs_evaluate_center(&evaluator)), evaluator.data.rows);
    if (fflush(stdout) != 0) gs_fail("standard output: %s", strerror(errno));
    gs_profile_mark(GS_PHASE_CENTER);
    end_profile("evaluate", stage, &evaluator);
    gs_arena_free(&arena);
}

/* With the reason that errno has. */
static _Noreturn void fail_writing(struct gs_replacement *output) {
    gs_replace_drop(output);
    gs_fail("%s: can't be written: %s", output->path, strerror(errno));
}

void gs_stage_predict(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_arena arena = {0};
    struct gs_evaluator evaluator = make_evaluator(&arena, run, stage, data, pool);
    const size_t reductions = evaluator.entry->passes ? evaluator.reductions : 0;
    const size_t outputs = evaluator.entry->outputs - reductions;
    if (reductions > 0) gs_evaluate_reductions(&evaluator);
    const char *path = run->program->stages[stage].predict_path;
    const bool whole = gs_replace_possible(path);
    struct gs_replacement output = {.path = path, .file = -1};
    if (whole) output = gs_replace_begin(path);
    FILE *file = !whole ? fopen(path, "w") : output.file < 0 ? NULL : gs_replace_stream(&output);
    if (file == NULL) fail_writing(&output);
    if (!gs_predict_write(&evaluator, &arena, outputs, file)) fail_writing(&output);
    if (whole ? !gs_replace_finish(&output) : fclose(file) != 0) fail_writing(&output);
    gs_profile_mark(GS_PHASE_CENTER);
    end_profile("predict", stage, &evaluator);
    gs_arena_free(&arena);
}
