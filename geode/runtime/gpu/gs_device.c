/* gs_device.c -- an epoch on a GPU: one batch of dispatches from the members to the new weights; more where one would keep
 * the device busy for too long. Scores, block sums of squares and, where the host asks, weights come back; nothing else. */
#include "../gs_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gs_fail.h"
#include "gs_generation.h"

static size_t entry_kernel(struct gs_device_run *run, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "%s_%" PRIu32, name, run->stage.entry->number);
    return run->device->api->kernel(run->gpu, full);
}

static void find_kernels(struct gs_device_run *run) {
    const struct gs_gpu_api *api = run->device->api;
    struct gs_kernels *k = &run->kernels;
    k->prepare = entry_kernel(run, "gs_prepare");
    k->members = entry_kernel(run, "gs_members");
    k->score = entry_kernel(run, "gs_score");
    k->shape = api->kernel(run->gpu, "gs_shape");
    k->standardise = api->kernel(run->gpu, "gs_standardise");
    k->estimate = api->kernel(run->gpu, "gs_estimate");
    k->update = api->kernel(run->gpu, "gs_update");
    k->update_muon = api->kernel(run->gpu, "gs_update_muon");
    k->momentum = api->kernel(run->gpu, "gs_momentum");
    k->begin = api->kernel(run->gpu, "gs_begin");
    k->multiply = api->kernel(run->gpu, "gs_multiply");
}

/* Stages share it, as the kernels of all of them are one text; buffers that a stage does not need wait for the next. */
static struct gs_gpu *opened;

static struct gs_device_run *device_begin(const struct gs_device *device, const struct gs_device_stage *stage) {
    struct gs_device_run *run = gs_arena_take(stage->arena, 1, sizeof *run, "the device");
    run->device = device;
    run->stage = *stage;
    if (opened == NULL) {
        opened = device->api->open(device->text);
        printf("device %s: %s\n", device->api->name, device->api->device(opened));
    }
    run->gpu = opened;
    gs_generation_place(run);
    find_kernels(run);
    return run;
}

/* Dispatches `kernel` with a thread an item, as many as are worth it; threads go on to further items. */
static void dispatch(struct gs_device_run *run, size_t kernel, size_t items) {
    size_t groups = (items + GS_GROUP - 1) / GS_GROUP;
    if (groups > run->most_groups) groups = run->most_groups;
    if (groups == 0) return;
    run->args.groups = (uint32_t)groups;
    run->device->api->dispatch(run->gpu, kernel, groups, &run->args);
}

static void dispatch_groups(struct gs_device_run *run, size_t kernel, size_t groups) { dispatch(run, kernel, groups * GS_GROUP); }

/* Passes of the outer levels: a level's from the first to before the second. */
struct outer {
    uint32_t run_from, run_to, epoch_from, epoch_to;
};
static const struct outer no_outer;

/* The noise of `pairs` pairs at work, members' own weights if `owns`, and passes of each row's outer levels. */
static void prepare(struct gs_device_run *run, size_t pairs, bool owns, struct outer outer) {
    struct gs_args *args = &run->args;
    const bool some = outer.run_to > outer.run_from || outer.epoch_to > outer.epoch_from;
    const size_t rows = some ? (size_t)args->tiles * run->stage.data.lanes : 0;
    const size_t draws = pairs * (owns ? args->parameters * (size_t)GS_GROUP : args->draw_items);
    args->draw_pairs = (uint32_t)pairs;
    args->owns = owns;
    args->run_from = outer.run_from;
    args->run_to = outer.run_to;
    args->epoch_from = outer.epoch_from;
    args->epoch_to = outer.epoch_to;
    dispatch(run, run->kernels.prepare, rows > draws ? rows : draws);
}

/* The results of what a pass reduces, of `members`; after the last pass their scores. */
static void reduce(struct gs_device_run *run, const struct gs_pass *pass, size_t members, bool outer, bool last) {
    run->args.pass_first = (uint32_t)pass->first;
    run->args.pass_count = (uint32_t)pass->count;
    run->args.outer = outer;
    run->args.last_pass = last;
    dispatch(run, run->kernels.score, members * GS_BATCH_PARTS);
}

