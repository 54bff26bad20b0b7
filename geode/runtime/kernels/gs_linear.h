/* gs_linear.h -- layers over a tile: y = W x, W x + b and the like.
 *
 * Every output is one chain acc = fma(W[j,i], x[i], acc) from +0 for i ascending (engine.md, geode-arith-1); the register
 * block (outputs x vectors) only decides how many chains run at once, so it never changes a bit. W is row-major
 * [outputs][inputs] as it lies in memory, each weight broadcast to a vector. Sizes are literals in generated code.
 */
#ifndef GS_LINEAR_H
#define GS_LINEAR_H

#include "../gs_tile.h"

/* Accumulators are outputs x vectors; with 16 registers (AVX2) 4 x 3 leave room for three inputs and one weight. */
#if defined(__AVX512F__) || defined(__aarch64__)
#define GS_BLOCK_OUTPUTS 8
#else
#define GS_BLOCK_OUTPUTS 4
#endif

/* How a loop of emitted code goes over a layer's outputs: whole blocks, then the rest; and over the vectors of a tile
 * in groups, all of one size. */
#define GS_GROUP (GS_VECS % 3 == 0 ? 3 : GS_VECS % 2 == 0 ? 2 : 1)
#define GS_GROUPS (GS_VECS / GS_GROUP)

#define GS_FETCHED_INPUTS 256 /* of a layer from which on its weights are fetched ahead */
#define GS_LINE_FLOATS 16     /* of a line of the caches */

/* Functions and no constants, since compilers warn of a loop that ends at the constant 0. */
GS_INLINE size_t gs_blocks(const size_t outputs) { return outputs / GS_BLOCK_OUTPUTS; }
GS_INLINE size_t gs_rest(const size_t outputs) { return outputs % GS_BLOCK_OUTPUTS; }

/* The chains acc[outputs][vectors] (at most 8 x 3, both literals) go on over inputs [first, end): w [outputs][inputs], x
 * points at the first of the vectors of element 0. */
GS_INLINE void gs_linear_some(gs_vec acc[8][3], const float *restrict w, const float *restrict x, const size_t inputs,
                              const size_t first, const size_t end, const int outputs, const int vectors) {
    GS_ROLLED
    for (size_t i = first; i < end; i++) {
        gs_vec in[3];
        GS_UNROLL
        for (int q = 0; q < vectors; q++) in[q] = gs_load(x + i * GS_LANES + (size_t)q * GS_VEC);
        GS_UNROLL
        for (int j = 0; j < outputs; j++) {
            const gs_vec weight = gs_set(w[(size_t)j * inputs + i]);
            GS_UNROLL
            for (int q = 0; q < vectors; q++) acc[j][q] = gs_fma(weight, in[q], acc[j][q]);
        }
    }
}

/* The same over all inputs. The weights of a wide layer come from the outer caches, and their rows are too short for the
 * processor to foresee where it goes on: while a block is computed, those of the next are fetched, line by line. */
GS_INLINE void gs_linear_chains(gs_vec acc[8][3], const float *restrict w, const float *restrict x, const size_t inputs,
                                const int outputs, const int vectors) {
    if (inputs < GS_FETCHED_INPUTS) {
        gs_linear_some(acc, w, x, inputs, 0, inputs, outputs, vectors);
        return;
    }
    const float *const next = w + (size_t)outputs * inputs;
    for (size_t i = 0; i < inputs; i += GS_LINE_FLOATS) {
        GS_UNROLL
        for (int j = 0; j < outputs; j++) __builtin_prefetch(next + (size_t)j * inputs + i);
        const size_t end = i + GS_LINE_FLOATS < inputs ? i + GS_LINE_FLOATS : inputs;
        gs_linear_some(acc, w, x, inputs, i, end, outputs, vectors);
    }
}

