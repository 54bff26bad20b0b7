/* gs_muon_kernels.h -- ../gs_muon.c for kernels: momentum, its direction made orthogonal, new weights.
 *
 * Every entry of a product is one chain over the inner index from +0. gs_update_muon does all of an update: a group takes a
 * matrix, so that the steps of a matrix wait for nothing but a barrier, and all matrices are one dispatch. A matrix that
 * would keep one group busy for too long goes through gs_momentum, gs_begin, three times gs_multiply a step, gs_update, each
 * a dispatch of all groups. */
#ifndef GS_MUON_KERNELS_H
#define GS_MUON_KERNELS_H

#include "gs_update_kernels.h"

#define GS_TARGET_A 0u /* sum */
#define GS_TARGET_Y 1u /* c sum + b A */
#define GS_TARGET_X 2u /* a X + sum, to the other X */

/* Entry `place` of the momentum, with the estimate clipped. */
GS_INLINE void gs_add_momentum(GS_ARGUMENTS args, GS_GLOBAL float *state, uint place, float factor) {
    float g = state[args.estimate + place];
    if (factor != 1.0f) g = factor * g;
    state[args.first + place] = gs_fma(args.beta, state[args.first + place], g);
}

/* The squares of a block's momentum, summed in order. */
GS_INLINE void gs_sum_momentum(GS_ARGUMENTS args, GS_GLOBAL const float *state, GS_GLOBAL ulong *scores,
                               GS_GLOBAL const uint *table, uint b) {
    GS_GLOBAL const uint *block = table + args.block_table + b * GS_BLOCK_WORDS;
    const uint place = table[block[0] * GS_PARAMETER_WORDS + GS_P_PACKED] + block[1];
    scores[args.blocks_at + args.blocks + b] = gs_f64_bits(gs_squares(state + args.first + place, block[2]));
}

/* What X = M / norm divides by, rounded to float32; false where the norm is 0, and X with it. */
GS_INLINE bool gs_momentum_norm(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores, uint first, uint count,
                                GS_THREAD float *norm) {
    const gs_f64 root = gs_root_of_sums(scores, args.blocks_at + args.blocks + first, count);
    *norm = gs_f64_narrow(root);
    return !gs_f64_is_zero(root);
}

/* Entry i of M to its place in X, whose rows are the shorter side. */
GS_INLINE void gs_put_x(GS_ARGUMENTS args, GS_GLOBAL float *state, GS_GLOBAL const uint *row, uint x, uint i, float norm,
                        bool some) {
    const uint m = row[GS_P_M], n = row[GS_P_N];
    const uint at = (row[GS_P_FLAGS] & GS_F_TALL) != 0u ? i % n * m + i / n : i;
    state[x + at] = some ? gs_divide(state[args.first + row[GS_P_PACKED] + i], norm) : 0.0f;
}

#define GS_MUON_A 3.4445f
#define GS_MUON_B (-4.7750f)
#define GS_MUON_C 2.0315f

/* --- a group a matrix */

#define GS_SQUARE 64u /* side of what a group makes of a product at a time: 4 x 4 entries a thread */
#define GS_DEPTH 16u  /* of the pieces of both matrices in shared memory */
#define GS_LEFT_STRIDE 17u
#define GS_RIGHT_STRIDE 65u

/* left [rows][inner] times right [inner][columns], all of them places in the state; transposed: right is stored
 * [columns][inner]. Where the result is symmetric, what lies below the diagonal is written with what lies above it. */
struct gs_product {
    uint left, right, out, rows, inner, columns, target, old; /* old: A for Y, X for the other X */
};

/* The pieces left [64][16] and right [16][64] from inner index `start` on; what lies outside a matrix is not defined. */
GS_INLINE void gs_load_pieces(GS_GLOBAL const float *state, GS_SHARED_FLOATS left, GS_SHARED_FLOATS right, struct gs_product p,
                              uint row, uint column, uint start, uint me) {
    for (uint e = me; e < GS_SQUARE * GS_DEPTH; e += GS_GROUP) {
        const uint high = e / GS_DEPTH, k = e % GS_DEPTH;
        if (row + high < p.rows && start + k < p.inner) {
            left[high * GS_LEFT_STRIDE + k] = state[p.left + (row + high) * p.inner + start + k];
        }
        if (p.target == GS_TARGET_A && column + high < p.columns && start + k < p.inner) { /* X transposed */
            right[k * GS_RIGHT_STRIDE + high] = state[p.right + (column + high) * p.inner + start + k];
        }
        const uint other = e / GS_SQUARE, j = e % GS_SQUARE;
        if (p.target != GS_TARGET_A && column + j < p.columns && start + other < p.inner) {
            right[other * GS_RIGHT_STRIDE + j] = state[p.right + (start + other) * p.columns + column + j];
        }
    }
}

