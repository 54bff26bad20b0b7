/* gs_main.c -- a compiled program: argv -> settings -> data -> stages. Knows the program through gs_program.h alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_bf16.h"
#include "gs_cpu.h"
#include "gs_es.h"
#include "gs_fail.h"
#include "gs_metrics.h"
#include "gs_options.h"
#include "gs_outputs.h"
#include "gs_pool.h"
#include "gs_profile.h"
#include "gs_selftest.h"
#include "gs_stage.h"
#include "gs_state.h"
#include "gs_table.h"

#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define GS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(GS_SANITIZED)
/* The first report is the last, as by -fno-sanitize-recover, under which clang takes minutes for a unit: each check is then
 * a condition of all the code behind it, which clang walks through again and again. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "halt_on_error=1"; }
#endif

static void print_header(const struct gs_run *run) {
    const struct gs_program *program = run->program;
    printf("program %s\n", program->name);
    printf("parameters total=%" PRIu64 " trainable=%" PRIu64 "\n", run->model.entries, run->model.trained_entries);
    if (run->resumed) {
        printf("resume at=%" PRIu64 " file=%s\n", run->epoch, run->options.settings[0].resume_model);
    }
    for (size_t p = 0; p < program->parameter_count; p++) {
        if (!program->parameters[p].trainable) printf("fixed %s\n", program->parameters[p].name);
    }
}

static size_t workers_of(const struct gs_settings *settings) {
    if (settings->workers > 0) return (size_t)settings->workers;
    const size_t cores = gs_cpu_count();
    return cores < GS_POOL_MOST ? cores : GS_POOL_MOST;
}

/* Opens the stage's METRICS-FILE: anew, or at its end if an earlier stage has begun it. */
static void open_metrics(struct gs_run *run, size_t stage) {
    const struct gs_settings *settings = &run->options.settings[stage];
    bool begun = false;
    if (run->metrics != NULL && settings->metrics_file != NULL && strcmp(run->metrics_path, settings->metrics_file) == 0) {
        gs_metrics_begin(run->metrics, run, stage); /* it stays open, and no other run's, from stage to stage */
        return;
    }
    if (run->metrics != NULL) fclose(run->metrics);
    run->metrics = NULL;
    run->metrics_path = settings->metrics_file;
    if (settings->metrics_file == NULL) return;
    for (size_t s = 0; s < stage; s++) {
        const char *path = run->options.settings[s].metrics_file;
        if (run->program->stages[s].kind != GS_STAGE_TRAIN || path == NULL) continue;
        begun = begun || strcmp(path, settings->metrics_file) == 0;
    }
    run->metrics = gs_metrics_open(run, stage, begun);
}

int main(int argc, char **argv) {
    struct gs_run run = {.program = &gs_program, .start = gs_cpu_seconds()};
    gs_fail_name(gs_program.name);
    if (gs_program.abi != GS_ABI) gs_fail("the program has ABI %" PRIu32 ", the runtime %u", gs_program.abi, GS_ABI);
    run.options = gs_options_read(&gs_program, argc, argv);
    const bool selftest = gs_selftest_wanted(&gs_program);
    if (selftest) gs_selftest_write_nothing(&gs_program, &run.options);
    gs_outputs_check(&gs_program, &run.options);
    gs_bf16_prepare(&gs_program);
    gs_profile_to(run.options.profile_file);
    gs_es_catch_signals();
    const uint64_t seed = gs_program.stage_count == 0 ? 0 : run.options.settings[0].seed;
    run.model = gs_model_make(&run.arena, &gs_program, seed);
    gs_table_load(&run);
    gs_state_prepare(&run);
    const char *resume = gs_program.stage_count == 0 ? NULL : run.options.settings[0].resume_model;
    if (resume != NULL) gs_state_resume(&run, resume);
    print_header(&run);
    bool go_on = true;
    for (size_t s = run.resumed ? run.progress.stage : 0; s < gs_program.stage_count && go_on; s++) {
        const struct gs_stage *stage = &gs_program.stages[s];
        gs_profile_begin();
        const struct gs_dataset data = gs_stage_data(&run, stage);
        struct gs_pool *pool = gs_pool_start(workers_of(&run.options.settings[s]));
        switch (stage->kind) {
        case GS_STAGE_TRAIN:
            gs_state_take_rows(&run, s, data);
            open_metrics(&run, s);
            go_on = gs_es_train(&run, s, data, pool);
            break;
        case GS_STAGE_EVALUATE: gs_stage_evaluate(&run, s, data, pool); break;
        case GS_STAGE_PREDICT:
            if (!selftest) gs_stage_predict(&run, s, data, pool);
            break;
        }
        gs_pool_stop(pool);
        gs_arena_free(&run.rows);
    }
    if (run.metrics != NULL) fclose(run.metrics);
    gs_arena_free(&run.arena);
    gs_options_free(&run.options);
    return gs_es_signal() == 0 ? 0 : 128 + gs_es_signal();
}
