/* gs_muon.c -- X <- aX + (bA + cA^2) X with A = X X^T (Jordan 2024), in float32.
 *
 * Every entry of a product is one FMA chain over the inner index from +0: the products are layers over tiles, with the
 * columns of the right-hand side in lanes, and neither tiles nor workers change a bit. A and A^2 are symmetric to the
 * bit, since a product of two numbers does not depend on their order, so only their upper triangle is computed. Called
 * from the main thread, one matrix at a time. */
#include "gs_muon.h"

#include <stdbool.h>
#include <string.h>

#include "gs_tile_size.h"
#include "kernels/gs_linear.h"

#define GS_CHUNK_ROWS 64   /* rows of a product that are one item of work */
#define GS_SMALL (1u << 18) /* multiply-adds that cost less than waking the workers */

static const float muon_a = 3.4445f, muon_b = -4.7750f, muon_c = 2.0315f;

static size_t tiles_of(size_t columns) { return (columns + GS_LANES - 1) / GS_LANES; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void gs_muon_fit(struct gs_muon_room *room, size_t m, size_t n) {
    const size_t rows = m < n ? m : n, columns = m < n ? n : m;
    room->entries = larger(room->entries, rows * columns);
    room->square = larger(room->square, rows * rows);
    room->tiles = larger(room->tiles, tiles_of(rows) * columns * GS_LANES);
    room->tiles = larger(room->tiles, tiles_of(columns) * rows * GS_LANES);
}

struct gs_muon gs_muon_make(struct gs_arena *arena, struct gs_pool *pool, const struct gs_muon_room *room) {
    struct gs_muon muon = {.pool = pool};
    muon.x = gs_arena_take(arena, room->entries, sizeof(float), "MUON");
    muon.a = gs_arena_take(arena, room->square, sizeof(float), "MUON");
    muon.y = gs_arena_take(arena, room->square, sizeof(float), "MUON");
    muon.tiles = gs_arena_take(arena, room->tiles, sizeof(float), "MUON");
    return muon;
}

/* What a product's entry becomes. */
enum target {
    TARGET_A, /* a = sum */
    TARGET_Y, /* y = fma(c, sum, b a) */
    TARGET_X  /* x = fma(a, x, sum) */
};

/* left [rows][inner] times right [inner][columns], given as the matrix that its tiles are made from. */
struct product {
    const struct gs_muon *muon;
    const float *left, *right;
    size_t rows, inner, columns, chunks;
    bool transposed; /* right is the transpose of the matrix given, which is [columns][inner] */
    enum target target;
};

static void pack_tile(void *argument, size_t worker, size_t tile) {
    const struct product *job = argument;
    const size_t first = tile * GS_LANES;
    const size_t lanes = job->columns - first < GS_LANES ? job->columns - first : GS_LANES;
    float *restrict out = job->muon->tiles + tile * job->inner * GS_LANES;
    (void)worker;
    if (lanes < GS_LANES) memset(out, 0, job->inner * GS_LANES * sizeof *out);
    if (!job->transposed) {
        for (size_t k = 0; k < job->inner; k++) {
            memcpy(out + k * GS_LANES, job->right + k * job->columns + first, lanes * sizeof *out);
        }
        return;
    }
    for (size_t start = 0; start < job->inner; start += 16) { /* a cache line of each row at a time */
        const size_t end = job->inner - start < 16 ? job->inner : start + 16;
        for (size_t l = 0; l < lanes; l++) {
            const float *restrict row = job->right + (first + l) * job->inner;
            for (size_t k = start; k < end; k++) out[k * GS_LANES + l] = row[k];
        }
    }
}

/* sums [rows][GS_LANES] of the rows from `row` and the columns from `column` on go where they belong. */
static void finish(const struct product *job, size_t row, size_t rows, size_t column, size_t columns,
                   const float *restrict sums) {
    const size_t stride = job->columns;
    for (size_t i = 0; i < rows; i++) {
        const float *restrict sum = sums + i * GS_LANES;
        const size_t start = (row + i) * stride + column;
        if (job->target == TARGET_X) {
            float *restrict x = job->muon->x + start;
            for (size_t j = 0; j < columns; j++) x[j] = __builtin_fmaf(muon_a, x[j], sum[j]);
            continue;
        }
        float *restrict out = job->target == TARGET_A ? job->muon->a : job->muon->y;
        for (size_t j = row + i > column ? row + i - column : 0; j < columns; j++) {
            float entry = sum[j];
            if (job->target == TARGET_Y) entry = __builtin_fmaf(muon_c, entry, muon_b * job->muon->a[start + j]);
            out[start + j] = entry;
            out[(column + j) * stride + row + i] = entry; /* the lower triangle */
        }
    }
}

static void multiply_chunk(void *argument, size_t worker, size_t item) {
    const struct product *job = argument;
    const size_t tile = item / job->chunks, row = item % job->chunks * GS_CHUNK_ROWS, column = tile * GS_LANES;
    const size_t rows = job->rows - row < GS_CHUNK_ROWS ? job->rows - row : GS_CHUNK_ROWS;
    const size_t columns = job->columns - column < GS_LANES ? job->columns - column : GS_LANES;
    _Alignas(GS_ALIGN) float sums[GS_CHUNK_ROWS * GS_LANES];
    (void)worker;
    if (job->target != TARGET_X && row >= column + columns) return; /* below the diagonal */
    gs_linear(job->left + row * job->inner, job->muon->tiles + tile * job->inner * GS_LANES, sums, rows, job->inner);
    finish(job, row, rows, column, columns, sums);
}

static void run(const struct product *job, gs_pool_task *task, size_t items) {
    struct product copy = *job;
    if (job->rows * job->inner * job->columns < GS_SMALL) {
        for (size_t item = 0; item < items; item++) task(&copy, 0, item);
    } else {
        gs_pool_run(job->muon->pool, task, &copy, items);
    }
}

static void multiply(struct product job) {
    job.chunks = (job.rows + GS_CHUNK_ROWS - 1) / GS_CHUNK_ROWS;
    run(&job, pack_tile, tiles_of(job.columns));
    run(&job, multiply_chunk, tiles_of(job.columns) * job.chunks);
}

static void transpose(const float *restrict from, float *restrict to, size_t rows, size_t columns) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
    }
}