GS_INLINE void gs_put_product(GS_GLOBAL float *state, struct gs_product p, uint i, uint j, float sum) {
    const uint place = i * p.columns + j;
    if (p.target == GS_TARGET_X) {
        state[p.out + place] = gs_fma(GS_MUON_A, state[p.old + place], sum);
        return;
    }
    const float entry = p.target == GS_TARGET_Y ? gs_fma(GS_MUON_C, sum, state[p.old + place] * GS_MUON_B) : sum;
    state[p.out + place] = entry;
    state[p.out + j * p.columns + i] = entry;
}

/* A product by the threads of a group. */
GS_INLINE void gs_group_product(GS_GLOBAL float *state, GS_SHARED_FLOATS left, GS_SHARED_FLOATS right, struct gs_product p,
                                uint me) {
    const uint across = (p.columns + GS_SQUARE - 1u) / GS_SQUARE, down = (p.rows + GS_SQUARE - 1u) / GS_SQUARE;
    const uint r = me / 16u, c = me % 16u;
    for (uint square = 0u; square < across * down; square++) {
        const uint row = square / across * GS_SQUARE, column = square % across * GS_SQUARE;
        if (p.target != GS_TARGET_X && row > column) continue;
        float sum[16];
        GS_UNROLL
        for (uint e = 0u; e < 16u; e++) sum[e] = 0.0f;
        for (uint start = 0u; start < p.inner; start += GS_DEPTH) {
            const uint depth = p.inner - start < GS_DEPTH ? p.inner - start : GS_DEPTH;
            gs_load_pieces(state, left, right, p, row, column, start, me);
            GS_BARRIER();
            for (uint k = 0u; k < depth; k++) {
                float a[4];
                float b[4];
                GS_UNROLL
                for (uint e = 0u; e < 4u; e++) {
                    a[e] = left[(r + 16u * e) * GS_LEFT_STRIDE + k];
                    b[e] = right[k * GS_RIGHT_STRIDE + c + 16u * e];
                }
                GS_UNROLL
                for (uint e = 0u; e < 16u; e++) sum[e] = gs_fma(a[e / 4u], b[e % 4u], sum[e]);
            }
            GS_BARRIER();
        }
        GS_UNROLL
        for (uint e = 0u; e < 16u; e++) {
            const uint i = row + r + 16u * (e / 4u), j = column + c + 16u * (e % 4u);
            const bool below = p.target != GS_TARGET_X && i > j;
            if (i < p.rows && j < p.columns && !below) gs_put_product(state, p, i, j, sum[e]);
        }
    }
    GS_BARRIER_ALL();
}

/* The update of one matrix by the threads of a group: momentum, X = M / norm, the steps, new weights. norm [2]. */
GS_INLINE void gs_update_matrix(GS_ARGUMENTS args, GS_GLOBAL float *state, GS_GLOBAL ulong *scores, GS_GLOBAL const uint *table,
                                GS_SHARED_FLOATS left, GS_SHARED_FLOATS right, GS_SHARED_FLOATS norm, uint number, float factor,
                                uint me) {
    GS_GLOBAL const uint *matrix = table + args.matrix_table + number * GS_MATRIX_WORDS;
    GS_GLOBAL const uint *of_parameter = table + matrix[GS_M_PARAMETER] * GS_PARAMETER_WORDS;
    const uint entries = of_parameter[GS_P_ENTRIES], first = matrix[GS_M_BLOCK], blocks = matrix[GS_M_BLOCKS];
    for (uint i = me; i < entries; i += GS_GROUP) gs_add_momentum(args, state, of_parameter[GS_P_PACKED] + i, factor);
    GS_BARRIER_ALL();
    for (uint b = me; b < blocks; b += GS_GROUP) gs_sum_momentum(args, state, scores, table, first + b);
    GS_BARRIER_ALL();
    if (me == 0u) {
        float value;
        norm[1] = gs_momentum_norm(args, scores, first, blocks, &value) ? 1.0f : 0.0f;
        norm[0] = value;
    }
    GS_BARRIER();
    /* X and the other one take turns, so that the last is where the new weights look. */
    const bool even = args.muon_steps % 2u == 0u;
    uint x = even ? matrix[GS_M_X] : matrix[GS_M_OTHER], other = even ? matrix[GS_M_OTHER] : matrix[GS_M_X];
    const float divisor = norm[0];
    const bool some = norm[1] != 0.0f;
    for (uint i = me; i < entries; i += GS_GROUP) gs_put_x(args, state, of_parameter, x, i, divisor, some);
    GS_BARRIER_ALL();
    const uint m = of_parameter[GS_P_M], n = of_parameter[GS_P_N], rows = m < n ? m : n, columns = m < n ? n : m;
    struct gs_product p;
    p.rows = rows;
    for (uint step = 0u; step < args.muon_steps; step++) {
        p.left = x;
        p.right = x;
        p.out = matrix[GS_M_A];
        p.inner = columns;
        p.columns = rows;
        p.target = GS_TARGET_A;
        p.old = x;
        gs_group_product(state, left, right, p, me);
        p.left = matrix[GS_M_A];
        p.right = matrix[GS_M_A];
        p.out = matrix[GS_M_Y];
        p.inner = rows;
        p.target = GS_TARGET_Y;
        p.old = matrix[GS_M_A];
        gs_group_product(state, left, right, p, me);
        p.left = matrix[GS_M_Y];
        p.right = x;
        p.out = other;
        p.columns = columns;
        p.target = GS_TARGET_X;
        p.old = x;
        gs_group_product(state, left, right, p, me);
        const uint swap = x;
        x = other;
        other = swap;
    }
    gs_update_entries(args, state, of_parameter, 0u, entries, factor, me);
    GS_BARRIER_ALL();
    for (uint b = me; b < blocks; b += GS_GROUP) gs_sum_change(args, state, scores, table, first + b);
}

