/* gs_estimate.c -- patches of entries, each by one worker over all pairs. Noise that the store does not keep is drawn
 * again, the same bits, a few pairs at a time. */
#include "gs_estimate.h"

#include "gs_noise.h"

#define GS_ENTRIES 512       /* of a patch of dense noise: its sums stay in the first-level cache */
#define GS_PATCH_ROWS 64     /* of low-rank noise: large enough that drawing its factors again costs little */
#define GS_PATCH_COLUMNS 128
#define GS_TOGETHER 4        /* links of the chains that one pass over the sums adds */

struct estimate_job {
    const struct gs_estimator *estimator;
    struct gs_draw draw;
    double members;
    float *estimate;
};

/* A worker's room: sums of all chunks and of one, then noise drawn again: B of the latest pairs, A of the last one. */
struct room {
    float *total, *chunk, *a, *b[GS_TOGETHER];
};

/* Links on their way into the sums [rows][columns] of a patch: sum += d[row][k] e[k][column] for k < held, in order. */
struct links {
    size_t held;
    const float *e[GS_TOGETHER];
    float d[GS_PATCH_ROWS * GS_TOGETHER];
};

static size_t smallest(size_t a, size_t b) { return a < b ? a : b; }

/* The patches of all trained parameters that are estimated by patches, in order; `out` may be NULL. */
static size_t cut(const struct gs_model *model, size_t pairs, struct gs_patch *out) {
    size_t count = 0;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (!gs_model_trains(model, p) || gs_outer_takes(model, p, pairs)) continue;
        const bool factored = gs_model_factored(model, p);
        const size_t m = factored ? (size_t)parameter->m : 1, n = factored ? (size_t)parameter->n : gs_entries(parameter);
        const size_t high = factored ? GS_PATCH_ROWS : 1, wide = factored ? GS_PATCH_COLUMNS : GS_ENTRIES;
        for (size_t i = 0; i < m; i += high) {
            for (size_t j = 0; j < n; j += wide, count++) {
                if (out == NULL) continue;
                out[count] = (struct gs_patch){p, i, smallest(m - i, high), j, smallest(n - j, wide)};
            }
        }
    }
    return count;
}

/* Floats of B drawn again for one patch. */
static size_t piece_floats(const struct gs_model *model) {
    const size_t factor = model->rank * GS_PATCH_COLUMNS;
    return factor > GS_ENTRIES ? factor : GS_ENTRIES;
}

static struct room room_of(const struct gs_estimator *estimator, size_t worker) {
    const size_t entries = GS_PATCH_ROWS * GS_PATCH_COLUMNS, piece = piece_floats(estimator->model);
    float *first = estimator->room[worker];
    struct room room = {.total = first, .chunk = first + entries};
    for (size_t k = 0; k < GS_TOGETHER; k++) room.b[k] = first + 2 * entries + k * piece;
    room.a = first + 2 * entries + GS_TOGETHER * piece;
    return room;
}

