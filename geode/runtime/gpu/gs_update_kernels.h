/* gs_update_kernels.h -- ../gs_estimate.c and ../gs_update.c for kernels: a group a block of at most 4096 entries.
 *
 * Sums of squares over a block run in order on one thread; the host, or a thread of each group, adds the blocks up in
 * order. The buffer of scores has them from blocks_at on: those of the estimate, of MUON's momentum, of the change. */
#ifndef GS_UPDATE_KERNELS_H
#define GS_UPDATE_KERNELS_H

#include "gs_context.h"
#include "gs_float64.h"

#define GS_SGD 0u
#define GS_SGDM 1u
#define GS_RMSPROP 2u
#define GS_ADAM 3u
#define GS_MUON 4u

/* fma(d, E, sum) of one pair for entry `place` of a parameter. */
GS_INLINE float gs_add_link(GS_GLOBAL const float *noise, GS_GLOBAL const uint *row, uint rank, uint place, float d, float sum) {
    if ((row[GS_P_FLAGS] & GS_F_FACTORED) == 0u) return gs_fma(d, noise[row[GS_P_NOISE] + place], sum);
    const uint n = row[GS_P_N];
    for (uint q = 0u; q < rank; q++) {
        const float factor = d * noise[row[GS_P_A] + place / n * rank + q];
        sum = gs_fma(factor, noise[row[GS_P_NOISE] + q * n + place % n], sum);
    }
    return sum;
}

/* The sum of the squares of x[count], in order. */
GS_INLINE gs_f64 gs_squares(GS_GLOBAL const float *x, uint count) {
    gs_f64 sum = gs_f64_from_bits(0ul);
    for (uint i = 0u; i < count; i++) {
        const gs_f64 value = gs_f64_of(x[i]);
        sum = sum + value * value;
    }
    return sum;
}

/* The pairs at work, added to the chains; with the last ones the estimate and its squares. */
GS_KERNEL(gs_estimate) {
    for (uint b = gs_group; b < args.blocks; b += args.groups) {
        GS_GLOBAL const uint *block = table + args.block_table + b * GS_BLOCK_WORDS;
        GS_GLOBAL const uint *row = table + block[0] * GS_PARAMETER_WORDS;
        const uint first = block[1], count = block[2], packed = row[GS_P_PACKED];
        const float scale = (row[GS_P_FLAGS] & GS_F_FACTORED) != 0u ? args.scale_factored : args.scale_dense;
        for (uint i = gs_thread; i < count; i += GS_GROUP) {
            const uint place = first + i;
            float total = args.first_pair == 0u ? 0.0f : state[args.total + packed + place];
            float chain = args.first_pair == 0u ? 0.0f : state[args.chain + packed + place];
            for (uint k = 0u; k < args.some_pairs; k++) {
                const uint pair = args.first_pair + k;
                if (pair > 0u && pair % GS_CHAIN_PAIRS == 0u) {
                    total = total + chain;
                    chain = 0.0f;
                }
                const float d = state[args.coefficients + pair];
                if (d != 0.0f) chain = gs_add_link(noise + k * args.noise_stride, row, args.rank, place, d, chain);
            }
            if (args.last_pairs != 0u) {
                state[args.estimate + packed + place] = (total + chain) * scale;
            } else {
                state[args.total + packed + place] = total;
                state[args.chain + packed + place] = chain;
            }
        }
        GS_BARRIER_ALL();
        if (args.last_pairs != 0u && gs_thread == 0u) {
            scores[args.blocks_at + b] = gs_f64_bits(gs_squares(state + args.estimate + packed + first, count));
        }
    }
}

/* The square root of the sum of block sums first ... first + count - 1. */
GS_INLINE gs_f64 gs_root_of_sums(GS_GLOBAL const ulong *sums, uint first, uint count) {
    gs_f64 sum = gs_f64_from_bits(0ul);
    for (uint b = 0u; b < count; b++) sum = sum + gs_f64_from_bits(sums[first + b]);
    return gs_f64_root(sum);
}

/* What UPDATE-CLIP makes of the estimate: a factor, 1 for none. */
GS_INLINE float gs_clip_factor(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores) {
    if (args.clipped == 0u) return 1.0f;
    const gs_f64 norm = gs_root_of_sums(scores, args.blocks_at, args.blocks), most = gs_f64_from_bits(gs_join(args.clip.low, args.clip.high));
    return norm > most ? gs_f64_narrow(most / norm) : 1.0f;
}

