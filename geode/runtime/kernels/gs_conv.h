/* gs_conv.h -- CONV2D over a tile.
 *
 * A value [c][h][w] of a row lies [c][h][w][GS_LANES]. An output of CONV2D is one chain acc = fma(weight, x, acc) from +0
 * over channels, rows and columns of the filter ascending; taps outside the picture are left out. Sizes are literals in
 * generated code.
 */
#ifndef GS_CONV_H
#define GS_CONV_H

#include "gs_linear.h"

/* `filters` (at most 8) filters at one place of the picture: w [filters][c][k][k] from its first filter on. */
GS_INLINE void gs_conv_block(const float *restrict w, const float *restrict x, float *restrict y, const size_t c,
                             const size_t h, const size_t width, const size_t k, const size_t row, const size_t column,
                             const int filters, const int vectors) {
    const size_t half = k / 2, taps = c * k * k, plane = h * width;
    const size_t top = row < half ? half - row : 0, left = column < half ? half - column : 0;
    const size_t bottom = row + half < h ? k : k - (row + half - h + 1);
    const size_t right = column + half < width ? k : k - (column + half - width + 1);
    gs_vec acc[8][3];
    GS_UNROLL
    for (int f = 0; f < filters; f++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) acc[f][q] = gs_set(0.0f);
    }
    for (size_t channel = 0; channel < c; channel++) {
        for (size_t i = top; i < bottom; i++) {
            for (size_t j = left; j < right; j++) {
                const size_t place = channel * plane + (row + i - half) * width + (column + j - half);
                const size_t tap = (channel * k + i) * k + j;
                gs_vec in[3];
                GS_UNROLL
                for (int q = 0; q < vectors; q++) in[q] = gs_load(x + place * GS_LANES + (size_t)q * GS_VEC);
                GS_UNROLL
                for (int f = 0; f < filters; f++) {
                    const gs_vec weight = gs_set(w[(size_t)f * taps + tap]);
                    GS_UNROLL
                    for (int q = 0; q < vectors; q++) acc[f][q] = gs_fma(weight, in[q], acc[f][q]);
                }
            }
        }
    }
    GS_UNROLL
    for (int f = 0; f < filters; f++) {
        float *out = y + ((size_t)f * plane + row * width + column) * GS_LANES;
        GS_UNROLL
        for (int q = 0; q < vectors; q++) gs_store(out + (size_t)q * GS_VEC, acc[f][q]);
    }
}

/* All filters at one place, for `vectors` vectors of lanes. */
GS_INLINE void gs_conv_place(const float *restrict w, const float *restrict x, float *restrict y, const size_t filters,
                             const size_t c, const size_t h, const size_t width, const size_t k, const size_t row,
                             const size_t column, const int vectors) {
    const size_t taps = c * k * k, plane = h * width * GS_LANES;
    size_t f = 0;
    for (; f + GS_BLOCK_OUTPUTS <= filters; f += GS_BLOCK_OUTPUTS) {
        gs_conv_block(w + f * taps, x, y + f * plane, c, h, width, k, row, column, GS_BLOCK_OUTPUTS, vectors);
    }
    for (; f < filters; f++) gs_conv_block(w + f * taps, x, y + f * plane, c, h, width, k, row, column, 1, vectors);
}

/* y [filters][h][width] = the filters w [filters][c][k][k] over x [c][h][width], k odd, stride 1, zeros around. */
GS_INLINE void gs_conv2d(const float *restrict w, const float *restrict x, float *restrict y, const size_t filters,
                         const size_t c, const size_t h, const size_t width, const size_t k) {
    for (size_t row = 0; row < h; row++) {
        for (size_t column = 0; column < width; column++) {
            for (int q = 0; q + 1 <= GS_VECS; q += 3) {
                const size_t lane = (size_t)q * GS_VEC;
                if (GS_VECS - q >= 3) gs_conv_place(w, x + lane, y + lane, filters, c, h, width, k, row, column, 3);
                if (GS_VECS - q == 2) gs_conv_place(w, x + lane, y + lane, filters, c, h, width, k, row, column, 2);
                if (GS_VECS - q == 1) gs_conv_place(w, x + lane, y + lane, filters, c, h, width, k, row, column, 1);
            }
        }
    }
}

/* The same for one uniform value. */
GS_INLINE void gs_conv2d_uniform(const float *restrict w, const float *restrict x, float *restrict y,
                                 const size_t filters, const size_t c, const size_t h, const size_t width,
                                 const size_t k) {
    const size_t half = k / 2;
    for (size_t f = 0; f < filters; f++) {
        for (size_t row = 0; row < h; row++) {
            for (size_t column = 0; column < width; column++) {
                float acc = 0.0f;
                for (size_t tap = 0; tap < c * k * k; tap++) {
                    const size_t channel = tap / (k * k), i = row + tap / k % k, j = column + tap % k;
                    if (i < half || j < half || i - half >= h || j - half >= width) continue;
                    acc = __builtin_fmaf(w[f * c * k * k + tap], x[(channel * h + i - half) * width + j - half], acc);
                }
                y[(f * h + row) * width + column] = acc;
            }
        }
    }
}

#endif