struct gs_estimator gs_estimator_make(struct gs_arena *arena, const struct gs_model *model, struct gs_pool *pool,
                                      const struct gs_noise_store *store, size_t pairs, bool antithetic) {
    struct gs_estimator estimator = {
        .model = model, .pool = pool, .store = store, .pairs = pairs, .antithetic = antithetic};
    const size_t workers = gs_pool_size(pool), entries = GS_PATCH_ROWS * GS_PATCH_COLUMNS;
    const size_t floats = 2 * entries + GS_TOGETHER * piece_floats(model) + GS_PATCH_ROWS * model->rank;
    estimator.outer = gs_outer_make(arena, model, pool, store, pairs);
    estimator.patch_count = cut(model, pairs, NULL);
    estimator.patches = gs_arena_take(arena, estimator.patch_count, sizeof *estimator.patches, "the patches");
    cut(model, pairs, estimator.patches);
    estimator.coefficients = gs_arena_take(arena, pairs, sizeof(float), "the coefficients");
    estimator.room = gs_arena_take(arena, workers, sizeof(float *), "the workers");
    for (size_t i = 0; i < workers; i++) {
        estimator.room[i] = gs_arena_take(arena, floats, sizeof(float), "a worker's noise");
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

/* Adds the links that are held to the sums; the next ones begin anew. */
static void flush(struct links *links, const struct gs_patch *patch, float *sum) {
    const float *d = links->d;
    for (size_t row = 0; row < patch->rows; row++, sum += patch->columns, d += GS_TOGETHER) {
        if (links->held == GS_TOGETHER) {
            add_four(sum, patch->columns, d, links->e);
            continue;
        }
        for (size_t k = 0; k < links->held; k++) add_one(sum, patch->columns, d[k], links->e[k]);
    }
    links->held = 0;
}

/* Adds d E of a pair. Dense: E is kept, or drawn into `piece`. */
static void add_dense(const struct estimate_job *job, const struct gs_patch *patch, size_t pair, float d, float *piece,
                      struct links *links) {
    const struct gs_model *model = job->estimator->model;
    const struct gs_noise_store *store = job->estimator->store;
    links->d[links->held] = d;
    if (pair < store->pairs) {
        links->e[links->held++] = store->noise + pair * store->stride + model->noise_at[patch->parameter] + patch->column;
        return;
    }
    const uint64_t stream = model->program->parameters[patch->parameter].stream;
    gs_normals(gs_stream_key(stream, job->draw.seed, job->draw.epoch, pair), patch->column, patch->columns, piece);
    links->e[links->held++] = piece;
}

/* The same under low-rank noise, a link for each q: fma(d A[i,q], B[j,q], sum). */
static void add_factored(const struct estimate_job *job, const struct gs_patch *patch, size_t pair, float d,
                         float *piece, const struct room *room, struct links *links, float *sum) {
    const struct gs_model *model = job->estimator->model;
    const struct gs_noise_store *store = job->estimator->store;
    const size_t p = patch->parameter, rank = model->rank;
    const float *a = room->a, *b = piece;
    size_t stride = patch->columns;
    if (pair < store->pairs) {
        const float *noise = store->noise + pair * store->stride;
        stride = (size_t)model->program->parameters[p].n;
        a = gs_model_a(model, p, noise) + patch->row * rank;
        b = noise + model->noise_at[p] + patch->column;
    } else {
        const struct gs_factors factors = gs_model_factors(model, p, job->draw.seed, job->draw.epoch, pair);
        gs_factors_a(&factors, patch->row, patch->rows, room->a);
        gs_factors_b(&factors, patch->column, patch->columns, piece, stride);
    }
    for (size_t q = 0; q < rank; q++) {
        links->e[links->held] = b + q * stride;
        for (size_t row = 0; row < patch->rows; row++) {
            links->d[row * GS_TOGETHER + links->held] = d * a[row * rank + q];
        }
        if (++links->held == GS_TOGETHER) flush(links, patch, sum);
    }
}

/* The chain of one chunk of pairs, from +0, into sum. A coefficient of 0 is left out: fma(0, e, s) = s, as no chain ever
 * holds -0. */
static void sum_chunk(const struct estimate_job *job, const struct gs_patch *patch, size_t first, size_t end,
                      const struct room *room, float *sum) {
    const struct gs_estimator *estimator = job->estimator;
    const bool factored = gs_model_factored(estimator->model, patch->parameter);
    struct links links;
    size_t taken = 0; /* a piece is in use for at most as many pairs as there are links */
    links.held = 0;
    for (size_t i = 0; i < patch->rows * patch->columns; i++) sum[i] = 0.0f;
    for (size_t pair = first; pair < end; pair++) {
        const float d = estimator->coefficients[pair];
        if (d == 0.0f) continue;
        float *piece = room->b[taken++ % GS_TOGETHER];
        if (factored) {
            add_factored(job, patch, pair, d, piece, room, &links, sum);
        } else {
            add_dense(job, patch, pair, d, piece, &links);
            if (links.held == GS_TOGETHER) flush(&links, patch, sum);
        }
    }
    flush(&links, patch, sum);
}

/* 1/(N sigma), or 1/(N sigma sqrt r). */
static float scale_of(const struct estimate_job *job, size_t p) {
    const struct gs_model *model = job->estimator->model;
    const double rank = gs_model_factored(model, p) ? (double)model->rank : 1.0;
    return (float)(1.0 / (job->members * job->draw.sigma * __builtin_sqrt(rank)));
}

static void estimate_patch(void *argument, size_t worker, size_t item) {
    const struct estimate_job *job = argument;
    const struct gs_estimator *estimator = job->estimator;
    const struct gs_model *model = estimator->model;
    const struct gs_patch *patch = &estimator->patches[item];
    const struct room room = room_of(estimator, worker);
    const size_t entries = patch->rows * patch->columns, n = (size_t)model->program->parameters[patch->parameter].n;
    sum_chunk(job, patch, 0, smallest(estimator->pairs, GS_CHUNK_PAIRS), &room, room.total);
    for (size_t first = GS_CHUNK_PAIRS; first < estimator->pairs; first += GS_CHUNK_PAIRS) {
        sum_chunk(job, patch, first, first + smallest(estimator->pairs - first, GS_CHUNK_PAIRS), &room, room.chunk);
        for (size_t i = 0; i < entries; i++) room.total[i] += room.chunk[i];
    }
    const float scale = scale_of(job, patch->parameter);
    float *out = job->estimate + model->packed[patch->parameter] + patch->row * n + patch->column;
    for (size_t row = 0; row < patch->rows; row++) {
        for (size_t i = 0; i < patch->columns; i++) out[row * n + i] = room.total[row * patch->columns + i] * scale;
    }
}

void gs_estimate(const struct gs_estimator *estimator, struct gs_draw draw, const double *weights, float *estimate) {
    for (size_t k = 0; k < estimator->pairs; k++) {
        const double d = estimator->antithetic ? weights[2 * k] - weights[2 * k + 1] : weights[k];
        estimator->coefficients[k] = (float)d;
    }
    struct estimate_job job = {
        .estimator = estimator, .draw = draw, .members = (double)estimator->pairs * (estimator->antithetic ? 2.0 : 1.0),
        .estimate = estimate};
    gs_pool_run(estimator->pool, estimate_patch, &job, estimator->patch_count);
    for (size_t p = 0; p < estimator->model->program->parameter_count; p++) {
        if (!gs_outer_takes(estimator->model, p, estimator->pairs)) continue;
        float *out = estimate + estimator->model->packed[p];
        gs_outer_estimate(&estimator->outer, p, draw, estimator->coefficients, scale_of(&job, p), out);
    }
}
