/* gs_muon_kernels.h -- ../gs_muon.c for kernels: momentum, its direction made orthogonal, a matrix at a time.
 *
 * Every entry of a product is one chain over the inner index from +0. A group makes a square of 16 x 16 entries from pieces
 * of both matrices in shared memory; what lies outside a matrix is 0, and a link fma(0, 0, sum) changes no sum. */
#ifndef GS_MUON_KERNELS_H
#define GS_MUON_KERNELS_H

#include "gs_update_kernels.h"

#define GS_TARGET_A 0u /* sum */
#define GS_TARGET_Y 1u /* c sum + b A */
#define GS_TARGET_X 2u /* a X + sum, to the other X */

GS_KERNEL(gs_momentum) {
    GS_SHARED float clip[1];
    if (gs_thread == 0u) clip[0] = gs_clip_factor(args, scores);
    GS_BARRIER();
    const float factor = clip[0];
    for (uint b = gs_group; b < args.blocks; b += args.groups) {
        GS_GLOBAL const uint *block = table + args.block_table + b * GS_BLOCK_WORDS;
        GS_GLOBAL const uint *row = table + block[0] * GS_PARAMETER_WORDS;
        const bool whole = (row[GS_P_FLAGS] & GS_F_MUON) != 0u;
        const uint place = row[GS_P_PACKED] + block[1], count = block[2];
        for (uint i = gs_thread; whole && i < count; i += GS_GROUP) {
            float g = state[args.estimate + place + i];
            if (factor != 1.0f) g = factor * g;
            state[args.first + place + i] = gs_fma(args.beta, state[args.first + place + i], g);
        }
        GS_BARRIER_ALL();
        if (whole && gs_thread == 0u) {
            scores[args.blocks_at + args.blocks + b] = gs_f64_bits(gs_squares(state + args.first + place, count));
        }
    }
}

/* X = M / norm with its rows the shorter side; all 0 where the norm is. args.parameter is the matrix, its blocks are
 * args.left ... args.left + args.right - 1. */
GS_KERNEL(gs_begin) {
    GS_SHARED float norm[2]; /* rounded to float32, and 0 exactly where it is 0 */
    if (gs_thread == 0u) {
        const gs_f64 root = gs_root_of_sums(scores, args.blocks_at + args.blocks + args.left, args.right);
        norm[0] = gs_f64_narrow(root);
        norm[1] = gs_f64_is_zero(root) ? 0.0f : 1.0f;
    }
    GS_BARRIER();
    const float divisor = norm[0];
    const bool none = norm[1] == 0.0f;
    GS_GLOBAL const uint *row = table + args.parameter * GS_PARAMETER_WORDS;
    const uint m = row[GS_P_M], n = row[GS_P_N];
    const bool tall = (row[GS_P_FLAGS] & GS_F_TALL) != 0u;
    for (uint i = gs_group * GS_GROUP + gs_thread; i < m * n; i += args.groups * GS_GROUP) {
        const float value = none ? 0.0f : gs_divide(state[args.first + row[GS_P_PACKED] + i], divisor);
        state[args.muon_x + (tall ? i % n * m + i / n : i)] = value;
    }
}

/* left [rows][inner] times right [inner][columns] (transposed: right is stored [columns][inner]) to its target. */
GS_KERNEL(gs_multiply) {
    GS_SHARED float left[256];
    GS_SHARED float right[256];
    const uint across = (args.m_columns + GS_TILE_SIDE - 1u) / GS_TILE_SIDE;
    const uint down = (args.m_rows + GS_TILE_SIDE - 1u) / GS_TILE_SIDE;
    const uint r = gs_thread / GS_TILE_SIDE, c = gs_thread % GS_TILE_SIDE;
    for (uint square = gs_group; square < across * down; square += args.groups) {
        const uint i = square / across * GS_TILE_SIDE + r, j = square % across * GS_TILE_SIDE + c;
        float sum = 0.0f;
        for (uint start = 0u; start < args.m_inner; start += GS_TILE_SIDE) {
            const bool in_left = i < args.m_rows && start + c < args.m_inner;
            const bool in_right = j < args.m_columns && start + r < args.m_inner;
            left[gs_thread] = in_left ? state[args.left + i * args.m_inner + start + c] : 0.0f;
            const uint at = args.transposed != 0u ? j * args.m_inner + start + r : (start + r) * args.m_columns + j;
            right[gs_thread] = in_right ? state[args.right + at] : 0.0f;
            GS_BARRIER();
            for (uint k = 0u; k < GS_TILE_SIDE; k++) sum = gs_fma(left[r * GS_TILE_SIDE + k], right[k * GS_TILE_SIDE + c], sum);
            GS_BARRIER();
        }
        if (i >= args.m_rows || j >= args.m_columns) continue;
        const uint place = i * args.m_columns + j;
        if (args.target == GS_TARGET_A) {
            state[args.muon_a + place] = sum;
        } else if (args.target == GS_TARGET_Y) {
            state[args.muon_y + place] = gs_fma(2.0315f, sum, -4.7750f * state[args.muon_a + place]);
        } else {
            state[args.muon_other + place] = gs_fma(3.4445f, state[args.muon_x + place], sum);
        }
    }
}

#endif
