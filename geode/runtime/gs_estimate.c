/* gs_estimate.c -- blocks of entries, each by one worker over all pairs. Noise that the store does not keep is drawn
 * again, the same bits, a few pairs at a time. */
#include "gs_estimate.h"

#include "gs_noise.h"

#define GS_ENTRIES 512       /* of a block: its sums stay in the first-level cache */
#define GS_CHUNK_PAIRS 1024  /* a chain's length (engine.md, "Estimate") */
#define GS_TOGETHER 4        /* pairs whose noise is added in one pass over the sums */

struct estimate_job {
    const struct gs_estimator *estimator;
    struct gs_draw draw;
    float scale;
    float *estimate;
};

struct gs_estimator gs_estimator_make(struct gs_arena *arena, const struct gs_model *model, struct gs_pool *pool,
                                      const struct gs_noise_store *store, size_t pairs, bool antithetic) {
    struct gs_estimator estimator = {
        .model = model, .pool = pool, .store = store, .pairs = pairs, .antithetic = antithetic};
    const size_t workers = gs_pool_size(pool);
    estimator.blocks = gs_blocks_make(arena, model, GS_ENTRIES);
    estimator.coefficients = gs_arena_take(arena, pairs, sizeof(float), "the coefficients");
    estimator.noise = gs_arena_take(arena, workers, sizeof(float *), "the workers");
    for (size_t i = 0; i < workers; i++) {
        estimator.noise[i] = gs_arena_take(arena, GS_TOGETHER * GS_ENTRIES, sizeof(float), "a worker's noise");
    }
    return estimator;
}

/* sum = fma(d[3], e[3], fma(d[2], e[2], fma(d[1], e[1], fma(d[0], e[0], sum)))) */
static void add_four(float *restrict sum, size_t n, const float d[GS_TOGETHER], const float *const e[GS_TOGETHER]) {
    const float *restrict e0 = e[0], *restrict e1 = e[1], *restrict e2 = e[2], *restrict e3 = e[3];
    const float d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
    for (size_t i = 0; i < n; i++) {
        float s = __builtin_fmaf(d0, e0[i], sum[i]);
        s = __builtin_fmaf(d1, e1[i], s);
        s = __builtin_fmaf(d2, e2[i], s);
        sum[i] = __builtin_fmaf(d3, e3[i], s);
    }
}

static void add_one(float *restrict sum, size_t n, float d, const float *restrict e) {
    for (size_t i = 0; i < n; i++) sum[i] = __builtin_fmaf(d, e[i], sum[i]);
}

/* The noise of the pair for the block's entries: kept, or drawn into `room`. */
static const float *block_noise(const struct estimate_job *job, const struct gs_block *block, size_t pair, float *room) {
    const struct gs_estimator *estimator = job->estimator;
    const struct gs_noise_store *store = estimator->store;
    if (pair < store->pairs) {
        return store->noise + pair * store->stride + estimator->model->packed[block->parameter] + block->first;
    }
    const struct gs_parameter *parameter = &estimator->model->program->parameters[block->parameter];
    const uint64_t key = gs_stream_key(parameter->stream, job->draw.seed, job->draw.epoch, pair);
    gs_normals(key, block->first, block->count, room);
    return room;
}

/* The chain of one chunk of pairs, from +0, into sum[count]. A coefficient of 0 is left out: fma(0, e, s) = s, as no
 * chain ever holds -0. */
static void sum_chunk(const struct estimate_job *job, const struct gs_block *block, size_t first, size_t end,
                      float *room, float *sum) {
    const float *coefficients = job->estimator->coefficients;
    float d[GS_TOGETHER];
    const float *e[GS_TOGETHER];
    size_t held = 0;
    for (size_t i = 0; i < block->count; i++) sum[i] = 0.0f;
    for (size_t pair = first; pair < end; pair++) {
        if (coefficients[pair] == 0.0f) continue;
        d[held] = coefficients[pair];
        e[held] = block_noise(job, block, pair, room + held * GS_ENTRIES);
        if (++held < GS_TOGETHER) continue;
        add_four(sum, block->count, d, e);
        held = 0;
    }
    for (size_t i = 0; i < held; i++) add_one(sum, block->count, d[i], e[i]);
}

static void estimate_block(void *argument, size_t worker, size_t item) {
    const struct estimate_job *job = argument;
    const struct gs_estimator *estimator = job->estimator;
    const struct gs_block *block = &estimator->blocks.block[item];
    float *room = estimator->noise[worker];
    float *out = job->estimate + estimator->model->packed[block->parameter] + block->first;
    float total[GS_ENTRIES], chunk[GS_ENTRIES];
    sum_chunk(job, block, 0, estimator->pairs < GS_CHUNK_PAIRS ? estimator->pairs : GS_CHUNK_PAIRS, room, total);
    for (size_t first = GS_CHUNK_PAIRS; first < estimator->pairs; first += GS_CHUNK_PAIRS) {
        const size_t left = estimator->pairs - first;
        sum_chunk(job, block, first, first + (left < GS_CHUNK_PAIRS ? left : GS_CHUNK_PAIRS), room, chunk);
        for (size_t i = 0; i < block->count; i++) total[i] += chunk[i];
    }
    for (size_t i = 0; i < block->count; i++) out[i] = total[i] * job->scale;
}

void gs_estimate(const struct gs_estimator *estimator, struct gs_draw draw, const double *weights, float *estimate) {
    const double members = (double)estimator->pairs * (estimator->antithetic ? 2.0 : 1.0);
    for (size_t k = 0; k < estimator->pairs; k++) {
        const double d = estimator->antithetic ? weights[2 * k] - weights[2 * k + 1] : weights[k];
        estimator->coefficients[k] = (float)d;
    }
    struct estimate_job job = {
        .estimator = estimator, .draw = draw, .scale = (float)(1.0 / (members * draw.sigma)), .estimate = estimate};
    gs_pool_run(estimator->pool, estimate_block, &job, estimator->blocks.count);
}
