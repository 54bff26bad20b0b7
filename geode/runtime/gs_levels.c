/* gs_levels.c -- see the header. Passes that end in a reduction are shared out by blocks of rows, the others by tiles. */
#include "gs_levels.h"

#include "gs_bf16.h"

/* One pass of the pool over the rows: pass `number` of the run level or the epoch level. */
struct job {
    const struct gs_evaluator *evaluator;
    const struct gs_level_passes *level;
    size_t number;
};

struct gs_tile_context gs_levels_context(const struct gs_evaluator *evaluator, size_t tile, const struct gs_slot *slots) {
    const struct gs_dataset *data = &evaluator->data;
    const uint64_t first = (uint64_t)tile * data->lanes;
    const uint64_t left = data->rows - first;
    return (struct gs_tile_context){
        .slots = slots, .first_row = first, .live = (uint32_t)(left < data->lanes ? left : data->lanes),
        .loop_limit = evaluator->loop_limit,
        .seed = evaluator->seed,
        .epoch = evaluator->draw_epoch,
        .member = UINT64_MAX, /* the mean weights are no member */
        .streams = evaluator->entry->streams,
        .tables = evaluator->model->tables,
        .reduced = evaluator->outer.reduced};
}

const float *gs_levels_row(const struct gs_evaluator *evaluator, size_t tile) {
    return evaluator->data.tiles == NULL ? NULL : evaluator->data.tiles + tile * evaluator->data.stride;
}

void gs_levels_call(const struct gs_evaluator *evaluator, struct gs_scratch *scratch,
                    const struct gs_tile_context *context, const struct gs_level_passes *level, size_t from, size_t to,
                    float *run, float *epoch, float *pair, const float *row) {
    for (size_t p = from; p < to; p++) {
        gs_entry_function *function = level->list[p].function;
        if (function) function(context, evaluator->entry->root, run, epoch, pair, scratch->call, row, scratch->out);
    }
}

void gs_levels_slices(const struct gs_evaluator *evaluator, struct gs_scratch *scratch, size_t tile, float **run,
                      float **epoch) {
    if (evaluator->hoisted) {
        *run = evaluator->run + tile * evaluator->run_stride;
        *epoch = evaluator->epoch + tile * evaluator->epoch_stride;
        return;
    }
    *run = scratch->run;
    *epoch = scratch->epoch;
    const struct gs_tile_context context = gs_levels_context(evaluator, tile, evaluator->center);
    const struct gs_passes *passes = &evaluator->passes;
    const float *row = gs_levels_row(evaluator, tile);
    gs_levels_call(evaluator, scratch, &context, &passes->run, 0, passes->run.count, *run, *epoch, scratch->pair, row);
    gs_levels_call(evaluator, scratch, &context, &passes->epoch, 0, passes->epoch.count, *run, *epoch, scratch->pair,
                   row);
}

enum gs_batch_op gs_levels_op(const struct gs_evaluator *evaluator, size_t k) {
    return evaluator->entry->ops == NULL ? GS_BATCH_SUM : evaluator->entry->ops[k];
}

void gs_levels_add(const struct gs_evaluator *evaluator, const struct gs_scratch *scratch,
                   const struct gs_tile_context *context, const struct gs_pass *pass, double *partials) {
    const size_t lanes = evaluator->data.lanes;
    for (size_t k = pass->first; k < pass->first + pass->count; k++) {
        gs_batch_add(gs_levels_op(evaluator, k), partials + k * GS_PARTIALS, scratch->out + k * lanes, lanes,
                     context->live, (size_t)(context->first_row % GS_BLOCK_ROWS));
    }
}

/* The job's pass over one tile. Where slices are not kept, all that comes before it is computed again. */
static struct gs_tile_context pass_tile(const struct job *job, struct gs_scratch *scratch, size_t tile) {
    const struct gs_evaluator *evaluator = job->evaluator;
    const struct gs_passes *passes = &evaluator->passes;
    const struct gs_tile_context context = gs_levels_context(evaluator, tile, evaluator->center);
    const bool kept = evaluator->hoisted;
    float *run = kept ? evaluator->run + tile * evaluator->run_stride : scratch->run;
    float *epoch = kept ? evaluator->epoch + tile * evaluator->epoch_stride : scratch->epoch;
    const float *row = gs_levels_row(evaluator, tile);
    if (!kept && job->level == &passes->epoch) {
        gs_levels_call(evaluator, scratch, &context, &passes->run, 0, passes->run.count, run, epoch, scratch->pair, row);
    }
    const size_t from = kept ? job->number : 0;
    gs_levels_call(evaluator, scratch, &context, job->level, from, job->number + 1, run, epoch, scratch->pair, row);
    return context;
}

static void pass_tile_alone(void *argument, size_t worker, size_t tile) {
    const struct job *job = argument;
    pass_tile(job, &job->evaluator->scratch[worker], tile);
}

static void pass_block(void *argument, size_t worker, size_t block) {
    const struct job *job = argument;
    const struct gs_evaluator *evaluator = job->evaluator;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    const struct gs_pass *pass = &job->level->list[job->number];
    const size_t tiles = GS_BLOCK_ROWS / evaluator->data.lanes, first = block * tiles;
    for (size_t k = pass->first; k < pass->first + pass->count; k++) {
        for (size_t i = 0; i < GS_PARTIALS; i++) {
            scratch->partials[k * GS_PARTIALS + i] = gs_batch_first(gs_levels_op(evaluator, k));
        }
    }
    for (size_t tile = first; tile < first + tiles && tile < evaluator->data.tile_count; tile++) {
        const struct gs_tile_context context = pass_tile(job, scratch, tile);
        gs_levels_add(evaluator, scratch, &context, pass, scratch->partials);
    }
    for (size_t k = pass->first; k < pass->first + pass->count; k++) {
        evaluator->outer_blocks[block * evaluator->reductions + k] =
            gs_batch_combine(gs_levels_op(evaluator, k), scratch->partials + k * GS_PARTIALS);
    }
}

static void go_through(struct gs_evaluator *evaluator, const struct gs_level_passes *level) {
    for (size_t p = 0; p < level->count; p++) {
        const struct gs_pass *pass = &level->list[p];
        struct job job = {evaluator, level, p};
        if (pass->count == 0) {
            if (evaluator->hoisted && pass->function) {
                gs_pool_run(evaluator->pool, pass_tile_alone, &job, evaluator->data.tile_count);
            }
            continue;
        }
        gs_pool_run(evaluator->pool, pass_block, &job, evaluator->blocks);
        for (size_t k = pass->first; k < pass->first + pass->count; k++) {
            const enum gs_batch_op op = gs_levels_op(evaluator, k);
            double total = gs_batch_first(op);
            for (size_t b = 0; b < evaluator->blocks; b++) {
                total = gs_batch_apply(op, total, evaluator->outer_blocks[b * evaluator->reductions + k]);
            }
            evaluator->outer.totals[k] = total;
            evaluator->outer.reduced[k] = gs_batch_result(op, total, evaluator->data.rows);
        }
    }
}

void gs_evaluate_run(struct gs_evaluator *evaluator) { go_through(evaluator, &evaluator->passes.run); }

void gs_evaluate_epoch(struct gs_evaluator *evaluator) {
    gs_bf16_pack(evaluator->model, evaluator->pool);
    go_through(evaluator, &evaluator->passes.epoch);
}
