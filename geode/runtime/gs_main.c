/* gs_main.c -- a compiled program: argv -> settings -> data -> stages. Knows the program through gs_program.h alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gs_cpu.h"
#include "gs_csv.h"
#include "gs_dataset.h"
#include "gs_es.h"
#include "gs_evaluate.h"
#include "gs_fail.h"
#include "gs_metrics.h"
#include "gs_options.h"
#include "gs_pool.h"

static void print_header(const struct gs_run *run) {
    const struct gs_program *program = run->program;
    printf("program %s\n", program->name);
    printf("parameters total=%" PRIu64 " trainable=%" PRIu64 "\n", run->model.entries, run->model.trained_entries);
    for (size_t p = 0; p < program->parameter_count; p++) {
        if (!program->parameters[p].trainable) printf("fixed %s\n", program->parameters[p].name);
    }
}

/* The rows of a stage as tiles, or nothing but their number. */
static struct gs_dataset load_data(struct gs_run *run, const struct gs_stage *stage) {
    const struct gs_program *program = run->program;
    const size_t lanes = program->lanes;
    if (stage->data < 0) {
        const uint64_t rows = stage->batch_rows;
        return (struct gs_dataset){.tile_count = (size_t)((rows + lanes - 1) / lanes), .lanes = lanes, .rows = rows};
    }
    const size_t index = (size_t)stage->data;
    const size_t row_floats = (size_t)program->data_files[index].row_floats;
    const char *path = run->options.data_paths[index];
    char option[32];
    uint64_t rows;
    gs_options_data_name(program, index, option, sizeof option);
    float *table = gs_csv_read(path, option, row_floats, &rows);
    const uint64_t wanted = stage->row_count == 0 && stage->first_row < rows ? rows - stage->first_row : stage->row_count;
    if (stage->first_row >= rows || wanted > rows - stage->first_row) {
        gs_fail("%s: ROWS %" PRIu64 " to %" PRIu64 " are wanted, the file has %" PRIu64 " rows", path, stage->first_row,
                stage->first_row + stage->row_count, rows);
    }
    const struct gs_dataset data = gs_dataset_tile(&run->arena, table, row_floats, stage->first_row, wanted, lanes);
    free(table);
    return data;
}

static size_t workers_of(const struct gs_settings *settings) {
    if (settings->workers > 0) return (size_t)settings->workers;
    const size_t cores = gs_cpu_count();
    return cores < GS_POOL_MOST ? cores : GS_POOL_MOST;
}

static void open_metrics(struct gs_run *run, size_t stage) {
    const struct gs_settings *settings = &run->options.settings[stage];
    if (run->metrics != NULL) fclose(run->metrics);
    run->metrics = NULL;
    run->metrics_path = settings->metrics_file;
    if (settings->metrics_file != NULL) {
        run->metrics = gs_metrics_open(settings->metrics_file, run->program, stage, settings);
    }
}

static void evaluate(struct gs_run *run, const struct gs_stage *stage, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_arena arena = {0};
    struct gs_evaluator evaluator = gs_evaluator_make(&arena, &run->model, stage->entry, pool, data, 0, false, NULL,
                                                      run->options.hoist_limit);
    gs_evaluate_epoch(&evaluator);
    printf("evaluate word=%s value=%s rows=%" PRIu64 "\n", stage->entry->word,
           gs_metrics_number(gs_evaluate_center(&evaluator)), data.rows);
    if (fflush(stdout) != 0) gs_fail("cannot write standard output");
    gs_arena_free(&arena);
}

static void predict(struct gs_run *run, const struct gs_stage *stage, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_arena arena = {0};
    const size_t outputs = stage->entry->outputs, lanes = data.lanes;
    struct gs_evaluator evaluator = gs_evaluator_make(&arena, &run->model, stage->entry, pool, data, 0, false, NULL,
                                                      run->options.hoist_limit);
    gs_evaluate_epoch(&evaluator);
    FILE *file = fopen(stage->predict_path, "w");
    if (file == NULL) gs_fail("%s: cannot be written", stage->predict_path);
    for (uint64_t row = 0; row < data.rows; row++) {
        static const float *out;
        if (row % lanes == 0) out = gs_evaluate_tile(&evaluator, (size_t)(row / lanes));
        for (size_t k = 0; k < outputs; k++) {
            const double x = (double)out[k * lanes + (size_t)(row % lanes)];
            fprintf(file, "%s%s", k == 0 ? "" : ",", gs_metrics_number(x));
        }
        fputc('\n', file);
    }
    const bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) gs_fail("%s: could not be written to its end", stage->predict_path);
    gs_arena_free(&arena);
}

int main(int argc, char **argv) {
    struct gs_run run = {.program = &gs_program, .start = gs_cpu_seconds()};
    gs_fail_name(gs_program.name);
    if (gs_program.abi != GS_ABI) gs_fail("the program has ABI %" PRIu32 ", the runtime %u", gs_program.abi, GS_ABI);
    run.options = gs_options_read(&gs_program, argc, argv);
    if (gs_cpu_missing() != NULL) {
        gs_fail("this machine has no %s, for which the program was compiled\n  help: build it with --profile portable",
                gs_cpu_missing());
    }
    gs_es_catch_signals();
    const uint64_t seed = gs_program.stage_count == 0 ? 0 : run.options.settings[0].seed;
    run.model = gs_model_make(&run.arena, &gs_program, seed);
    print_header(&run);
    bool go_on = true;
    for (size_t s = 0; s < gs_program.stage_count && go_on; s++) {
        const struct gs_stage *stage = &gs_program.stages[s];
        const struct gs_dataset data = load_data(&run, stage);
        struct gs_pool *pool = gs_pool_start(workers_of(&run.options.settings[s]));
        switch (stage->kind) {
        case GS_STAGE_TRAIN:
            open_metrics(&run, s);
            go_on = gs_es_train(&run, s, data, pool);
            break;
        case GS_STAGE_EVALUATE: evaluate(&run, stage, data, pool); break;
        case GS_STAGE_PREDICT: predict(&run, stage, data, pool); break;
        }
        gs_pool_stop(pool);
    }
    if (run.metrics != NULL) fclose(run.metrics);
    gs_arena_free(&run.arena);
    gs_options_free(&run.options);
    return gs_es_signal() == 0 ? 0 : 128 + gs_es_signal();
}
