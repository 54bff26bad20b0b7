/* gs_bf16_layer.h -- layers under noise of low rank whose W x is made of bfloat16 numbers (the setting BF16).
 *
 * W and x are rounded to bfloat16 (to nearest, ties to even), their products and sums are float32; B' x, A (B' x) and all
 * that follows are of float32 numbers, as without the setting. The sums are made in the way that gs_bf16_way.h chooses for
 * the processor; each rounds differently. Sizes are literals in generated code.
 *
 * The layer's input is packed in pairs by gs_bf16_pairs: [16 chunks][GS_LANES] of 32 bits, numbers 2p and 2p + 1 in the
 * low and the high half of number p, with zeros after the last; chunks = inputs / 32, rounded up. */
#ifndef GS_BF16_LAYER_H
#define GS_BF16_LAYER_H

#include "../gs_tile.h" /* first: GS_VEC decides the way */
#include "../gs_bf16.h"
#include "../gs_bf16_way.h"
#include "../gs_program.h"
#include "gs_factored.h"
#include "gs_view.h"

#define GS_BF16_BLOCK 32 /* outputs of a block */

#if GS_BF16_WAY == GS_BF16_PLAIN

#if GS_VEC == 1
typedef uint32_t gs_bf16_word;
#else
typedef uint32_t gs_bf16_word __attribute__((vector_size(4 * GS_VEC)));
#endif

/* The bits of x, rounded to the upper half; a NaN stays one. */
GS_INLINE gs_bf16_word gs_bf16_round(gs_vec x) {
    const gs_bf16_word bits = (gs_bf16_word)gs_bits(x);
    const gs_bf16_word rounded = bits + (0x7fffu + ((bits >> 16) & 1u));
    const gs_bf16_word nan = (gs_bf16_word)gs_ne(x, x);
    return ((nan & (bits | 0x400000u)) | (~nan & rounded)) & 0xffff0000u;
}

GS_INLINE gs_vec gs_bf16_pair(gs_vec low, gs_vec high) {
    return gs_from_bits((gs_mask)(gs_bf16_round(low) >> 16 | gs_bf16_round(high)));
}

#else

GS_INLINE gs_vec gs_bf16_pair(gs_vec low, gs_vec high) {
    typedef uint16_t halves __attribute__((vector_size(64)));
    const halves order = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                          8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    halves both;
    gs_vec pairs;
    __asm__("vcvtne2ps2bf16 %1, %2, %0" : "=v"(both) : "v"(low), "v"(high));
    __asm__("vpermw %1, %2, %0" : "=v"(pairs) : "v"(both), "v"(order));
    return pairs;
}

#endif

/* The vector of a value that begins at lane i, for number e; +0 past the end. */
GS_INLINE gs_vec gs_bf16_number(struct gs_view x, size_t e, size_t i, const size_t numbers) {
    return e < numbers ? gs_view_vector(x, e, i) : gs_set(0.0f);
}

/* x [rows][inputs] in pairs, [rows][16 chunks]. */
GS_INLINE void gs_bf16_pairs(size_t lanes, struct gs_view pairs, struct gs_view x, const size_t rows,
                             const size_t inputs) {
    const size_t count = (inputs + GS_BF16_COLUMNS - 1) / GS_BF16_COLUMNS * (GS_BF16_COLUMNS / 2);
    (void)lanes;
    for (size_t row = 0; row < rows; row++) {
        const struct gs_view from = {x.p + row * inputs * x.element, x.element, x.lane};
        float *const to = pairs.p + row * count * GS_LANES;
        for (size_t p = 0; p < count; p++) {
            for (size_t i = 0; i < GS_LANES; i += GS_VEC) {
                const gs_vec low = gs_bf16_number(from, 2 * p, i, inputs);
                const gs_vec high = gs_bf16_number(from, 2 * p + 1, i, inputs);
                gs_store(to + p * GS_LANES + i, gs_bf16_pair(low, high));
            }
        }
    }
}

#if GS_BF16_WAY == GS_BF16_AMX

/* The instructions by hand, since the compilers' own names for them differ. Registers 0 to 5 hold sums, 6 weights, 7 x. */
#define GS_TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t ::)
#define GS_TILE_LOAD(t, from, stride) \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t ::"r"(from), "r"((size_t)(stride)) : "memory")
#define GS_TILE_STORE(t, to, stride) \
    __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" ::"r"(to), "r"((size_t)(stride)) : "memory")
#define GS_TILE_MULTIPLY(t) __asm__ volatile("tdpbf16ps %%tmm7, %%tmm6, %%tmm" #t ::)

