/* gs_noise_kernels.h -- the noise of the pairs at work, and the members' own weights.
 *
 * Noise is drawn from the counter for the pairs at work alone, again for the estimate where not all pairs fit at once. */
#ifndef GS_NOISE_KERNELS_H
#define GS_NOISE_KERNELS_H

#include "gs_context.h"
#include "gs_stream.h"

#define GS_FAMILY_OMELETTE 2u

/* How many numbers a draw makes: those of a block of four words. */
GS_INLINE uint gs_numbers_of_draw(uint flags, uint family) {
    return (flags & GS_F_FACTORED) != 0u && family == GS_FAMILY_OMELETTE ? 128u : 4u;
}

/* Entry `place` of the dense noise of a parameter, and the weights of both members where they have their own. */
GS_INLINE void gs_put_dense(GS_ARGUMENTS args, GS_GLOBAL const float *theta, GS_GLOBAL float *noise, GS_GLOBAL float *own,
                            GS_GLOBAL const uint *row, uint place, float e) {
    noise[row[GS_P_NOISE] + place] = e;
    if ((row[GS_P_FLAGS] & GS_F_OWN) == 0u) return;
    const float w = theta[row[GS_P_THETA] + place];
    own[row[GS_P_OWN] + place] = gs_fma(args.ss_dense, e, w);
    if (args.antithetic != 0u) own[args.own_stride + row[GS_P_OWN] + place] = gs_fma(-args.ss_dense, e, w);
}

/* Number `place` of the stream of a parameter's factors: B row by row, kept transposed, then A row by row. */
GS_INLINE void gs_put_factor(GS_GLOBAL float *noise, GS_GLOBAL const uint *row, uint rank, uint place, float z) {
    const uint n = row[GS_P_N], of_b = n * rank;
    if (place < of_b) {
        noise[row[GS_P_NOISE] + place % rank * n + place / rank] = z;
    } else {
        noise[row[GS_P_A] + place - of_b] = z;
    }
}

/* Draw `draw` of a pair at work, counted over all parameters. */
GS_INLINE void gs_draw(GS_ARGUMENTS args, GS_GLOBAL const float *state, GS_GLOBAL float *noise, GS_GLOBAL float *own,
                       GS_GLOBAL const uint *table, uint pair, uint draw) {
    uint p = args.parameters - 1u; /* the parameter whose draws begin last before this one */
    while (table[p * GS_PARAMETER_WORDS + GS_P_DRAW] > draw) p--;
    GS_GLOBAL const uint *row = table + p * GS_PARAMETER_WORDS;
    const uint flags = row[GS_P_FLAGS], block = draw - row[GS_P_DRAW];
    if ((flags & GS_F_TRAINED) == 0u) return;
    const ulong stream = ((ulong)row[GS_P_STREAM + 1u] << 32) | (ulong)row[GS_P_STREAM];
    const ulong global_pair = (ulong)(args.first_pair + pair);
    const ulong seed = gs_join(args.seed.low, args.seed.high), epoch = gs_join(args.noise_epoch.low, args.noise_epoch.high);
    const ulong key = gs_stream_key(stream, seed, epoch, global_pair);
    GS_GLOBAL float *mine = noise + pair * args.noise_stride;
    GS_GLOBAL float *weights = own + pair * (args.antithetic != 0u ? 2u : 1u) * args.own_stride;
    const bool factored = (flags & GS_F_FACTORED) != 0u;
    const uint numbers = factored ? (row[GS_P_M] + row[GS_P_N]) * args.rank : row[GS_P_ENTRIES];
    const uint each = gs_numbers_of_draw(flags, args.family), first = block * each;
    if (each == 128u) {
        const struct gs_four_words w = gs_philox(key, (ulong)block);
        for (uint i = 0u; i < 128u && first + i < numbers; i++) {
            const uint word = i < 64u ? (i < 32u ? w.w0 : w.w1) : (i < 96u ? w.w2 : w.w3);
            gs_put_factor(mine, row, args.rank, first + i, 1.0f - 2.0f * (float)((word >> (i % 32u)) & 1u));
        }
        return;
    }
    const struct gs_four_numbers four = gs_normals(key, (ulong)block);
    for (uint i = 0u; i < 4u && first + i < numbers; i++) {
        if (factored) {
            gs_put_factor(mine, row, args.rank, first + i, four.z[i]);
        } else {
            gs_put_dense(args, state + args.theta, mine, weights, row, first + i, four.z[i]);
        }
    }
}

/* Entry `place` of a parameter that low-rank noise moves, in the own weights of a pair's members: fma(ss, e, w), e the chain
 * of fma(A[i,q], B[j,q], e) from +0 over q. */
GS_INLINE void gs_put_own(GS_ARGUMENTS args, GS_GLOBAL const float *state, GS_GLOBAL const float *noise, GS_GLOBAL float *own,
                          GS_GLOBAL const uint *row, uint pair, uint place) {
    const uint n = row[GS_P_N];
    GS_GLOBAL const float *mine = noise + pair * args.noise_stride;
    GS_GLOBAL float *weights = own + pair * (args.antithetic != 0u ? 2u : 1u) * args.own_stride;
    float e = 0.0f;
    for (uint q = 0u; q < args.rank; q++) {
        const float a = mine[row[GS_P_A] + place / n * args.rank + q];
        e = gs_fma(a, mine[row[GS_P_NOISE] + q * n + place % n], e);
    }
    const float w = state[args.theta + row[GS_P_THETA] + place];
    weights[row[GS_P_OWN] + place] = gs_fma(args.ss_factored, e, w);
    if (args.antithetic != 0u) weights[args.own_stride + row[GS_P_OWN] + place] = gs_fma(-args.ss_factored, e, w);
}

#endif