/* The passes of a level that is the same for all members. Where its values are not kept, only for what is reduced. */
static void go_through(struct gs_device_run *run, const struct gs_level_passes *level, bool epoch) {
    const bool hoisted = run->args.hoisted != 0;
    for (uint32_t p = 0; p < level->count; p++) {
        const struct gs_pass *pass = &level->list[p];
        if (pass->count == 0 && (pass->function == NULL || !hoisted)) continue;
        const uint32_t from = hoisted ? p : 0;
        const struct outer of_run = {.run_from = from, .run_to = p + 1};
        const struct outer of_epoch = {.run_to = hoisted ? 0 : GS_ALL, .epoch_from = from, .epoch_to = p + 1};
        prepare(run, 0, false, epoch ? of_epoch : of_run);
        if (pass->count > 0) reduce(run, pass, run->args.slots, true, false);
    }
}

/* What is the same for all members: gone through here where it has several passes; else what `prepare` is to compute. */
static struct outer hoist(struct gs_device_run *run) {
    const struct gs_entry *entry = run->stage.entry;
    if (entry->passes) {
        if (run->fresh) go_through(run, &run->passes.run, false);
        go_through(run, &run->passes.epoch, true);
        return no_outer;
    }
    if (!run->args.hoisted) return no_outer;
    return (struct outer){.run_to = run->fresh && entry->run != NULL, .epoch_to = entry->epoch != NULL};
}

/* Scores of the pairs at work, and of the mean weights if args.center: a pass after the other, the last one ends in scores. */
static void score(struct gs_device_run *run) {
    const struct gs_args *args = &run->args;
    const struct gs_level_passes *level = &run->passes.member;
    const struct gs_pass none = {NULL, 0, 0};
    const size_t signs = run->stage.antithetic ? 2 : 1, members = args->some_pairs * signs + args->center;
    const size_t threads = (args->some_pairs + args->center) * (size_t)args->tiles * run->stage.data.lanes;
    size_t count = level->count;
    while (count > 0 && level->list[count - 1].count == 0) count--; /* nothing sees what they compute */
    for (size_t p = 0; p < count; p++) {
        if (level->list[p].count == 0) continue;
        run->args.pass = (uint32_t)p;
        dispatch(run, run->kernels.members, threads);
        reduce(run, &level->list[p], members, false, p + 1 == count);
    }
    if (count == 0) reduce(run, &none, members, false, true);
}

static void choose_pairs(struct gs_device_run *run, size_t first) {
    const size_t left = run->stage.pairs - first;
    run->args.first_pair = (uint32_t)first;
    run->args.some_pairs = (uint32_t)(left < run->chunk ? left : run->chunk);
}

static void finish(struct gs_device_run *run, uint64_t epoch) {
    char what[40];
    snprintf(what, sizeof what, "epoch %" PRIu64, epoch);
    run->device->api->finish(run->gpu, what);
}

/* Ends a batch of dispatches in the middle of an epoch where it has come to enough. */
static void breathe(struct gs_device_run *run, uint64_t epoch, size_t *pairs) {
    *pairs += run->args.some_pairs;
    if (*pairs < run->batch) return;
    *pairs = 0;
    finish(run, epoch);
    run->device->api->begin(run->gpu);
}

static void score_population(struct gs_device_run *run, const struct gs_device_epoch *epoch) {
    const struct outer hoisted = hoist(run);
    size_t pairs = 0;
    for (size_t first = 0; first < run->stage.pairs; first += run->chunk) {
        const bool last = run->stage.pairs - first <= run->chunk;
        choose_pairs(run, first);
        prepare(run, run->args.some_pairs, run->owns, first == 0 ? hoisted : no_outer);
        run->args.center = last && epoch->center;
        score(run);
        if (!last) breathe(run, epoch->number, &pairs);
    }
    run->args.center = 0;
}