/* Every register is 16 rows of 64 bytes. */
GS_INLINE void gs_bf16_begin(void) {
    struct {
        uint8_t palette, start, unused[14];
        uint16_t bytes[16];
        uint8_t rows[16];
    } shape = {.palette = 1,
               .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
               .rows = {16, 16, 16, 16, 16, 16, 16, 16}};
    __asm__ volatile("ldtilecfg %0" ::"m"(shape));
}

/* sums[outputs][vectors] of a block of at most 32 outputs and 3 vectors, stored [32][vectors]; w is the block's first
 * tile, pairs the first vector of number 0. */
GS_INLINE void gs_bf16_chains(gs_vec *sums, const uint16_t *w, const float *pairs, const size_t chunks,
                              const size_t outputs, const int vectors) {
    const size_t stride = GS_LANES * sizeof(float), out = (size_t)vectors * GS_VEC * sizeof(float);
    const size_t tile = GS_BF16_ROWS * GS_BF16_COLUMNS;
    const int low = outputs > GS_BF16_ROWS;
    GS_TILE_ZERO(0);
    if (vectors > 1) GS_TILE_ZERO(1);
    if (vectors > 2) GS_TILE_ZERO(2);
    if (low) GS_TILE_ZERO(3);
    if (low && vectors > 1) GS_TILE_ZERO(4);
    if (low && vectors > 2) GS_TILE_ZERO(5);
    for (size_t c = 0; c < chunks; c++) {
        const float *const x = pairs + c * GS_BF16_ROWS * GS_LANES;
        GS_TILE_LOAD(6, w + c * tile, 64);
        GS_TILE_LOAD(7, x, stride);
        GS_TILE_MULTIPLY(0);
        if (vectors > 1) {
            GS_TILE_LOAD(7, x + GS_VEC, stride);
            GS_TILE_MULTIPLY(1);
        }
        if (vectors > 2) {
            GS_TILE_LOAD(7, x + 2 * GS_VEC, stride);
            GS_TILE_MULTIPLY(2);
        }
        if (!low) continue;
        GS_TILE_LOAD(6, w + (chunks + c) * tile, 64);
        if (vectors > 2) {
            GS_TILE_MULTIPLY(5);
            GS_TILE_LOAD(7, x + GS_VEC, stride);
        }
        if (vectors > 1) {
            GS_TILE_MULTIPLY(4);
            GS_TILE_LOAD(7, x, stride);
        }
        GS_TILE_MULTIPLY(3);
    }
    gs_vec *const rest = sums + GS_BF16_ROWS * vectors;
    GS_TILE_STORE(0, sums, out);
    if (vectors > 1) GS_TILE_STORE(1, sums + 1, out);
    if (vectors > 2) GS_TILE_STORE(2, sums + 2, out);
    if (low) GS_TILE_STORE(3, rest, out);
    if (low && vectors > 1) GS_TILE_STORE(4, rest + 1, out);
    if (low && vectors > 2) GS_TILE_STORE(5, rest + 2, out);
}

#else

GS_INLINE void gs_bf16_begin(void) {}

/* acc + the two products of a pair of weights and pairs of x. */
GS_INLINE gs_vec gs_bf16_multiply(const uint32_t weights, gs_vec pairs, gs_vec acc) {
#if GS_BF16_WAY == GS_BF16_AVX512
    const gs_vec both = gs_from_bits(gs_set_bits((int32_t)weights));
    __asm__("vdpbf16ps %1, %2, %0" : "+v"(acc) : "v"(both), "v"(pairs));
    return acc;
#else
    const gs_bf16_word bits = (gs_bf16_word)gs_bits(pairs);
    const gs_vec low = gs_from_bits(gs_set_bits((int32_t)(weights << 16)));
    const gs_vec high = gs_from_bits(gs_set_bits((int32_t)(weights & 0xffff0000u)));
    acc = gs_fma(low, gs_from_bits((gs_mask)(bits << 16)), acc);
    return gs_fma(high, gs_from_bits((gs_mask)(bits & 0xffff0000u)), acc);
#endif
}

