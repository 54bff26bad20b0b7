/* gs_evaluate.c -- see the header. A worker's scratch holds the noise and the perturbed weights of the pair it works on;
 * all of it is taken before training, and nothing that two workers write shares a cache line. */
#include "gs_evaluate.h"

#include <stdatomic.h>
#include <string.h>

#include "gs_levels.h"
#include "gs_rollout.h"

#define GS_ITEMS_A_WORKER 4 /* fewer pairs than this times the workers: split their rows */

/* One job of the pool over the members: the population, or the mean weights as the only one. */
struct job {
    struct gs_evaluator *evaluator;
    struct gs_draw draw;
    bool center;
    size_t parts;  /* of a pair */
    size_t number; /* parts of pairs: the pass that this job goes through */
    double *scores; /* NULL: only what the passes reduce is wanted */
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
        slots[p] = (struct gs_slot){.w = w, .e = model->zeros, .a = model->zeros, .b = model->zeros, .wp = w,
                                    .bf16 = model->bf16[p]};
    }
    return slots;
}

static struct gs_sums make_sums(struct gs_arena *arena, size_t reductions) {
    return (struct gs_sums){gs_arena_take(arena, 2 * reductions, sizeof(double), "a worker's sums"),
                            gs_arena_take(arena, 2 * reductions, sizeof(float), "a worker's sums")};
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
    scratch->kept = gs_arena_take(arena, 2 * evaluator->kept_stride, sizeof(float), "a worker's tile");
    scratch->out = gs_arena_take(arena, entry->outputs * evaluator->data.lanes, sizeof(float), "a worker's tile");
    const size_t reductions = evaluator->reductions;
    scratch->partials = gs_arena_take(arena, 2 * reductions * GS_PARTIALS, sizeof(double), "a worker's sums");
    scratch->block = gs_arena_take(arena, 2 * reductions, sizeof(double), "a worker's sums");
    scratch->sums = make_sums(arena, reductions);
}

struct gs_passes gs_evaluate_passes(struct gs_arena *arena, const struct gs_entry *entry) {
    if (entry->passes) return *entry->passes;
    struct gs_pass *list = gs_arena_take(arena, 3, sizeof *list, "the passes");
    list[0].function = entry->run;
    list[1].function = entry->epoch;
    list[2] = (struct gs_pass){entry->member, 0, entry->outputs};
    return (struct gs_passes){{list, 1}, {list + 1, 1}, {list + 2, 1}, entry->outputs, 0};
}

/* Room for what passes over the members leave for later ones, for `keepers` pairs at a time, if `room` bytes hold it. */
static void keep_passes(struct gs_arena *arena, struct gs_evaluator *evaluator, size_t keepers, double room) {
    if (evaluator->passes.member.count < 2) return;
    evaluator->tile_stride = gs_padded(evaluator->entry->pair_floats) + 2 * evaluator->kept_stride;
    const size_t places = keepers * evaluator->data.tile_count;
    if ((double)places * (double)evaluator->tile_stride * 4.0 > room) return;
    evaluator->kept = gs_arena_take(arena, places * evaluator->tile_stride, sizeof(float), "values kept between passes");
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
    evaluator.passes = gs_evaluate_passes(arena, entry);
    evaluator.reductions = evaluator.passes.reductions;
    evaluator.kept_stride = gs_padded(evaluator.passes.kept_floats);
    evaluator.outer = make_sums(arena, evaluator.reductions);
    evaluator.outer_blocks =
        gs_arena_take(arena, entry->passes ? evaluator.blocks * evaluator.reductions : 0, sizeof(double), "sums");
    evaluator.center = make_slots(arena, model);
    evaluator.scratch = gs_arena_take(arena, workers, sizeof(struct gs_scratch), "the workers");
    for (size_t i = 0; i < workers; i++) make_scratch(arena, &evaluator, &evaluator.scratch[i]);

    /* Splitting a pair needs room for the sums of its blocks; pairs that are split are few. */
    const size_t few = workers * GS_ITEMS_A_WORKER;
    const size_t split = pairs < few ? (pairs == 0 ? 1 : pairs) : 1;
    evaluator.most_parts = workers == 1 ? 1 : evaluator.blocks < few ? evaluator.blocks : few;
    if (evaluator.most_parts > 1) {
        evaluator.block_sums = gs_arena_take(arena, 2 * split * evaluator.blocks * evaluator.reductions, sizeof(double),
                                             "the blocks' sums");
        evaluator.counters = gs_arena_take(arena, split, sizeof(atomic_size_t), "the blocks' sums");
    }
    evaluator.pair_sums = gs_arena_take(arena, split, sizeof *evaluator.pair_sums, "the pairs' sums");
    for (size_t i = 0; i < split; i++) evaluator.pair_sums[i] = make_sums(arena, evaluator.reductions);
    keep_passes(arena, &evaluator, evaluator.most_parts > 1 && split > workers ? split : workers,
                (double)hoist_limit - bytes);
    return evaluator;
}