static void estimate(struct gs_device_run *run, uint64_t epoch) {
    size_t pairs = 0;
    if (run->stage.settings->shaping == GS_SHAPING_ZSCORE) {
        dispatch_groups(run, run->kernels.standardise, 1);
    } else {
        dispatch(run, run->kernels.shape, run->stage.pairs);
    }
    for (size_t first = 0; first < run->stage.pairs; first += run->chunk) {
        const bool last = run->stage.pairs - first <= run->chunk;
        choose_pairs(run, first);
        if (run->chunk < run->stage.pairs) prepare(run, run->args.some_pairs, false, no_outer);
        run->args.last_pairs = last;
        dispatch_groups(run, run->kernels.estimate, run->blocks.count);
        if (!last) breathe(run, epoch, &pairs);
    }
}

/* One product of MUON. */
static void multiply(struct gs_device_run *run, size_t left, size_t right, size_t rows, size_t inner, size_t columns,
                     bool transposed, uint32_t target) {
    struct gs_args *args = &run->args;
    args->left = (uint32_t)left;
    args->right = (uint32_t)right;
    args->m_rows = (uint32_t)rows;
    args->m_inner = (uint32_t)inner;
    args->m_columns = (uint32_t)columns;
    args->transposed = transposed;
    args->target = target;
    const size_t across = (columns + GS_TILE_SIDE - 1) / GS_TILE_SIDE, down = (rows + GS_TILE_SIDE - 1) / GS_TILE_SIDE;
    dispatch_groups(run, run->kernels.multiply, across * down);
}

static void orthogonalise(struct gs_device_run *run, const struct gs_muon_matrix *matrix) {
    const uint32_t *row = run->table + matrix->parameter * GS_PARAMETER_WORDS;
    const size_t m = row[GS_P_M], n = row[GS_P_N], rows = m < n ? m : n, columns = m < n ? n : m;
    const uint64_t steps = run->stage.settings->muon_steps;
    struct gs_args *args = &run->args;
    /* X and the other one take turns, so that the last is where the update looks. */
    size_t x = steps % 2 == 0 ? matrix->x : matrix->other, other = steps % 2 == 0 ? matrix->other : matrix->x;
    args->parameter = (uint32_t)matrix->parameter;
    args->left = (uint32_t)matrix->first_block;
    args->right = (uint32_t)matrix->blocks;
    args->muon_x = (uint32_t)x;
    args->muon_a = (uint32_t)matrix->a;
    args->muon_y = (uint32_t)matrix->y;
    dispatch(run, run->kernels.begin, m * n);
    for (uint64_t step = 0; step < steps; step++) {
        args->muon_x = (uint32_t)x;
        args->muon_other = (uint32_t)other;
        multiply(run, x, x, rows, columns, rows, true, 0);
        multiply(run, matrix->a, matrix->a, rows, rows, rows, false, 1);
        multiply(run, matrix->y, x, rows, rows, columns, false, 2);
        const size_t swap = x;
        x = other;
        other = swap;
    }
}

static void set_update(struct gs_device_run *run, double alpha) {
    const struct gs_update_factors f = gs_update_factors(run->stage.settings, run->stage.optimizer, alpha);
    struct gs_args *args = &run->args;
    args->decay = f.decay;
    args->alpha = f.alpha;
    args->beta = f.beta;
    args->kept = f.kept;
    args->epsilon = f.epsilon;
    args->beta1 = f.beta1;
    args->kept1 = f.kept1;
    args->beta2 = f.beta2;
    args->kept2 = f.kept2;
    args->correction1 = f.correction1;
    args->correction2 = f.correction2;
}

static void update(struct gs_device_run *run) {
    if (run->muon_count > 0 && !run->muon_wide) {
        dispatch_groups(run, run->kernels.update_muon, run->muon_count + run->blocks.count);
        return;
    }
    if (run->muon_count > 0) dispatch_groups(run, run->kernels.momentum, run->blocks.count);
    for (size_t k = 0; k < run->muon_count; k++) orthogonalise(run, &run->muon[k]);
    dispatch_groups(run, run->kernels.update, run->blocks.count);
}

static struct gs_words64 split(uint64_t x) { return (struct gs_words64){(uint32_t)x, (uint32_t)(x >> 32)}; }

