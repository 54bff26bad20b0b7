/* gs_reduce.h -- angles reduced to a quarter turn, for sin, cos and tan. */
#ifndef GS_REDUCE_H
#define GS_REDUCE_H

#include "gs_tile.h"

#if GS_VEC == 1
typedef uint32_t gs_word; /* integers that wrap: signed lanes of one must not overflow in C */
#else
typedef uint32_t gs_word __attribute__((vector_size(4 * GS_VEC)));
#endif

/* x + GS_MAGIC has the integer nearest to x (ties to even) in its low bits, for |x| < 2^22. */
#define GS_MAGIC 0x1.8p23f
#define GS_MAGIC_BITS 0x4b400000u

GS_INLINE int gs_all(gs_mask m) {
#if GS_VEC == 1
    return m != 0;
#else
    int64_t part[GS_VEC / 2], all = -1;
    memcpy(part, &m, sizeof part);
    for (int i = 0; i < GS_VEC / 2; i++)
        all &= part[i];
    return all == -1;
#endif
}

/* Finite |x| >= 2^17 -> x = (quarter + 4 n) pi/2 + the result, in -pi/4 ... pi/4, to about 1e-11 of itself. Integers:
 * 120 bits of mantissa times 2/pi, from the digit on that can matter modulo 4 (Payne and Hanek 1983). */
static __attribute__((noinline, unused)) double gs_reduce_large(float x, uint32_t *quarter) {
    /* 32 zeros, then 2/pi. */
    static const uint32_t digits[] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                      0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
    uint32_t bits, word[3];
    memcpy(&bits, &x, sizeof bits);
    const uint32_t at = ((bits >> 23) & 0xffu) - 150u + 30u; /* first bit: weight 2 at the mantissa's last place */
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t pair = (uint64_t)digits[at / 32 + i] << 32 | digits[at / 32 + i + 1];
        word[i] = (uint32_t)(pair << at % 32 >> 32);
    }
    const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    const uint64_t low = mantissa * word[2];
    const uint64_t middle = mantissa * word[1] + (low >> 32);
    const uint32_t high = (uint32_t)(mantissa * word[0] + (middle >> 32));
    const uint64_t fraction = (uint64_t)high << 34 | (middle & 0xffffffffu) << 2 | (low & 0xffffffffu) >> 30;
    const uint32_t up = (uint32_t)(fraction >> 63); /* to the nearest quarter: the fraction counts as signed */
    const uint32_t q = (high >> 30) + up;
    const double r = (double)(int64_t)fraction * (0x1p-64 * 0x1.921fb54442d18p+0);
    *quarter = bits >> 31 ? 0u - q : q;
    return bits >> 31 ? -r : r;
}

/* x = (quarter + 4 n) pi/2 + r, |r| < 0.79; NaN and infinities give r NaN. */
struct gs_angle {
    gs_vec r;
    gs_word quarter;
};

static __attribute__((noinline, unused)) void gs_reduce_lanes(const float *x, float *r, uint32_t *quarter) {
    for (int i = 0; i < GS_VEC; i++) {
        if (__builtin_fabsf(x[i]) < 0x1p17f)
            continue;
        if (__builtin_fabsf(x[i]) < __builtin_inff())
            r[i] = (float)gs_reduce_large(x[i], &quarter[i]);
        else
            r[i] = __builtin_nanf("");
    }
}

GS_INLINE struct gs_angle gs_reduce(gs_vec x) {
    const gs_vec shifted = gs_fma(x, gs_set(0x1.45f306p-1f), gs_set(GS_MAGIC));
    const gs_vec k = gs_sub(shifted, gs_set(GS_MAGIC));
    /* Below 2^17 the first difference is exact, so three parts of pi/2 leave r right to half an ulp. */
    gs_vec r = gs_fma(k, gs_set(-0x1.921fb6p+0f), x);
    r = gs_fma(k, gs_set(0x1.777a5cp-25f), r);
    r = gs_fma(k, gs_set(0x1.ee59dap-50f), r);
    struct gs_angle angle = {r, (gs_word)gs_bits(shifted)};
    if (__builtin_expect(!gs_all(gs_lt(gs_abs(x), gs_set(0x1p17f))), 0)) {
        float lane_x[GS_VEC], lane_r[GS_VEC];
        uint32_t lane_quarter[GS_VEC];
        memcpy(lane_x, &x, sizeof lane_x);
        memcpy(lane_r, &angle.r, sizeof lane_r);
        memcpy(lane_quarter, &angle.quarter, sizeof lane_quarter);
        gs_reduce_lanes(lane_x, lane_r, lane_quarter);
        memcpy(&angle.r, lane_r, sizeof lane_r);
        memcpy(&angle.quarter, lane_quarter, sizeof lane_quarter);
    }
    return angle;
}

#endif