/* The noise of the pair: in the store where it is kept (one part of a pair writes it there), else in the scratch. */
static const float *draw_noise(const struct job *job, struct gs_scratch *scratch, size_t pair, size_t part) {
    const struct gs_noise_store *store = job->evaluator->store;
    float *noise = pair < store->pairs && part == 0 ? store->noise + pair * store->stride : scratch->noise;
    gs_model_draw(job->evaluator->model, job->draw.seed, job->draw.epoch, pair, noise);
    return noise;
}

/* The member's own weights of parameter p, whose noise is in the slot already. */
static void materialise(const struct gs_model *model, size_t p, struct gs_slot *slot, float *weights) {
    float *out = weights + model->weights_at[p];
    slot->wp = out;
    gs_member_parameter(model, p, slot, out);
}

static void fill_slots(const struct job *job, struct gs_scratch *scratch, const float *noise) {
    const struct gs_evaluator *evaluator = job->evaluator;
    const struct gs_model *model = evaluator->model;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (!gs_model_trains(model, p)) continue;
        struct gs_slot *plus = &scratch->plus[p], *minus = &scratch->minus[p];
        gs_member_slots(model, job->draw.sigma, p, noise, plus, minus);
        if (!(model->program->parameters[p].forms & GS_FORM_MATERIALISED)) continue;
        materialise(model, p, plus, scratch->plus_weights);
        if (evaluator->antithetic) materialise(model, p, minus, scratch->minus_weights);
    }
}

/* The results of a pass before the first row: `each` numbers of each of its reductions, for both members. */
static void clear(const struct gs_evaluator *evaluator, const struct gs_pass *pass, double *results, size_t each) {
    for (size_t member = 0; member < 2; member++) {
        for (size_t k = pass->first; k < pass->first + pass->count; k++) {
            double *mine = results + (member * evaluator->reductions + k) * each;
            for (size_t i = 0; i < each; i++) mine[i] = gs_batch_first(gs_levels_op(evaluator, k));
        }
    }
}

/* totals[2][reductions] with the results of one more block. */
static void take_block(const struct gs_evaluator *evaluator, const struct gs_pass *pass, double *totals,
                       const double *block) {
    for (size_t member = 0; member < 2; member++) {
        for (size_t k = pass->first; k < pass->first + pass->count; k++) {
            const size_t at = member * evaluator->reductions + k;
            totals[at] = gs_batch_apply(gs_levels_op(evaluator, k), totals[at], block[at]);
        }
    }
}

/* Sums with what is known before the members are, for both. */
static void begin_sums(const struct gs_evaluator *evaluator, struct gs_sums sums) {
    const size_t count = evaluator->reductions;
    for (size_t member = 0; member < 2; member++) {
        memcpy(sums.totals + member * count, evaluator->outer.totals, count * sizeof(double));
        memcpy(sums.reduced + member * count, evaluator->outer.reduced, count * sizeof(float));
    }
}

/* What later passes see of the results of one that has ended. */
static void end_pass(const struct gs_evaluator *evaluator, const struct gs_pass *pass, struct gs_sums sums) {
    for (size_t member = 0; member < 2; member++) {
        for (size_t k = pass->first; k < pass->first + pass->count; k++) {
            const size_t at = member * evaluator->reductions + k;
            sums.reduced[at] = gs_batch_result(gs_levels_op(evaluator, k), sums.totals[at], evaluator->data.rows);
        }
    }
}

/* Pass `number` over one block of rows, for + (and -): its results into block_sums[2][reductions]. `keeper` is the place
 * in the table of what passes leave for later ones; where there is none, the passes before it are gone through again. */