void gs_muon_orthogonalise(const struct gs_muon *muon, const float *momentum, double norm, size_t m, size_t n,
                           uint64_t steps, float *out) {
    const size_t entries = m * n;
    if (norm == 0.0) {
        memset(out, 0, entries * sizeof *out);
        return;
    }
    const bool tall = m > n;
    const size_t rows = tall ? n : m, columns = tall ? m : n;
    const float divisor = (float)norm;
    for (size_t i = 0; i < entries; i++) out[i] = momentum[i] / divisor;
    if (tall) {
        transpose(out, muon->x, m, n);
    } else {
        memcpy(muon->x, out, entries * sizeof *out);
    }
    for (uint64_t step = 0; step < steps; step++) {
        multiply((struct product){.muon = muon, .left = muon->x, .right = muon->x, .transposed = true, .rows = rows,
                                  .inner = columns, .columns = rows, .target = TARGET_A});
        multiply((struct product){.muon = muon, .left = muon->a, .right = muon->a, .rows = rows, .inner = rows,
                                  .columns = rows, .target = TARGET_Y});
        multiply((struct product){.muon = muon, .left = muon->y, .right = muon->x, .rows = rows, .inner = rows,
                                  .columns = columns, .target = TARGET_X});
    }
    if (tall) {
        transpose(muon->x, out, rows, columns);
    } else {
        memcpy(out, muon->x, entries * sizeof *out);
    }
}
