/* gs_muon.c -- X <- aX + (bA + cA^2) X with A = X X^T (Jordan 2024), in float32.
 *
 * Every entry of a product is one FMA chain over the inner index from +0, so rows can be shared out among the workers
 * and columns among vector lanes without changing a bit. A and A^2 are symmetric to the bit, since a product of two
 * numbers does not depend on their order. Called from the main thread, one matrix at a time. */
#include "gs_muon.h"

#include <stdint.h>

#define GS_ROWS 4 /* rows of a product that share each load of the right-hand side */
#define GS_COLUMNS 64

static const float muon_a = 3.4445f, muon_b = -4.7750f, muon_c = 2.0315f;

struct gs_muon gs_muon_make(struct gs_arena *arena, struct gs_pool *pool, size_t rows, size_t entries) {
    struct gs_muon muon = {.pool = pool};
    muon.x = gs_arena_take(arena, entries, sizeof(float), "MUON");
    muon.next = gs_arena_take(arena, entries, sizeof(float), "MUON");
    muon.transposed = gs_arena_take(arena, entries, sizeof(float), "MUON");
    muon.a = gs_arena_take(arena, rows * rows, sizeof(float), "MUON");
    muon.square = gs_arena_take(arena, rows * rows, sizeof(float), "MUON");
    return muon;
}

/* out [rows][columns] = left [rows][inner] right [inner][columns]; an item is GS_ROWS rows. */
struct product {
    const float *left, *right;
    float *out;
    size_t rows, inner, columns;
};

/* `rows` (at most GS_ROWS) rows and `columns` (at most GS_COLUMNS) columns. */
static inline void multiply_block(const struct product *job, size_t row, size_t column, size_t rows, size_t columns) {
    float sum[GS_ROWS][GS_COLUMNS] = {{0.0f}};
    for (size_t k = 0; k < job->inner; k++) {
        const float *restrict right = job->right + k * job->columns + column;
        for (size_t r = 0; r < rows; r++) {
            const float left = job->left[(row + r) * job->inner + k];
            for (size_t j = 0; j < columns; j++) sum[r][j] = __builtin_fmaf(left, right[j], sum[r][j]);
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < columns; j++) job->out[(row + r) * job->columns + column + j] = sum[r][j];
    }
}

static void multiply_rows(void *argument, size_t worker, size_t item) {
    const struct product *job = argument;
    const size_t row = item * GS_ROWS;
    const size_t rows = job->rows - row < GS_ROWS ? job->rows - row : GS_ROWS;
    (void)worker;
    for (size_t column = 0; column < job->columns; column += GS_COLUMNS) {
        const size_t left = job->columns - column;
        if (rows == GS_ROWS && left >= GS_COLUMNS) {
            multiply_block(job, row, column, GS_ROWS, GS_COLUMNS);
        } else {
            multiply_block(job, row, column, rows, left < GS_COLUMNS ? left : GS_COLUMNS);
        }
    }
}

static void multiply(struct gs_pool *pool, const float *left, const float *right, float *out, size_t rows, size_t inner,
                     size_t columns) {
    struct product job = {
        .left = left, .right = right, .out = out, .rows = rows, .inner = inner, .columns = columns};
    const size_t items = (rows + GS_ROWS - 1) / GS_ROWS;
    if (rows * inner * columns < 1u << 18) { /* less work than waking the others costs */
        for (size_t item = 0; item < items; item++) multiply_rows(&job, 0, item);
    } else {
        gs_pool_run(pool, multiply_rows, &job, items);
    }
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
        for (size_t i = 0; i < entries; i++) out[i] = 0.0f;
        return;
    }
    const bool tall = m > n;
    const size_t rows = tall ? n : m, columns = tall ? m : n;
    float *x = muon->x, *next = muon->next;
    const float divisor = (float)norm;
    for (size_t i = 0; i < entries; i++) next[i] = momentum[i] / divisor;
    if (tall) {
        transpose(next, x, m, n);
    } else {
        float *swap = x;
        x = next;
        next = swap;
    }
    for (uint64_t step = 0; step < steps; step++) {
        transpose(x, muon->transposed, rows, columns);
        multiply(muon->pool, x, muon->transposed, muon->a, rows, columns, rows);
        multiply(muon->pool, muon->a, muon->a, muon->square, rows, rows, rows);
        for (size_t i = 0; i < rows * rows; i++) {
            muon->a[i] = __builtin_fmaf(muon_c, muon->square[i], muon_b * muon->a[i]);
        }
        multiply(muon->pool, muon->a, x, next, rows, rows, columns);
        for (size_t i = 0; i < entries; i++) next[i] = __builtin_fmaf(muon_a, x[i], next[i]);
        float *swap = x;
        x = next;
        next = swap;
    }
    if (tall) {
        transpose(x, out, rows, columns);
    } else {
        for (size_t i = 0; i < entries; i++) out[i] = x[i];
    }
}