static void sum_block(const struct job *job, struct gs_scratch *scratch, struct gs_sums sums, size_t pair, size_t keeper,
                      size_t block, size_t number, double *block_sums) {
    const struct gs_evaluator *evaluator = job->evaluator;
    const struct gs_entry *entry = evaluator->entry;
    const struct gs_pass *pass = &evaluator->passes.member.list[number];
    const size_t tiles = GS_BLOCK_ROWS / evaluator->data.lanes, tile_count = evaluator->data.tile_count;
    const bool both = evaluator->antithetic && !job->center;
    const struct gs_slot *const slots[2] = {job->center ? evaluator->center : scratch->plus, scratch->minus};
    clear(evaluator, pass, scratch->partials, GS_PARTIALS);
    for (size_t tile = block * tiles; tile < (block + 1) * tiles && tile < tile_count; tile++) {
        float *run, *epoch, *pair_slice = scratch->pair, *kept = scratch->kept;
        gs_levels_slices(evaluator, scratch, tile, &run, &epoch);
        if (evaluator->kept != NULL) {
            pair_slice = evaluator->kept + (keeper * tile_count + tile) * evaluator->tile_stride;
            kept = pair_slice + gs_padded(entry->pair_floats);
        }
        const float *row = gs_levels_row(evaluator, tile);
        struct gs_tile_context context = gs_levels_context(evaluator, tile, slots[0]);
        if (entry->pair && (evaluator->kept == NULL || number == 0)) {
            entry->pair(&context, entry->root, run, epoch, pair_slice, scratch->call, row, NULL);
        }
        for (size_t member = 0; member < (both ? 2 : 1); member++) {
            if (!job->center) context.member = both ? 2 * pair + member : pair;
            context.slots = slots[member];
            context.reduced = sums.reduced + member * evaluator->reductions;
            context.kept = kept + member * evaluator->kept_stride;
            gs_levels_call(evaluator, scratch, &context, &evaluator->passes.member,
                           evaluator->kept == NULL ? 0 : number, number + 1, run, epoch, pair_slice, row);
            gs_levels_add(evaluator, scratch, &context, pass,
                          scratch->partials + member * evaluator->reductions * GS_PARTIALS);
        }
    }
    for (size_t member = 0; member < 2; member++) {
        for (size_t k = pass->first; k < pass->first + pass->count; k++) {
            const size_t at = member * evaluator->reductions + k;
            block_sums[at] = gs_batch_combine(gs_levels_op(evaluator, k), scratch->partials + at * GS_PARTIALS);
        }
    }
}

/* Scores of the pair's members from their totals. */
static void finish(const struct job *job, const struct gs_scratch *scratch, size_t pair, const double *totals) {
    const struct gs_evaluator *evaluator = job->evaluator;
    const struct gs_entry *entry = evaluator->entry;
    if (job->scores == NULL) return;
    const bool both = evaluator->antithetic && !job->center;
    const struct gs_slot *plus = job->center ? evaluator->center : scratch->plus;
    const uint64_t rows = evaluator->data.rows;
    struct gs_tile_context context = gs_levels_context(evaluator, 0, plus);
    job->scores[both ? 2 * pair : pair] = entry->finish(&context, entry->root, scratch->call, totals, rows);
    if (!both) return;
    context.slots = scratch->minus;
    job->scores[2 * pair + 1] =
        entry->finish(&context, entry->root, scratch->call, totals + evaluator->reductions, rows);
}

/* A part of a pair in one pass: its blocks' results go to the shared table, and whoever finishes last adds them up, in
 * order, and after the last pass makes the scores of them. */
static void evaluate_part(const struct job *job, struct gs_scratch *scratch, size_t pair, size_t part) {
    const struct gs_evaluator *evaluator = job->evaluator;
    const struct gs_pass *pass = &evaluator->passes.member.list[job->number];
    const size_t blocks = evaluator->blocks, width = 2 * evaluator->reductions;
    const struct gs_sums sums = evaluator->pair_sums[pair];
    double *block_sums = evaluator->block_sums + pair * blocks * width;
    for (size_t b = blocks * part / job->parts; b < blocks * (part + 1) / job->parts; b++) {
        sum_block(job, scratch, sums, pair, pair, b, job->number, block_sums + b * width);
    }
    atomic_size_t *left = (atomic_size_t *)evaluator->counters + pair;
    if (atomic_fetch_sub_explicit(left, 1, memory_order_acq_rel) != 1) return;
    clear(evaluator, pass, sums.totals, 1);
    for (size_t b = 0; b < blocks; b++) take_block(evaluator, pass, sums.totals, block_sums + b * width);
    end_pass(evaluator, pass, sums);
    if (job->number + 1 == evaluator->passes.member.count) finish(job, scratch, pair, sums.totals);
}

