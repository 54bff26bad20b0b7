/* gs_layer_tiles.h -- wide layers for a group of threads that each have one row: the products of gs_layers.h in tiles.
 *
 * A tile is 256 rows by 32 outputs. A thread keeps the 32 chains of its row in registers; for every 16 inputs the group
 * brings a piece of the weights to shared memory, once for its 256 rows, of whichever pairs they are, or, where members have
 * weights of their own, once for the 32 rows of a tile of lanes. The correction of low rank goes on in the same chains. So
 * an output is the one chain over the inputs, then the rank, that gs_layers.h has. All threads of the group must come here
 * together. */
#ifndef GS_LAYER_TILES_H
#define GS_LAYER_TILES_H

#include "gs_layers.h"

#define GS_TILE_OUTPUTS 32u
#define GS_TILE_INPUTS 16u
#define GS_TILE_STRIDE 36u /* of an input's weights in a piece: few threads that write one meet in a bank */
#define GS_TILE_FLOATS 576u

#define GS_OF_ALL 0u  /* the weights are the same for all members */
#define GS_OF_PAIR 1u /* or only the lanes of a tile have them in common */

/* How many outputs the tile has whose first one is GS_TILE_OUTPUTS * number. */
GS_INLINE uint gs_in_tile(uint outputs, uint number) {
    const uint left = outputs - number * GS_TILE_OUTPUTS;
    return left < GS_TILE_OUTPUTS ? left : GS_TILE_OUTPUTS;
}

/* The chains of outputs first ... first + 31 over all inputs: w [outputs][inputs]. Those behind the last are not defined. */
GS_INLINE void gs_tile_chains(GS_THREAD const struct gs_tile_context *tile, uint whose, GS_THREAD float *acc,
                              GS_GLOBAL const float *w, GS_GLOBAL const float *x, uint x_step, uint outputs, uint inputs,
                              uint first) {
    const uint me = tile->me, base = whose == GS_OF_ALL ? 0u : me / GS_LANES * GS_TILE_FLOATS;
    const uint loader = whose == GS_OF_ALL ? me : me % GS_LANES, loaders = whose == GS_OF_ALL ? GS_GROUP : (uint)GS_LANES;
    GS_SHARED_FLOATS piece = tile->weights;
    GS_UNROLL
    for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) acc[j] = 0.0f;
    for (uint start = 0u; start < inputs; start += GS_TILE_INPUTS) {
        const uint depth = inputs - start < GS_TILE_INPUTS ? inputs - start : GS_TILE_INPUTS;
        GS_BARRIER();
        for (uint e = loader; e < GS_TILE_OUTPUTS * GS_TILE_INPUTS; e += loaders) {
            const uint j = e / GS_TILE_INPUTS, i = e % GS_TILE_INPUTS;
            if (first + j >= outputs || i >= depth) continue;
            piece[base + i * GS_TILE_STRIDE + j] = w[(first + j) * inputs + start + i];
        }
        GS_BARRIER();
        for (uint i = 0u; i < depth; i++) {
            const float in = x[(start + i) * x_step];
            GS_UNROLL
            for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) acc[j] = gs_fma(piece[base + i * GS_TILE_STRIDE + j], in, acc[j]);
        }
    }
}

/* The chains go on over the rank. */
GS_INLINE void gs_tile_correct(GS_THREAD float *acc, struct gs_slot slot, GS_GLOBAL const float *t, uint t_step, uint outputs,
                               uint rank, uint first) {
    for (uint k = 0u; k < rank; k++) {
        const float scaled = gs_scaled_noise(slot.ss, t[k * t_step]);
        GS_UNROLL
        for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) {
            const uint output = first + j < outputs ? first + j : outputs - 1u;
            acc[j] = gs_fma(slot.a[output * rank + k], scaled, acc[j]);
        }
    }
}

/* Outputs of tile `number` of W x, for the steps that take them. */
GS_INLINE void gs_tile_outputs(GS_THREAD const struct gs_tile_context *tile, uint whose, GS_THREAD float *block,
                               GS_GLOBAL const float *w, GS_GLOBAL const float *x, uint x_step, uint outputs, uint inputs,
                               uint number) {
    float acc[GS_TILE_OUTPUTS];
    gs_tile_chains(tile, whose, acc, w, x, x_step, outputs, inputs, number * GS_TILE_OUTPUTS);
    GS_UNROLL
    for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) block[j] = acc[j];
}

/* The same of W x + ss A t. */
GS_INLINE void gs_tile_factored_outputs(GS_THREAD const struct gs_tile_context *tile, GS_THREAD float *block,
                                        struct gs_slot slot, GS_GLOBAL const float *x, uint x_step, GS_GLOBAL const float *t,
                                        uint t_step, uint outputs, uint inputs, uint rank, uint number) {
    float acc[GS_TILE_OUTPUTS];
    gs_tile_chains(tile, GS_OF_ALL, acc, slot.w, x, x_step, outputs, inputs, number * GS_TILE_OUTPUTS);
    gs_tile_correct(acc, slot, t, t_step, outputs, rank, number * GS_TILE_OUTPUTS);
    GS_UNROLL
    for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) block[j] = acc[j];
}

GS_INLINE void gs_tile_store(GS_THREAD const float *acc, GS_GLOBAL float *y, uint outputs, uint first) {
    GS_UNROLL
    for (uint j = 0u; j < GS_TILE_OUTPUTS; j++) {
        if (first + j < outputs) y[(first + j) * GS_LANES] = acc[j];
    }
}

/* y = W x. */
GS_INLINE void gs_tile_linear(GS_THREAD const struct gs_tile_context *tile, uint whose, GS_GLOBAL const float *w,
                              GS_GLOBAL const float *x, uint x_step, GS_GLOBAL float *y, uint outputs, uint inputs) {
    for (uint first = 0u; first < outputs; first += GS_TILE_OUTPUTS) {
        float acc[GS_TILE_OUTPUTS];
        gs_tile_chains(tile, whose, acc, w, x, x_step, outputs, inputs, first);
        gs_tile_store(acc, y, outputs, first);
    }
}

/* y = W x + ss A t. */
GS_INLINE void gs_tile_factored(GS_THREAD const struct gs_tile_context *tile, struct gs_slot slot, GS_GLOBAL const float *x,
                                uint x_step, GS_GLOBAL const float *t, uint t_step, GS_GLOBAL float *y, uint outputs,
                                uint inputs, uint rank) {
    for (uint first = 0u; first < outputs; first += GS_TILE_OUTPUTS) {
        float acc[GS_TILE_OUTPUTS];
        gs_tile_chains(tile, GS_OF_ALL, acc, slot.w, x, x_step, outputs, inputs, first);
        gs_tile_correct(acc, slot, t, t_step, outputs, rank, first);
        gs_tile_store(acc, y, outputs, first);
    }
}

#endif
