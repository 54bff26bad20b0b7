/* gs_layers.h -- layers, random words and flags for a thread that has one row: ../kernels/gs_linear.h, gs_factored.h and
 * gs_conv.h, ../gs_random.c, with the same chains.
 *
 * Number e of an operand x stands at x[e * x_step]; results stand GS_LANES apart. */
#ifndef GS_LAYERS_H
#define GS_LAYERS_H

#include "gs_context.h"
#include "gs_stream.h"
#include "gs_tile.h"

/* Output j of W x: w [outputs][inputs]. */
GS_INLINE float gs_output(GS_GLOBAL const float *w, GS_GLOBAL const float *x, uint x_step, uint inputs, uint j) {
    float acc = 0.0f;
    for (uint i = 0u; i < inputs; i++) acc = gs_fma(w[j * inputs + i], x[i * x_step], acc);
    return acc;
}

/* Output j of W x + ss A t: one chain over the inputs, then the rank. */
GS_INLINE float gs_factored_output(struct gs_slot slot, GS_GLOBAL const float *x, uint x_step, GS_GLOBAL const float *t,
                                   uint t_step, uint inputs, uint rank, uint j) {
    float acc = gs_output(slot.w, x, x_step, inputs, j);
    for (uint k = 0u; k < rank; k++) acc = gs_fma(slot.a[j * rank + k], gs_scaled_noise(slot.ss, t[k * t_step]), acc);
    return acc;
}

/* y = W x. */
GS_INLINE void gs_linear(GS_GLOBAL const float *w, GS_GLOBAL const float *x, uint x_step, GS_GLOBAL float *y, uint outputs,
                         uint inputs) {
    for (uint j = 0u; j < outputs; j++) y[j * GS_LANES] = gs_output(w, x, x_step, inputs, j);
}

/* y = mean + ss A t, where mean is W x: mean and y [outputs][positions], t [rank][positions]. */
GS_INLINE void gs_correct(struct gs_slot slot, GS_GLOBAL const float *mean, uint mean_step, GS_GLOBAL const float *t,
                          uint t_step, GS_GLOBAL float *y, uint outputs, uint positions, uint rank) {
    for (uint j = 0u; j < outputs; j++) {
        for (uint i = 0u; i < positions; i++) {
            float acc = mean[(j * positions + i) * mean_step];
            for (uint k = 0u; k < rank; k++) {
                const float scaled = gs_scaled_noise(slot.ss, t[(k * positions + i) * t_step]);
                acc = gs_fma(slot.a[j * rank + k], scaled, acc);
            }
            y[(j * positions + i) * GS_LANES] = acc;
        }
    }
}

/* y = W x + ss A t. */
GS_INLINE void gs_factored(struct gs_slot slot, GS_GLOBAL const float *x, uint x_step, GS_GLOBAL const float *t, uint t_step,
                           GS_GLOBAL float *y, uint outputs, uint inputs, uint rank) {
    for (uint j = 0u; j < outputs; j++) y[j * GS_LANES] = gs_factored_output(slot, x, x_step, t, t_step, inputs, rank, j);
}

/* y [filters][h][width] = the filters w [filters][c][k][k] over x [c][h][width], k odd, taps outside left out. */
GS_INLINE void gs_conv2d(GS_GLOBAL const float *w, GS_GLOBAL const float *x, uint x_step, GS_GLOBAL float *y, uint filters,
                         uint c, uint h, uint width, uint k) {
    const uint half_size = k / 2u, taps = c * k * k;
    for (uint f = 0u; f < filters; f++) {
        for (uint place = 0u; place < h * width; place++) {
            const uint row = place / width, column = place % width;
            float acc = 0.0f;
            for (uint tap = 0u; tap < taps; tap++) {
                const uint channel = tap / (k * k), i = row + tap / k % k, j = column + tap % k;
                if (i < half_size || j < half_size || i - half_size >= h || j - half_size >= width) continue;
                const uint from = (channel * h + i - half_size) * width + j - half_size;
                acc = gs_fma(w[f * taps + tap], x[from * x_step], acc);
            }
            y[(f * h * width + place) * GS_LANES] = acc;
        }
    }
}

GS_INLINE bool gs_any(GS_GLOBAL const float *flag) { return gs_bits(*flag) != 0; }

#define GS_DRAW_UNIFORM 0u
#define GS_DRAW_NORMAL 1u
#define GS_DRAW_MEMBER 2u

/* A draw of call site `site`, which the row has drawn from `count` times. */
GS_INLINE float gs_draw_row(GS_THREAD const struct gs_tile_context *tile, uint kind, uint site, float count) {
    const ulong row = (ulong)tile->row;
    const ulong place = kind == GS_DRAW_MEMBER ? gs_splitmix64(row) ^ tile->member : row;
    const ulong key = gs_stream_key(tile->streams[site], tile->seed, tile->epoch, place);
    const ulong element = (ulong)count;
    if (kind == GS_DRAW_UNIFORM) return (float)(gs_word_at(key, element) >> 8) * 0x1p-24f;
    return gs_normal_at(key, element);
}

#endif