/* The sums of `outputs` (a literal, at most 8) outputs from `first` on, of the 16 whose weights begin at w. */
GS_INLINE void gs_bf16_some(gs_vec *sums, const uint16_t *w, const float *pairs, const size_t chunks, const int outputs,
                            const int vectors) {
    gs_vec acc[8][3];
    gs_block_clear(acc, outputs, vectors);
    for (size_t c = 0; c < chunks; c++) {
        for (size_t p = 0; p < GS_BF16_ROWS; p++) {
            gs_vec in[3];
            GS_UNROLL
            for (int q = 0; q < vectors; q++) {
                in[q] = gs_load(pairs + (c * GS_BF16_ROWS + p) * GS_LANES + (size_t)q * GS_VEC);
            }
            GS_UNROLL
            for (int j = 0; j < outputs; j++) {
                uint32_t weights;
                memcpy(&weights, w + (c * GS_BF16_ROWS + (size_t)j) * GS_BF16_COLUMNS + 2 * p, sizeof weights);
                GS_UNROLL
                for (int q = 0; q < vectors; q++) acc[j][q] = gs_bf16_multiply(weights, in[q], acc[j][q]);
            }
        }
    }
    GS_UNROLL
    for (int j = 0; j < outputs; j++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) sums[j * vectors + q] = acc[j][q];
    }
}

GS_INLINE void gs_bf16_chains(gs_vec *sums, const uint16_t *w, const float *pairs, const size_t chunks,
                              const size_t outputs, const int vectors) {
    for (size_t j = 0; j < outputs; j += GS_BLOCK_OUTPUTS) { /* the rows after the last output are zeros */
        const size_t tile = j / GS_BF16_ROWS * chunks * GS_BF16_ROWS + j % GS_BF16_ROWS;
        gs_bf16_some(sums + j * (size_t)vectors, w + tile * GS_BF16_COLUMNS, pairs, chunks, GS_BLOCK_OUTPUTS, vectors);
    }
}

#endif

/* sums += ss A t of outputs `first` and after; t at the first of the vectors of number 0. */
GS_INLINE void gs_bf16_correct(gs_vec *sums, const struct gs_slot *slot, const size_t first, const float *t,
                               const size_t rank, const size_t outputs, const int vectors) {
    for (size_t j = 0; j < outputs; j++) {
        const float *const a = slot->a + (first + j) * rank;
        for (size_t k = 0; k < rank; k++) {
            GS_UNROLL
            for (int q = 0; q < vectors; q++) {
                const gs_vec scaled = gs_scaled_noise(gs_set(slot->ss), gs_load(t + k * GS_LANES + (size_t)q * GS_VEC));
                sums[j * (size_t)vectors + (size_t)q] = gs_fma(gs_set(a[k]), scaled, sums[j * (size_t)vectors + (size_t)q]);
            }
        }
    }
}

/* The sums of a block and its part of the noise. */
GS_INLINE void gs_bf16_block(gs_vec *sums, const struct gs_slot *slot, const size_t first, const float *pairs,
                             const float *t, const size_t inputs, const size_t rank, const size_t outputs,
                             const int vectors) {
    const size_t chunks = (inputs + GS_BF16_COLUMNS - 1) / GS_BF16_COLUMNS;
    gs_bf16_chains(sums, slot->bf16 + first * chunks * GS_BF16_COLUMNS, pairs, chunks, outputs, vectors);
    gs_bf16_correct(sums, slot, first, t, rank, outputs, vectors);
}

GS_INLINE void gs_bf16_store(float *restrict y, const gs_vec *sums, const size_t outputs, const int vectors) {
    for (size_t j = 0; j < outputs; j++) {
        GS_UNROLL
        for (int q = 0; q < vectors; q++) gs_store(y + j * GS_LANES + (size_t)q * GS_VEC, sums[j * (size_t)vectors + (size_t)q]);
    }
}

/* y = W x + ss A t over one tile, x in pairs: t [rank][GS_LANES], y [outputs][GS_LANES]; rank 0: without the noise. */
GS_INLINE void gs_factored_bf16(const struct gs_slot *slot, const float *restrict pairs, const float *restrict t,
                                float *restrict y, const size_t outputs, const size_t inputs, const size_t rank) {
    gs_bf16_begin();
    for (size_t g = 0; g < GS_GROUPS; g++) {
        const size_t lane = g * GS_GROUP * GS_VEC;
        for (size_t first = 0; first < outputs; first += GS_BF16_BLOCK) {
            const size_t left = outputs - first, some = left < GS_BF16_BLOCK ? left : GS_BF16_BLOCK;
            gs_vec sums[GS_BF16_BLOCK * GS_GROUP];
            gs_bf16_block(sums, slot, first, pairs + lane, t + lane, inputs, rank, some, GS_GROUP);
            gs_bf16_store(y + first * GS_LANES + lane, sums, some, GS_GROUP);
        }
    }
}

#endif
