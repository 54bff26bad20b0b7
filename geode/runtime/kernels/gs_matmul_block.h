/* gs_matmul_block.h -- MATMUL and OUTER within a row, in blocks of outputs whose sums stay in registers.
 *
 * The same chains as gs_matmul.h's, which GPUs use. Where both operands are the same for all rows the lanes of a vector
 * are columns of the result. Sizes are literals in generated code. */
#ifndef GS_MATMUL_BLOCK_H
#define GS_MATMUL_BLOCK_H

#include "gs_view.h"

#define GS_MATMUL_ROWS 4
#define GS_MATMUL_COLUMNS 4

/* A block of rows x columns outputs (literals) from row i and column j on, at one vector of lanes. */
GS_INLINE void gs_matmul_lanes(struct gs_view out, struct gs_view x, struct gs_view y, size_t i, size_t j, size_t l,
                               const size_t k, const size_t n, const int rows, const int columns) {
    gs_vec acc[GS_MATMUL_ROWS][GS_MATMUL_COLUMNS];
    GS_UNROLL
    for (int a = 0; a < rows; a++) {
        GS_UNROLL
        for (int b = 0; b < columns; b++) acc[a][b] = gs_set(0.0f);
    }
    for (size_t c = 0; c < k; c++) {
        gs_vec right[GS_MATMUL_COLUMNS];
        GS_UNROLL
        for (int b = 0; b < columns; b++) right[b] = gs_view_vector(y, c * n + j + (size_t)b, l);
        GS_UNROLL
        for (int a = 0; a < rows; a++) {
            const gs_vec left = gs_view_vector(x, (i + (size_t)a) * k + c, l);
            GS_UNROLL
            for (int b = 0; b < columns; b++) acc[a][b] = gs_fma(left, right[b], acc[a][b]);
        }
    }
    GS_UNROLL
    for (int a = 0; a < rows; a++) {
        GS_UNROLL
        for (int b = 0; b < columns; b++) gs_store(out.p + ((i + (size_t)a) * n + j + (size_t)b) * GS_LANES + l, acc[a][b]);
    }
}

/* Some rows (a literal) of the result. */
GS_INLINE void gs_matmul_rows(struct gs_view out, struct gs_view x, struct gs_view y, size_t i, size_t l, const size_t k,
                              const size_t n, const int rows) {
    size_t j = 0;
    for (; j + GS_MATMUL_COLUMNS <= n; j += GS_MATMUL_COLUMNS) {
        gs_matmul_lanes(out, x, y, i, j, l, k, n, rows, GS_MATMUL_COLUMNS);
    }
    switch (n - j) {
    case 1: gs_matmul_lanes(out, x, y, i, j, l, k, n, rows, 1); break;
    case 2: gs_matmul_lanes(out, x, y, i, j, l, k, n, rows, 2); break;
    case 3: gs_matmul_lanes(out, x, y, i, j, l, k, n, rows, 3); break;
    default: break;
    }
}

/* Values without lanes: rows (a literal) x `vectors` (a literal) vectors of columns, which lie side by side. */
GS_INLINE void gs_matmul_columns(float *restrict out, const float *restrict x, const float *restrict y, const size_t k,
                                 const size_t n, const int rows, const int vectors) {
    gs_vec acc[GS_MATMUL_ROWS][GS_MATMUL_COLUMNS];
    GS_UNROLL
    for (int a = 0; a < rows; a++) {
        GS_UNROLL
        for (int b = 0; b < vectors; b++) acc[a][b] = gs_set(0.0f);
    }
    for (size_t c = 0; c < k; c++) {
        gs_vec right[GS_MATMUL_COLUMNS];
        memcpy(right, y + c * n, (size_t)vectors * sizeof *right);
        GS_UNROLL
        for (int a = 0; a < rows; a++) {
            const gs_vec left = gs_set(x[(size_t)a * k + c]);
            GS_UNROLL
            for (int b = 0; b < vectors; b++) acc[a][b] = gs_fma(left, right[b], acc[a][b]);
        }
    }
    GS_UNROLL
    for (int a = 0; a < rows; a++) memcpy(out + (size_t)a * n, acc[a], (size_t)vectors * sizeof *acc[a]);
}

/* One output of values without lanes. */
GS_INLINE float gs_matmul_number(const float *x, const float *y, const size_t k, const size_t n) {
    float sum = 0.0f;
    for (size_t c = 0; c < k; c++) sum = __builtin_fmaf(x[c], y[c * n], sum);
    return sum;
}

GS_INLINE void gs_matmul_uniform(float *restrict out, const float *restrict x, const float *restrict y, const size_t t,
                                 const size_t k, const size_t n) {
    const size_t wide = GS_VEC, most = 2 * wide;
    size_t i = 0;
    for (; i + GS_MATMUL_ROWS <= t; i += GS_MATMUL_ROWS) {
        const float *const left = x + i * k;
        size_t j = 0;
        for (; j + most <= n; j += most) gs_matmul_columns(out + i * n + j, left, y + j, k, n, GS_MATMUL_ROWS, 2);
        for (; j + wide <= n; j += wide) gs_matmul_columns(out + i * n + j, left, y + j, k, n, GS_MATMUL_ROWS, 1);
        for (; j < n; j++) {
            for (size_t a = 0; a < GS_MATMUL_ROWS; a++) out[(i + a) * n + j] = gs_matmul_number(left + a * k, y + j, k, n);
        }
    }
    for (; i < t; i++) {
        size_t j = 0;
        for (; j + wide <= n; j += wide) gs_matmul_columns(out + i * n + j, x + i * k, y + j, k, n, 1, 1);
        for (; j < n; j++) out[i * n + j] = gs_matmul_number(x + i * k, y + j, k, n);
    }
}

/* out[t][n] = the sum over k of x[t][k] y[k][n]: one chain of fma over k from +0 for every output. */
GS_INLINE void gs_matmul(const size_t lanes, struct gs_view out, struct gs_view x, struct gs_view y, const size_t t,
                         const size_t k, const size_t n) {
    if (lanes == 1 && out.lane == 0) {
        gs_matmul_uniform(out.p, x.p, y.p, t, k, n);
        return;
    }
    for (size_t l = 0; l < GS_LANES; l += GS_VEC) {
        size_t i = 0;
        for (; i + GS_MATMUL_ROWS <= t; i += GS_MATMUL_ROWS) gs_matmul_rows(out, x, y, i, l, k, n, GS_MATMUL_ROWS);
        switch (t - i) {
        case 1: gs_matmul_rows(out, x, y, i, l, k, n, 1); break;
        case 2: gs_matmul_rows(out, x, y, i, l, k, n, 2); break;
        case 3: gs_matmul_rows(out, x, y, i, l, k, n, 3); break;
        default: break;
        }
    }
}

#endif
