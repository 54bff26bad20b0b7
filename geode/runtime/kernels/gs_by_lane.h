/* gs_by_lane.h -- layers over a tile whose lanes are rows of different members, each with weights of its own.
 *
 * Weights stand [n][GS_LANES]. The chains of every lane are those of gs_linear.h and gs_factored.h (engine.md,
 * geode-arith-1), so a member's values are the same bits in either form. `uniform` (a literal): the operand before the
 * result is the same for all lanes, [k] instead of [k][GS_LANES].
 */
#ifndef GS_BY_LANE_H
#define GS_BY_LANE_H

#include "../gs_program.h"
#include "gs_linear.h"

#define GS_BY_LANE_OUTPUTS 4 /* weights are loaded once; more chains at once only keep the multipliers busy */

/* Number i of a value at vector q: x [k][GS_LANES], or [k] if uniform. */
GS_INLINE gs_vec gs_lane_number(const float *x, size_t i, size_t q, const int uniform) {
    return uniform ? gs_set(x[i]) : gs_load(x + i * GS_LANES + q * GS_VEC);
}

/* acc[outputs] (a literal, at most GS_BY_LANE_OUTPUTS) = W x at vector q: w [outputs][inputs][GS_LANES]. */
GS_INLINE void gs_by_lane_chains(gs_vec *acc, const float *restrict w, const float *restrict x, const size_t inputs,
                                 const size_t q, const int outputs, const int uniform) {
    GS_UNROLL
    for (int j = 0; j < outputs; j++) acc[j] = gs_set(0.0f);
    for (size_t i = 0; i < inputs; i++) {
        const gs_vec in = gs_lane_number(x, i, q, uniform);
        GS_UNROLL
        for (int j = 0; j < outputs; j++) {
            acc[j] = gs_fma(gs_load(w + ((size_t)j * inputs + i) * GS_LANES + q * GS_VEC), in, acc[j]);
        }
    }
}

GS_INLINE void gs_linear_by_lane_block(const float *restrict w, const float *restrict x, float *restrict y,
                                       const size_t inputs, const size_t q, const int outputs, const int uniform) {
    gs_vec acc[GS_BY_LANE_OUTPUTS];
    gs_by_lane_chains(acc, w, x, inputs, q, outputs, uniform);
    GS_UNROLL
    for (int j = 0; j < outputs; j++) gs_store(y + (size_t)j * GS_LANES + q * GS_VEC, acc[j]);
}

/* y = W x: w [outputs][inputs][GS_LANES], x [inputs][GS_LANES] or [inputs], y [outputs][GS_LANES]. */
GS_INLINE void gs_linear_by_lane(const float *restrict w, const float *restrict x, float *restrict y,
                                 const size_t outputs, const size_t inputs, const int uniform) {
    for (size_t q = 0; q < GS_VECS; q++) {
        size_t j = 0;
        for (; j + GS_BY_LANE_OUTPUTS <= outputs; j += GS_BY_LANE_OUTPUTS) {
            gs_linear_by_lane_block(w + j * inputs * GS_LANES, x, y + j * GS_LANES, inputs, q, GS_BY_LANE_OUTPUTS,
                                    uniform);
        }
        for (; j < outputs; j++) {
            gs_linear_by_lane_block(w + j * inputs * GS_LANES, x, y + j * GS_LANES, inputs, q, 1, uniform);
        }
    }
}

/* y = mean + ss A t, where mean is W x: slot->a [outputs][rank][GS_LANES], slot->ss_by_lane [GS_LANES], t
 * [rank][positions][GS_LANES], mean and y [outputs][positions][GS_LANES], mean [outputs][positions] if uniform; y may
 * be mean itself. */
GS_INLINE void gs_correct_by_lane(const struct gs_slot *slot, const float *mean, const float *t, float *y,
                                  const size_t outputs, const size_t positions, const size_t rank, const int uniform) {
    for (size_t j = 0; j < outputs; j++) {
        for (size_t i = 0; i < positions; i++) {
            for (size_t q = 0; q < GS_VECS; q++) {
                gs_vec acc = gs_lane_number(mean, j * positions + i, q, uniform);
                for (size_t k = 0; k < rank; k++) {
                    const gs_vec number = gs_load(t + (k * positions + i) * GS_LANES + q * GS_VEC);
                    const gs_vec scaled = gs_scaled_noise(gs_load(slot->ss_by_lane + q * GS_VEC), number);
                    acc = gs_fma(gs_load(slot->a + (j * rank + k) * GS_LANES + q * GS_VEC), scaled, acc);
                }
                gs_store(y + (j * positions + i) * GS_LANES + q * GS_VEC, acc);
            }
        }
    }
}

/* y = W x + ss A t: slot->w [outputs][inputs] is that of all members, x [inputs][GS_LANES] or [inputs], t
 * [rank][GS_LANES], y [outputs][GS_LANES]. */
GS_INLINE void gs_factored_by_lane(const struct gs_slot *slot, const float *restrict x, const float *restrict t,
                                   float *restrict y, const size_t outputs, const size_t inputs, const size_t rank,
                                   const int uniform) {
    if (uniform) {
        for (size_t j = 0; j < outputs; j++) {
            float acc = 0.0f;
            for (size_t i = 0; i < inputs; i++) acc = __builtin_fmaf(slot->w[j * inputs + i], x[i], acc);
            for (size_t q = 0; q < GS_VECS; q++) gs_store(y + j * GS_LANES + q * GS_VEC, gs_set(acc));
        }
    } else {
        gs_linear(slot->w, x, y, outputs, inputs);
    }
    gs_correct_by_lane(slot, y, t, y, outputs, 1, rank, 0);
}

#endif
