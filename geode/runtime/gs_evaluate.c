/* gs_evaluate.c -- see the header. A worker's scratch holds the noise and the perturbed weights of the pair it works on;
 * all of it is taken before training, and nothing that two workers write shares a cache line. */
#include "gs_evaluate.h"

#include <stdatomic.h>

#include "gs_batch_sum.h"
#include "gs_rollout.h"

#define GS_ITEMS_A_WORKER 4 /* fewer pairs than this times the workers: split their rows */

struct gs_scratch {
    struct gs_slot *plus, *minus;   /* slots of the pair's members */
    float *noise;                   /* for pairs that the store does not keep */
    float *plus_weights, *minus_weights; /* w + sE, w - sE of those that are materialised */
    float *run, *epoch, *pair;      /* one tile's slices */
    float *call, *out;
    double *partials; /* [2][outputs][GS_PARTIALS] */
    double *totals;   /* [2][outputs], then the same for one block */
    char padding[64];
};

/* One pass of the pool over the members: the population, or the mean weights as the only one. */
struct pass {
    struct gs_evaluator *evaluator;
    struct gs_draw draw;
    bool center;
    size_t parts; /* of a pair */
    double *scores;
};

size_t gs_evaluate_scratch(const struct gs_instance *instance) {
    size_t most = 0;
    for (size_t i = 0; i < instance->call_count; i++) {
        const size_t need = gs_evaluate_scratch(instance->calls[i]);
        if (need > most) most = need;
    }
    return gs_padded(instance->unit->scratch_floats) + most;
}

static struct gs_slot *make_slots(struct gs_arena *arena, const struct gs_model *model) {
    struct gs_slot *slots = gs_arena_take(arena, model->program->parameter_count, sizeof *slots, "the slots");
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const float *w = model->theta + model->program->parameters[p].offset;
        slots[p] = (struct gs_slot){.w = w, .e = model->zeros, .a = model->zeros, .b = model->zeros, .wp = w};
    }
    return slots;
}

static void make_scratch(struct gs_arena *arena, const struct gs_evaluator *evaluator, struct gs_scratch *scratch) {
    const struct gs_entry *entry = evaluator->entry;
    const size_t noise = evaluator->pairs == 0 ? 0 : evaluator->model->noise_floats;
    const size_t weights = evaluator->pairs == 0 ? 0 : evaluator->model->weights_floats;
    const bool again = !evaluator->hoisted;
    scratch->plus = make_slots(arena, evaluator->model);
    scratch->minus = make_slots(arena, evaluator->model);
    scratch->noise = gs_arena_take(arena, noise, sizeof(float), "a worker's noise");
    scratch->plus_weights = gs_arena_take(arena, weights, sizeof(float), "a worker's weights");
    scratch->minus_weights = gs_arena_take(arena, weights, sizeof(float), "a worker's weights");
    scratch->run = gs_arena_take(arena, again ? entry->run_floats : 0, sizeof(float), "a worker's tile");
    scratch->epoch = gs_arena_take(arena, again ? entry->epoch_floats : 0, sizeof(float), "a worker's tile");
    scratch->pair = gs_arena_take(arena, entry->pair_floats, sizeof(float), "a worker's tile");
    scratch->call = gs_arena_take(arena, gs_evaluate_scratch(entry->root), sizeof(float), "a worker's tile");
    scratch->out = gs_arena_take(arena, entry->outputs * evaluator->data.lanes, sizeof(float), "a worker's tile");
    scratch->partials = gs_arena_take(arena, 2 * entry->outputs * GS_PARTIALS, sizeof(double), "a worker's sums");
    scratch->totals = gs_arena_take(arena, 4 * entry->outputs, sizeof(double), "a worker's sums");
}

static struct gs_tile_context context_of(const struct gs_evaluator *evaluator, size_t tile, const struct gs_slot *slots) {
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
        .tables = evaluator->model->tables};
}

static const float *row_of(const struct gs_evaluator *evaluator, size_t tile) {
    return evaluator->data.tiles == NULL ? NULL : evaluator->data.tiles + tile * evaluator->data.stride;
}