GS_INLINE float gs_adam(GS_ARGUMENTS args, GS_GLOBAL float *state, uint place, float g, float w) {
    const float m = args.beta1 * state[args.first + place] + args.kept1 * g;
    const float v = args.beta2 * state[args.second + place] + args.kept2 * g * g;
    state[args.first + place] = m;
    state[args.second + place] = v;
    const float step = args.alpha * gs_divide(m, args.correction1);
    return w + gs_divide(step, gs_root(gs_divide(v, args.correction2)) + args.epsilon);
}

/* One entry's new weight: packed place `place`, of a matrix's entry `entry`. */
GS_INLINE float gs_step(GS_ARGUMENTS args, GS_GLOBAL float *state, GS_GLOBAL const uint *row, uint place, uint entry, float g,
                        float w) {
    if (args.optimizer == GS_SGD) return gs_fma(args.alpha, g, w);
    if (args.optimizer == GS_SGDM) {
        const float v = gs_fma(args.beta, state[args.first + place], g);
        state[args.first + place] = v;
        return gs_fma(args.alpha, v, w);
    }
    if (args.optimizer == GS_RMSPROP) {
        const float q = args.beta * state[args.second + place] + args.kept * g * g;
        state[args.second + place] = q;
        return w + gs_divide(args.alpha * g, gs_root(q) + args.epsilon);
    }
    if (args.optimizer == GS_ADAM || (row[GS_P_FLAGS] & GS_F_MUON) == 0u) return gs_adam(args, state, place, g, w);
    const uint n = row[GS_P_N], m = row[GS_P_M];
    const uint at = (row[GS_P_FLAGS] & GS_F_TALL) != 0u ? entry % n * m + entry / n : entry;
    return gs_fma(gs_as_float((int)row[GS_P_MUON_STEP]), state[row[GS_P_MUON_X] + at], w);
}

/* New weights for entries first ... first + count - 1 of a parameter, by the threads of a group. */
GS_INLINE void gs_update_entries(GS_ARGUMENTS args, GS_GLOBAL float *state, GS_GLOBAL const uint *row, uint first, uint count,
                                 float factor, uint me) {
    const uint packed = row[GS_P_PACKED];
    GS_GLOBAL float *theta = state + args.theta + row[GS_P_THETA] + first;
    GS_GLOBAL float *before = state + args.old_theta + row[GS_P_THETA] + first;
    for (uint i = me; i < count; i += GS_GROUP) {
        const uint place = packed + first + i;
        float w = theta[i];
        before[i] = w;
        if (args.decay != 0.0f) w = w - args.decay * w;
        float g = state[args.estimate + place];
        if (factor != 1.0f) g = factor * g;
        theta[i] = gs_step(args, state, row, place, first + i, g, w);
    }
}

/* The squares of a block's change, summed in order. */
GS_INLINE void gs_sum_change(GS_ARGUMENTS args, GS_GLOBAL const float *state, GS_GLOBAL ulong *scores,
                             GS_GLOBAL const uint *table, uint b) {
    GS_GLOBAL const uint *block = table + args.block_table + b * GS_BLOCK_WORDS;
    const uint at = table[block[0] * GS_PARAMETER_WORDS + GS_P_THETA] + block[1], count = block[2];
    gs_f64 sum = gs_f64_from_bits(0ul);
    for (uint i = 0u; i < count; i++) {
        const gs_f64 change = gs_f64_of(state[args.theta + at + i]) - gs_f64_of(state[args.old_theta + at + i]);
        sum = sum + change * change;
    }
    scores[args.blocks_at + 2u * args.blocks + b] = gs_f64_bits(sum);
}

GS_KERNEL(gs_update) {
    GS_SHARED float clip[1];
    if (gs_thread == 0u) clip[0] = gs_clip_factor(args, scores);
    GS_BARRIER();
    const float factor = clip[0];
    for (uint b = gs_group; b < args.blocks; b += args.groups) {
        GS_GLOBAL const uint *block = table + args.block_table + b * GS_BLOCK_WORDS;
        gs_update_entries(args, state, table + block[0] * GS_PARAMETER_WORDS, block[1], block[2], factor, gs_thread);
        GS_BARRIER_ALL();
        if (gs_thread == 0u) gs_sum_change(args, state, scores, table, b);
    }
}

#endif