static void evaluate_item(void *argument, size_t worker, size_t item) {
    const struct job *job = argument;
    const struct gs_evaluator *evaluator = job->evaluator;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    const size_t pair = item / job->parts, part = item % job->parts;
    if (!job->center) fill_slots(job, scratch, draw_noise(job, scratch, pair, part));
    if (job->parts > 1) {
        evaluate_part(job, scratch, pair, part);
        return;
    }
    const struct gs_sums sums = job->scores == NULL ? evaluator->pair_sums[0] : scratch->sums;
    begin_sums(evaluator, sums);
    for (size_t p = 0; p < evaluator->passes.member.count; p++) {
        const struct gs_pass *pass = &evaluator->passes.member.list[p];
        if (pass->count == 0) continue;
        clear(evaluator, pass, sums.totals, 1);
        for (size_t b = 0; b < evaluator->blocks; b++) {
            sum_block(job, scratch, sums, pair, worker, b, p, scratch->block);
            take_block(evaluator, pass, sums.totals, scratch->block);
        }
        end_pass(evaluator, pass, sums);
    }
    finish(job, scratch, pair, sums.totals);
}

static void run_job(struct job *job, size_t pairs) {
    struct gs_evaluator *evaluator = job->evaluator;
    const size_t items = gs_pool_size(evaluator->pool) * GS_ITEMS_A_WORKER;
    const size_t passes = evaluator->passes.member.count;
    job->parts = pairs < items ? (items + pairs - 1) / pairs : 1;
    if (job->parts > evaluator->most_parts) job->parts = evaluator->most_parts;
    if (job->parts <= 1 || passes == 0) {
        job->parts = 1;
        gs_pool_run(evaluator->pool, evaluate_item, job, pairs);
        return;
    }
    for (size_t i = 0; i < pairs; i++) begin_sums(evaluator, evaluator->pair_sums[i]);
    for (job->number = 0; job->number < passes; job->number++) {
        if (evaluator->passes.member.list[job->number].count == 0) continue;
        for (size_t i = 0; i < pairs; i++) {
            atomic_store_explicit((atomic_size_t *)evaluator->counters + i, job->parts, memory_order_relaxed);
        }
        gs_pool_run(evaluator->pool, evaluate_item, job, pairs * job->parts);
    }
}

void gs_evaluate_population(struct gs_evaluator *evaluator, struct gs_draw draw, double *scores) {
    if (evaluator->rollout != NULL) {
        gs_rollout_population(evaluator->rollout, evaluator, draw, scores);
        return;
    }
    struct job job = {.evaluator = evaluator, .draw = draw, .scores = scores};
    run_job(&job, evaluator->pairs);
}

double gs_evaluate_center(struct gs_evaluator *evaluator) {
    double score;
    struct job job = {.evaluator = evaluator, .center = true, .scores = &score};
    run_job(&job, 1);
    return score;
}

void gs_evaluate_reductions(struct gs_evaluator *evaluator) {
    struct job job = {.evaluator = evaluator, .center = true};
    run_job(&job, 1);
}

const float *gs_evaluate_tile(struct gs_evaluator *evaluator, size_t worker, size_t tile) {
    const struct gs_entry *entry = evaluator->entry;
    const struct gs_level_passes *member = &evaluator->passes.member;
    struct gs_scratch *scratch = &evaluator->scratch[worker];
    float *run, *epoch;
    gs_levels_slices(evaluator, scratch, tile, &run, &epoch);
    struct gs_tile_context context = gs_levels_context(evaluator, tile, evaluator->center);
    if (entry->passes) context.reduced = evaluator->pair_sums[0].reduced;
    context.kept = scratch->kept;
    const float *row = gs_levels_row(evaluator, tile);
    if (entry->pair) entry->pair(&context, entry->root, run, epoch, scratch->pair, scratch->call, row, NULL);
    gs_levels_call(evaluator, scratch, &context, member, 0, member->count, run, epoch, scratch->pair, row);
    return entry->passes ? scratch->out + evaluator->reductions * evaluator->data.lanes : scratch->out;
}