/* acc[outputs][vectors] = +0. */
GS_INLINE void gs_block_clear(gs_vec acc[8][3], const int outputs, const int vectors) {
    GS_UNROLL
    for (int j = 0; j < outputs; j++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) acc[j][q] = gs_set(0.0f);
    }
}

/* acc[outputs][vectors] from y, which points at the first of the vectors of element 0. */
GS_INLINE void gs_block_load(const float *restrict y, gs_vec acc[8][3], const int outputs, const int vectors) {
    GS_UNROLL
    for (int j = 0; j < outputs; j++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) acc[j][q] = gs_load(y + (size_t)j * GS_LANES + (size_t)q * GS_VEC);
    }
}

/* acc[outputs][vectors] to y, which points at the first of the vectors of element 0. */
GS_INLINE void gs_block_store(float *restrict y, gs_vec acc[8][3], const int outputs, const int vectors) {
    GS_UNROLL
    for (int j = 0; j < outputs; j++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) gs_store(y + (size_t)j * GS_LANES + (size_t)q * GS_VEC, acc[j][q]);
    }
}

/* `outputs` outputs of `vectors` vectors of y = W x. */
GS_INLINE void gs_linear_block(const float *restrict w, const float *restrict x, float *restrict y, const size_t inputs,
                               const int outputs, const int vectors) {
    gs_vec acc[8][3];
    gs_block_clear(acc, outputs, vectors);
    gs_linear_chains(acc, w, x, inputs, outputs, vectors);
    gs_block_store(y, acc, outputs, vectors);
}

/* All outputs of `vectors` vectors. */
GS_INLINE void gs_linear_column(const float *restrict w, const float *restrict x, float *restrict y, const size_t outputs,
                                const size_t inputs, const int vectors) {
    size_t j = 0;
    for (; j + GS_BLOCK_OUTPUTS <= outputs; j += GS_BLOCK_OUTPUTS) {
        gs_linear_block(w + j * inputs, x, y + j * GS_LANES, inputs, GS_BLOCK_OUTPUTS, vectors);
    }
    w += j * inputs;
    y += j * GS_LANES;
    switch (outputs - j) {
    case 1: gs_linear_block(w, x, y, inputs, 1, vectors); break;
    case 2: gs_linear_block(w, x, y, inputs, 2, vectors); break;
    case 3: gs_linear_block(w, x, y, inputs, 3, vectors); break;
    case 4: gs_linear_block(w, x, y, inputs, 4, vectors); break;
    case 5: gs_linear_block(w, x, y, inputs, 5, vectors); break;
    case 6: gs_linear_block(w, x, y, inputs, 6, vectors); break;
    case 7: gs_linear_block(w, x, y, inputs, 7, vectors); break;
    default: break;
    }
}

/* y = W x over one tile: w [outputs][inputs], x [inputs][GS_LANES], y [outputs][GS_LANES]. */
GS_INLINE void gs_linear(const float *restrict w, const float *restrict x, float *restrict y, const size_t outputs,
                         const size_t inputs) {
    int q = 0;
    for (; q + 3 <= GS_VECS; q += 3) {
        const size_t lane = (size_t)q * GS_VEC;
        gs_linear_column(w, x + lane, y + lane, outputs, inputs, 3);
    }
    const size_t lane = (size_t)q * GS_VEC;
    if (GS_VECS - q == 2) gs_linear_column(w, x + lane, y + lane, outputs, inputs, 2);
    if (GS_VECS - q == 1) gs_linear_column(w, x + lane, y + lane, outputs, inputs, 1);
}

/* The same for one uniform value: x [inputs], y [outputs], no lanes. */
GS_INLINE void gs_linear_uniform(const float *restrict w, const float *restrict x, float *restrict y,
                                 const size_t outputs, const size_t inputs) {
    for (size_t j = 0; j < outputs; j++) {
        float acc = 0.0f;
        for (size_t i = 0; i < inputs; i++) acc = __builtin_fmaf(w[j * inputs + i], x[i], acc);
        y[j] = acc;
    }
}

#endif
