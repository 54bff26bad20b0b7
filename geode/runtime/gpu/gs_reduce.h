/* gs_reduce.h -- ../gs_reduce.h for kernels: angles reduced to a quarter turn, large ones through gs_float64.h. */
#ifndef GS_REDUCE_H
#define GS_REDUCE_H

#include "gs_tile.h"

typedef uint gs_word;

#define GS_MAGIC 0x1.8p23f
#define GS_MAGIC_BITS 0x4b400000u

struct gs_angle {
    float r;
    uint quarter;
};

/* 32 zeros, then 2/pi. */
GS_WORD_TABLE gs_two_over_pi[] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                  0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

/* Finite |x| >= 2^17. */
GS_INLINE gs_f64 gs_reduce_large(float x, GS_THREAD uint *quarter) {
    const uint bits = (uint)gs_bits(x);
    const uint at = ((bits >> 23) & 0xffu) - 150u + 30u;
    uint word[3];
    for (uint i = 0u; i < 3u; i++) {
        const ulong two = ((ulong)gs_two_over_pi[at / 32u + i] << 32) | (ulong)gs_two_over_pi[at / 32u + i + 1u];
        word[i] = (uint)((two << (at % 32u)) >> 32);
    }
    const ulong mantissa = (ulong)((bits & 0x7fffffu) | 0x800000u);
    const ulong low = mantissa * (ulong)word[2];
    const ulong middle = mantissa * (ulong)word[1] + (low >> 32);
    const uint high = (uint)(mantissa * (ulong)word[0] + (middle >> 32));
    const ulong fraction = ((ulong)high << 34) | ((middle & 0xfffffffful) << 2) | ((low & 0xfffffffful) >> 30);
    const uint up = (uint)(fraction >> 63);
    const uint q = (high >> 30) + up;
    const gs_f64 r = gs_f64_of_long((long)fraction) * gs_f64_from_bits(0x3bf921fb54442d18ul); /* pi/2 2^-64 */
    *quarter = (bits >> 31) != 0u ? 0u - q : q;
    if ((bits >> 31) != 0u) return -r;
    return r;
}

GS_INLINE struct gs_angle gs_reduce(float x) {
    const float shifted = gs_fma(x, 0x1.45f306p-1f, GS_MAGIC);
    const float k = shifted - GS_MAGIC;
    struct gs_angle angle;
    angle.r = gs_fma(k, -0x1.921fb6p+0f, x);
    angle.r = gs_fma(k, 0x1.777a5cp-25f, angle.r);
    angle.r = gs_fma(k, 0x1.ee59dap-50f, angle.r);
    angle.quarter = (uint)gs_bits(shifted);
    if (gs_abs(x) < 0x1p17f) return angle;
    if (gs_abs(x) < INFINITY) {
        uint quarter;
        angle.r = gs_f64_narrow(gs_reduce_large(x, &quarter));
        angle.quarter = quarter;
    } else {
        angle.r = NAN;
    }
    return angle;
}

#endif
