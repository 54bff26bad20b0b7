/* gs_factored.h -- layers under noise of low rank: y = W x + (s sigma / sqrt r) A (B' x), never the matrix A B'.
 *
 * t = B' x comes from gs_linear over the rows of slot->b. The chain of an output goes on from W x over the rank
 * (engine.md, geode-arith-1): acc = fma(A[j,q], ss t_q, acc) for q ascending, ss t_q rounded on its own, and +0 where
 * there is no noise (ss = 0), whatever t is. Done in the registers of the block, and by gs_correct on a W x that was made
 * before: the same bits. Sizes are literals in generated code.
 */
#ifndef GS_FACTORED_H
#define GS_FACTORED_H

#include "../gs_program.h"
#include "gs_linear.h"

/* The chains acc[outputs][vectors] go on over the rank: a [outputs][rank], t at the first of the vectors of element 0. */
GS_INLINE void gs_factored_chains(gs_vec acc[8][3], const float *restrict a, const float ss, const float *restrict t,
                                  const size_t rank, const int outputs, const int vectors) {
    for (size_t k = 0; k < rank; k++) {
        gs_vec scaled[3];
        GS_UNROLL
        for (int q = 0; q < vectors; q++) {
            scaled[q] = gs_scaled_noise(gs_set(ss), gs_load(t + k * GS_LANES + (size_t)q * GS_VEC));
        }
        GS_UNROLL
        for (int j = 0; j < outputs; j++) {
            const gs_vec factor = gs_set(a[(size_t)j * rank + k]);
            GS_UNROLL
            for (int q = 0; q < vectors; q++) acc[j][q] = gs_fma(factor, scaled[q], acc[j][q]);
        }
    }
}

/* `outputs` outputs of `vectors` vectors; w and a begin at the first of these outputs. */
GS_INLINE void gs_factored_block(const float *restrict w, const float *restrict a, const float ss,
                                 const float *restrict x, const float *restrict t, float *restrict y,
                                 const size_t inputs, const size_t rank, const int outputs, const int vectors) {
    gs_vec acc[8][3];
    gs_block_clear(acc, outputs, vectors);
    gs_linear_chains(acc, w, x, inputs, outputs, vectors);
    gs_factored_chains(acc, a, ss, t, rank, outputs, vectors);
    gs_block_store(y, acc, outputs, vectors);
}

/* All outputs of `vectors` vectors. */
GS_INLINE void gs_factored_column(const struct gs_slot *slot, const float *restrict x, const float *restrict t,
                                  float *restrict y, const size_t outputs, const size_t inputs, const size_t rank,
                                  const int vectors) {
    const float *restrict w = slot->w, *restrict a = slot->a;
    const float ss = slot->ss;
    size_t j = 0;
    for (; j + GS_BLOCK_OUTPUTS <= outputs; j += GS_BLOCK_OUTPUTS) {
        gs_factored_block(w + j * inputs, a + j * rank, ss, x, t, y + j * GS_LANES, inputs, rank, GS_BLOCK_OUTPUTS,
                          vectors);
    }
    w += j * inputs;
    a += j * rank;
    y += j * GS_LANES;
    switch (outputs - j) {
    case 1: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 1, vectors); break;
    case 2: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 2, vectors); break;
    case 3: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 3, vectors); break;
    case 4: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 4, vectors); break;
    case 5: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 5, vectors); break;
    case 6: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 6, vectors); break;
    case 7: gs_factored_block(w, a, ss, x, t, y, inputs, rank, 7, vectors); break;
    default: break;
    }
}

/* y = W x + ss A t over one tile: x [inputs][GS_LANES], t [rank][GS_LANES], y [outputs][GS_LANES]. */
GS_INLINE void gs_factored(const struct gs_slot *slot, const float *restrict x, const float *restrict t,
                           float *restrict y, const size_t outputs, const size_t inputs, const size_t rank) {
    int q = 0;
    for (; q + 3 <= GS_VECS; q += 3) {
        const size_t lane = (size_t)q * GS_VEC;
        gs_factored_column(slot, x + lane, t + lane, y + lane, outputs, inputs, rank, 3);
    }
    const size_t lane = (size_t)q * GS_VEC;
    if (GS_VECS - q == 2) gs_factored_column(slot, x + lane, t + lane, y + lane, outputs, inputs, rank, 2);
    if (GS_VECS - q == 1) gs_factored_column(slot, x + lane, t + lane, y + lane, outputs, inputs, rank, 1);
}

/* y = mean + ss A t over one tile, where mean is W x; an output and a number of t are `positions` elements each (those
 * of a picture): mean and y [outputs][positions][GS_LANES], t [rank][positions][GS_LANES]. */
GS_INLINE void gs_correct(const struct gs_slot *slot, const float *restrict mean, const float *restrict t,
                          float *restrict y, const size_t outputs, const size_t positions, const size_t rank) {
    const size_t lanes = positions * GS_LANES;
    for (size_t j = 0; j < outputs; j++) {
        for (size_t i = 0; i < lanes; i += GS_VEC) {
            gs_vec acc = gs_load(mean + j * lanes + i);
            for (size_t k = 0; k < rank; k++) {
                const gs_vec scaled = gs_scaled_noise(gs_set(slot->ss), gs_load(t + k * lanes + i));
                acc = gs_fma(gs_set(slot->a[j * rank + k]), scaled, acc);
            }
            gs_store(y + j * lanes + i, acc);
        }
    }
}

/* The same for one uniform value: mean and y [outputs][positions], t [rank][positions], no lanes. */
GS_INLINE void gs_correct_uniform(const struct gs_slot *slot, const float *mean, const float *t, float *y,
                                  const size_t outputs, const size_t positions, const size_t rank) {
    for (size_t j = 0; j < outputs; j++) {
        for (size_t i = 0; i < positions; i++) {
            float acc = mean[j * positions + i];
            for (size_t k = 0; k < rank; k++) {
                const float scaled = slot->ss != 0.0f ? slot->ss * t[k * positions + i] : 0.0f;
                acc = __builtin_fmaf(slot->a[j * rank + k], scaled, acc);
            }
            y[j * positions + i] = acc;
        }
    }
}

GS_INLINE void gs_factored_uniform(const struct gs_slot *slot, const float *restrict x, const float *restrict t,
                                   float *restrict y, const size_t outputs, const size_t inputs, const size_t rank) {
    gs_linear_uniform(slot->w, x, y, outputs, inputs);
    gs_correct_uniform(slot, y, t, y, outputs, 1, rank);
}

#endif