static void set_draw(struct gs_device_run *run, const struct gs_draw *draw) {
    const double rank = (double)run->stage.model->rank, members = (double)run->stage.settings->population;
    struct gs_args *args = &run->args;
    args->ss_dense = (float)draw->sigma;
    args->ss_factored = (float)(draw->sigma / __builtin_sqrt(rank));
    args->scale_dense = (float)(1.0 / (members * draw->sigma * __builtin_sqrt(1.0)));
    args->scale_factored = (float)(1.0 / (members * draw->sigma * __builtin_sqrt(rank)));
    args->noise_epoch = split(draw->epoch);
}

/* The square root of the blocks' sums of squares, part `part` of them. */
static double norm(struct gs_device_run *run, size_t part) {
    const size_t count = run->blocks.count, at = run->args.blocks_at + part * count;
    double sum = 0.0;
    run->device->api->read(run->gpu, GS_ROLE_SCORES, at * sizeof(double), run->block_sums, count * sizeof(double));
    for (size_t b = 0; b < count; b++) sum += run->block_sums[b];
    return __builtin_sqrt(sum);
}

static void device_epoch(struct gs_device_run *run, const struct gs_device_epoch *epoch, double *scores,
                         struct gs_device_result *result) {
    const struct gs_gpu_api *api = run->device->api;
    const struct gs_dataset *data = &run->stage.data;
    const size_t members = (size_t)run->stage.settings->population;
    run->stage.optimizer->steps++;
    set_draw(run, &epoch->draw);
    set_update(run, epoch->alpha);
    run->args.draw_epoch = split(epoch->number);
    if (epoch->new_rows) {
        api->write(run->gpu, GS_ROLE_DATA, 0, data->tiles, data->tile_count * data->stride * sizeof(float));
        run->fresh = true;
    }
    gs_generation_write_table(run, epoch->alpha);
    api->begin(run->gpu);
    score_population(run, epoch);
    estimate(run, epoch->number);
    update(run);
    finish(run, epoch->number);
    run->fresh = false;
    api->read(run->gpu, GS_ROLE_SCORES, 0, scores, members * sizeof *scores);
    if (epoch->center) api->read(run->gpu, GS_ROLE_SCORES, members * sizeof(double), &result->center, sizeof(double));
    result->grad = norm(run, 0);
    result->update = norm(run, 2);
}

static double device_center(struct gs_device_run *run, uint64_t number) {
    double value;
    const struct gs_gpu_api *api = run->device->api;
    run->args.draw_epoch = split(number);
    run->args.first_pair = 0;
    run->args.some_pairs = 0;
    run->args.center = 1;
    gs_generation_write_table(run, 0.0);
    api->begin(run->gpu);
    prepare(run, 0, false, hoist(run));
    score(run);
    finish(run, number);
    run->args.center = 0;
    run->fresh = false;
    api->read(run->gpu, GS_ROLE_SCORES, (size_t)run->stage.settings->population * sizeof value, &value, sizeof value);
    return value;
}

static void device_fetch(struct gs_device_run *run, bool all) {
    const struct gs_gpu_api *api = run->device->api;
    const struct gs_optimizer_state *optimizer = run->stage.optimizer;
    struct gs_model *model = run->stage.model;
    const size_t packed = model->packed_floats * sizeof(float);
    api->read(run->gpu, GS_ROLE_STATE, run->args.theta * sizeof(float), model->theta,
              model->program->parameter_floats * sizeof(float));
    if (!all) return;
    if (optimizer->first != NULL) {
        api->read(run->gpu, GS_ROLE_STATE, run->args.first * sizeof(float), optimizer->first, packed);
    }
    if (optimizer->second != NULL) {
        api->read(run->gpu, GS_ROLE_STATE, run->args.second * sizeof(float), optimizer->second, packed);
    }
}

static void device_estimate(struct gs_device_run *run, float *estimate) {
    run->device->api->read(run->gpu, GS_ROLE_STATE, run->args.estimate * sizeof(float), estimate,
                           run->stage.model->packed_floats * sizeof(float));
}

static void device_end(struct gs_device_run *run) {
    if (!run->stage.last) return;
    run->device->api->close(opened);
    opened = NULL;
}

const struct gs_device_calls gs_device_calls = {
    .begin = device_begin, .epoch = device_epoch, .center = device_center, .fetch = device_fetch,
    .estimate = device_estimate, .end = device_end};