/* The hoisted slices of a tile: the kept ones, or the worker's, computed now. */
static void tile_slices(const struct gs_evaluator *evaluator, struct gs_scratch *scratch, size_t tile, float **run,
                        float **epoch) {
    const struct gs_entry *entry = evaluator->entry;
    if (evaluator->hoisted) {
        *run = evaluator->run + tile * evaluator->run_stride;
        *epoch = evaluator->epoch + tile * evaluator->epoch_stride;
        return;
    }
    *run = scratch->run;
    *epoch = scratch->epoch;
    const struct gs_tile_context context = context_of(evaluator, tile, evaluator->center);
    const float *row = row_of(evaluator, tile);
    if (entry->run) entry->run(&context, entry->root, *run, *epoch, scratch->pair, scratch->call, row, NULL);
    if (entry->epoch) entry->epoch(&context, entry->root, *run, *epoch, scratch->pair, scratch->call, row, NULL);
}

static void run_level(void *argument, size_t worker, size_t tile) {
    const struct gs_evaluator *evaluator = argument;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    const struct gs_tile_context context = context_of(evaluator, tile, evaluator->center);
    evaluator->entry->run(&context, evaluator->entry->root, evaluator->run + tile * evaluator->run_stride,
                          scratch->epoch, scratch->pair, scratch->call, row_of(evaluator, tile), NULL);
}

static void epoch_level(void *argument, size_t worker, size_t tile) {
    const struct gs_evaluator *evaluator = argument;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    const struct gs_tile_context context = context_of(evaluator, tile, evaluator->center);
    evaluator->entry->epoch(&context, evaluator->entry->root, evaluator->run + tile * evaluator->run_stride,
                            evaluator->epoch + tile * evaluator->epoch_stride, scratch->pair, scratch->call,
                            row_of(evaluator, tile), NULL);
}

struct gs_evaluator gs_evaluator_make(struct gs_arena *arena, const struct gs_model *model, const struct gs_entry *entry,
                                      struct gs_pool *pool, struct gs_dataset data, size_t pairs, bool antithetic,
                                      struct gs_noise_store *store, uint64_t hoist_limit) {
    const size_t workers = gs_pool_size(pool);
    struct gs_evaluator evaluator = {
        .model = model, .entry = entry, .pool = pool, .data = data, .pairs = pairs, .antithetic = antithetic,
        .store = store, .run_stride = gs_padded(entry->run_floats), .epoch_stride = gs_padded(entry->epoch_floats)};
    evaluator.blocks = (size_t)((data.rows + GS_BLOCK_ROWS - 1) / GS_BLOCK_ROWS);
    const double bytes = (double)data.tile_count * (double)(evaluator.run_stride + evaluator.epoch_stride) * 4.0;
    evaluator.hoisted = bytes <= (double)hoist_limit;
    if (evaluator.hoisted) {
        const size_t tiles = data.tile_count;
        evaluator.run = gs_arena_take(arena, tiles * evaluator.run_stride, sizeof(float), "run-level values");
        evaluator.epoch = gs_arena_take(arena, tiles * evaluator.epoch_stride, sizeof(float), "epoch-level values");
    }
    evaluator.center = make_slots(arena, model);
    evaluator.scratch = gs_arena_take(arena, workers, sizeof(struct gs_scratch), "the workers");
    for (size_t i = 0; i < workers; i++) make_scratch(arena, &evaluator, &evaluator.scratch[i]);

    /* Splitting a pair needs room for the sums of its blocks; pairs that are split are few. */
    const size_t few = workers * GS_ITEMS_A_WORKER;
    evaluator.most_parts = workers == 1 ? 1 : evaluator.blocks < few ? evaluator.blocks : few;
    if (evaluator.most_parts > 1) {
        const size_t split = pairs < few ? (pairs == 0 ? 1 : pairs) : 1;
        evaluator.block_sums =
            gs_arena_take(arena, 2 * split * evaluator.blocks * entry->outputs, sizeof(double), "the blocks' sums");
        evaluator.counters = gs_arena_take(arena, split, sizeof(atomic_size_t), "the blocks' sums");
    }
    return evaluator;
}

void gs_evaluate_run(struct gs_evaluator *evaluator) {
    if (!evaluator->hoisted || evaluator->entry->run == NULL) return;
    gs_pool_run(evaluator->pool, run_level, evaluator, evaluator->data.tile_count);
}

void gs_evaluate_epoch(struct gs_evaluator *evaluator) {
    if (!evaluator->hoisted || evaluator->entry->epoch == NULL) return;
    gs_pool_run(evaluator->pool, epoch_level, evaluator, evaluator->data.tile_count);
}

/* The noise of the pair: in the store where it is kept (one part of a pair writes it there), else in the scratch. */
static const float *draw_noise(const struct pass *pass, struct gs_scratch *scratch, size_t pair, size_t part) {
    const struct gs_noise_store *store = pass->evaluator->store;
    float *noise = pair < store->pairs && part == 0 ? store->noise + pair * store->stride : scratch->noise;
    gs_model_draw(pass->evaluator->model, pass->draw.seed, pass->draw.epoch, pair, noise);
    return noise;
}