GS_KERNEL(gs_update_muon) {
    GS_SHARED float left[1088];
    GS_SHARED float right[1040];
    GS_SHARED float norm[2];
    GS_SHARED float clip[1];
    if (gs_thread == 0u) clip[0] = gs_clip_factor(args, scores);
    GS_BARRIER();
    const float factor = clip[0];
    for (uint item = gs_group; item < args.matrices + args.blocks; item += args.groups) {
        if (item < args.matrices) {
            gs_update_matrix(args, state, scores, table, left, right, norm, item, factor, gs_thread);
            continue;
        }
        GS_GLOBAL const uint *block = table + args.block_table + (item - args.matrices) * GS_BLOCK_WORDS;
        GS_GLOBAL const uint *of_parameter = table + block[0] * GS_PARAMETER_WORDS;
        if ((of_parameter[GS_P_FLAGS] & GS_F_MUON) != 0u) continue;
        gs_update_entries(args, state, of_parameter, block[1], block[2], factor, gs_thread);
        GS_BARRIER_ALL();
        if (gs_thread == 0u) gs_sum_change(args, state, scores, table, item - args.matrices);
    }
}

/* --- all groups a matrix */

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
        for (uint i = gs_thread; whole && i < count; i += GS_GROUP) gs_add_momentum(args, state, place + i, factor);
        GS_BARRIER_ALL();
        if (whole && gs_thread == 0u) gs_sum_momentum(args, state, scores, table, b);
    }
}

/* X = M / norm. args.parameter is the matrix, its blocks are args.left ... args.left + args.right - 1. */
GS_KERNEL(gs_begin) {
    GS_SHARED float norm[2]; /* rounded to float32, and 0 exactly where it is 0 */
    if (gs_thread == 0u) {
        float value;
        norm[1] = gs_momentum_norm(args, scores, args.left, args.right, &value) ? 1.0f : 0.0f;
        norm[0] = value;
    }
    GS_BARRIER();
    const float divisor = norm[0];
    const bool some = norm[1] != 0.0f;
    GS_GLOBAL const uint *row = table + args.parameter * GS_PARAMETER_WORDS;
    for (uint i = gs_group * GS_GROUP + gs_thread; i < row[GS_P_ENTRIES]; i += args.groups * GS_GROUP) {
        gs_put_x(args, state, row, args.muon_x, i, divisor, some);
    }
}

/* left [rows][inner] times right [inner][columns] (transposed: right is stored [columns][inner]) to its target: a group makes
 * a square of 16 x 16 entries at a time. */
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
            const uint depth = args.m_inner - start < GS_TILE_SIDE ? args.m_inner - start : GS_TILE_SIDE;
            const bool in_left = i < args.m_rows && c < depth;
            const bool in_right = j < args.m_columns && r < depth;
            left[gs_thread] = in_left ? state[args.left + i * args.m_inner + start + c] : 0.0f;
            const uint at = args.transposed != 0u ? j * args.m_inner + start + r : (start + r) * args.m_columns + j;
            right[gs_thread] = in_right ? state[args.right + at] : 0.0f;
            GS_BARRIER();
            for (uint k = 0u; k < depth; k++) sum = gs_fma(left[r * GS_TILE_SIDE + k], right[k * GS_TILE_SIDE + c], sum);
            GS_BARRIER();
        }
        if (i >= args.m_rows || j >= args.m_columns) continue;
        const uint place = i * args.m_columns + j;
        if (args.target == GS_TARGET_A) {
            state[args.muon_a + place] = sum;
        } else if (args.target == GS_TARGET_Y) {
            state[args.muon_y + place] = gs_fma(GS_MUON_C, sum, state[args.muon_a + place] * GS_MUON_B);
        } else {
            state[args.muon_other + place] = gs_fma(GS_MUON_A, state[args.muon_x + place], sum);
        }
    }
}

#endif