/* The member's own weights of parameter p, whose noise is in the slot already. */
static void materialise(const struct gs_model *model, size_t p, struct gs_slot *slot, float *weights) {
    float *out = weights + model->weights_at[p];
    slot->wp = out;
    gs_member_parameter(model, p, slot, out);
}

static void fill_slots(const struct pass *pass, struct gs_scratch *scratch, const float *noise) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const struct gs_model *model = evaluator->model;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (!gs_model_trains(model, p)) continue;
        struct gs_slot *plus = &scratch->plus[p], *minus = &scratch->minus[p];
        gs_member_slots(model, pass->draw.sigma, p, noise, plus, minus);
        if (!(model->program->parameters[p].forms & GS_FORM_MATERIALISED)) continue;
        materialise(model, p, plus, scratch->plus_weights);
        if (evaluator->antithetic) materialise(model, p, minus, scratch->minus_weights);
    }
}

static enum gs_batch_op op_of(const struct gs_entry *entry, size_t k) {
    return entry->ops == NULL ? GS_BATCH_SUM : entry->ops[k % entry->outputs];
}

/* Results [2][outputs][each] as they are before the first row. */
static void clear(const struct gs_entry *entry, double *results, size_t each) {
    for (size_t k = 0; k < 2 * entry->outputs; k++) {
        for (size_t i = 0; i < each; i++) results[k * each + i] = gs_batch_first(op_of(entry, k));
    }
}

/* totals[2][outputs] with the results of one more block. */
static void take_block(const struct gs_entry *entry, double *totals, const double *block) {
    for (size_t k = 0; k < 2 * entry->outputs; k++) totals[k] = gs_batch_apply(op_of(entry, k), totals[k], block[k]);
}

/* One member's part of a tile: its row values, added to its partial sums. */
static void member_tile(const struct gs_evaluator *evaluator, struct gs_scratch *scratch, struct gs_tile_context *context,
                        const struct gs_slot *slots, float *run, float *epoch, size_t tile, double *partials) {
    const struct gs_entry *entry = evaluator->entry;
    const size_t lanes = evaluator->data.lanes;
    context->slots = slots;
    entry->member(context, entry->root, run, epoch, scratch->pair, scratch->call, row_of(evaluator, tile), scratch->out);
    for (size_t k = 0; k < entry->outputs; k++) {
        gs_batch_add(op_of(entry, k), partials + k * GS_PARTIALS, scratch->out + k * lanes, lanes, context->live,
                     (size_t)(context->first_row % GS_BLOCK_ROWS));
    }
}

/* The sums over one block of rows, for + (and -), into sums[2][outputs]. */
static void sum_block(const struct pass *pass, struct gs_scratch *scratch, size_t pair, size_t block, double *sums) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const struct gs_entry *entry = evaluator->entry;
    const size_t tiles = GS_BLOCK_ROWS / evaluator->data.lanes;
    const size_t first = block * tiles;
    const size_t end = first + tiles < evaluator->data.tile_count ? first + tiles : evaluator->data.tile_count;
    const bool both = evaluator->antithetic && !pass->center;
    const struct gs_slot *plus = pass->center ? evaluator->center : scratch->plus;
    double *minus_partials = scratch->partials + entry->outputs * GS_PARTIALS;
    clear(entry, scratch->partials, GS_PARTIALS);
    for (size_t tile = first; tile < end; tile++) {
        float *run, *epoch;
        tile_slices(evaluator, scratch, tile, &run, &epoch);
        struct gs_tile_context context = context_of(evaluator, tile, plus);
        if (entry->pair) {
            entry->pair(&context, entry->root, run, epoch, scratch->pair, scratch->call, row_of(evaluator, tile), NULL);
        }
        if (!pass->center) context.member = both ? 2 * pair : pair;
        member_tile(evaluator, scratch, &context, plus, run, epoch, tile, scratch->partials);
        if (both) context.member++;
        if (both) member_tile(evaluator, scratch, &context, scratch->minus, run, epoch, tile, minus_partials);
    }
    for (size_t k = 0; k < 2 * entry->outputs; k++) {
        sums[k] = gs_batch_combine(op_of(entry, k), scratch->partials + k * GS_PARTIALS);
    }
}

/* Scores of the pair's members from their totals[2][outputs]. */
static void finish(const struct pass *pass, const struct gs_scratch *scratch, size_t pair, const double *totals) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const struct gs_entry *entry = evaluator->entry;
    const bool both = evaluator->antithetic && !pass->center;
    const struct gs_slot *plus = pass->center ? evaluator->center : scratch->plus;
    const uint64_t rows = evaluator->data.rows;
    struct gs_tile_context context = context_of(evaluator, 0, plus);
    pass->scores[both ? 2 * pair : pair] = entry->finish(&context, entry->root, scratch->call, totals, rows);
    if (!both) return;
    context.slots = scratch->minus;
    pass->scores[2 * pair + 1] = entry->finish(&context, entry->root, scratch->call, totals + entry->outputs, rows);
}

/* A part of a pair: its blocks' sums go to the shared table, and whoever finishes last adds them up, in order. */
static void evaluate_part(const struct pass *pass, struct gs_scratch *scratch, size_t pair, size_t part) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const size_t blocks = evaluator->blocks, width = 2 * evaluator->entry->outputs;
    double *sums = evaluator->block_sums + pair * blocks * width;
    for (size_t b = blocks * part / pass->parts; b < blocks * (part + 1) / pass->parts; b++) {
        sum_block(pass, scratch, pair, b, sums + b * width);
    }
    atomic_size_t *left = (atomic_size_t *)evaluator->counters + pair;
    if (atomic_fetch_sub_explicit(left, 1, memory_order_acq_rel) != 1) return;
    clear(evaluator->entry, scratch->totals, 1);
    for (size_t b = 0; b < blocks; b++) take_block(evaluator->entry, scratch->totals, sums + b * width);
    finish(pass, scratch, pair, scratch->totals);
}

static void evaluate_item(void *argument, size_t worker, size_t item) {
    const struct pass *pass = argument;
    const struct gs_evaluator *evaluator = pass->evaluator;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    const size_t pair = item / pass->parts, part = item % pass->parts;
    const size_t width = 2 * evaluator->entry->outputs;
    if (!pass->center) fill_slots(pass, scratch, draw_noise(pass, scratch, pair, part));
    if (pass->parts > 1) {
        evaluate_part(pass, scratch, pair, part);
        return;
    }
    double *block_sums = scratch->totals + width;
    clear(evaluator->entry, scratch->totals, 1);
    for (size_t b = 0; b < evaluator->blocks; b++) {
        sum_block(pass, scratch, pair, b, block_sums);
        take_block(evaluator->entry, scratch->totals, block_sums);
    }
    finish(pass, scratch, pair, scratch->totals);
}

static void run_pass(struct pass *pass, size_t pairs) {
    struct gs_evaluator *evaluator = pass->evaluator;
    const size_t items = gs_pool_size(evaluator->pool) * GS_ITEMS_A_WORKER;
    pass->parts = pairs < items ? (items + pairs - 1) / pairs : 1;
    if (pass->parts > evaluator->most_parts) pass->parts = evaluator->most_parts;
    for (size_t i = 0; pass->parts > 1 && i < pairs; i++) {
        atomic_store_explicit((atomic_size_t *)evaluator->counters + i, pass->parts, memory_order_relaxed);
    }
    gs_pool_run(evaluator->pool, evaluate_item, pass, pairs * pass->parts);
}

void gs_evaluate_population(struct gs_evaluator *evaluator, struct gs_draw draw, double *scores) {
    if (evaluator->rollout != NULL) {
        gs_rollout_population(evaluator->rollout, evaluator, draw, scores);
        return;
    }
    struct pass pass = {.evaluator = evaluator, .draw = draw, .scores = scores};
    run_pass(&pass, evaluator->pairs);
}

double gs_evaluate_center(struct gs_evaluator *evaluator) {
    double score;
    struct pass pass = {.evaluator = evaluator, .center = true, .scores = &score};
    run_pass(&pass, 1);
    return score;
}

const float *gs_evaluate_tile(struct gs_evaluator *evaluator, size_t tile) {
    const struct gs_entry *entry = evaluator->entry;
    struct gs_scratch *scratch = &evaluator->scratch[0];
    float *run, *epoch;
    tile_slices(evaluator, scratch, tile, &run, &epoch);
    const struct gs_tile_context context = context_of(evaluator, tile, evaluator->center);
    const float *row = row_of(evaluator, tile);
    if (entry->pair) entry->pair(&context, entry->root, run, epoch, scratch->pair, scratch->call, row, NULL);
    entry->member(&context, entry->root, run, epoch, scratch->pair, scratch->call, row, scratch->out);
    return scratch->out;
}
