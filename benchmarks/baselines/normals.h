/* normals.h -- standard normals for the baselines: Philox4x32-10 (Salmon et al. 2011) and Box-Muller, two vectors at a time. */
#ifndef GS_BASELINE_NORMALS_H
#define GS_BASELINE_NORMALS_H
#include "vectors.h"

typedef uint64_t wide __attribute__((vector_size(4 * WIDTH)));
#define HALF (WIDTH / 2) /* counters a call */

INLINE vec root(vec x) {
    for (int i = 0; i < WIDTH; i++) x[i] = __builtin_sqrtf(x[i]);
    return x;
}

/* -2 log u for u in (0, 1): u = m 2^e with m in [sqrt(1/2), sqrt(2)), then the series of 2 atanh((m-1)/(m+1)). */
INLINE vec minus_two_log(vec u) {
    const ivec bits = (ivec)u, exponent = (bits - 0x3f3504f3) >> 23;
    const vec m = (vec)(bits - (exponent << 23));
    const vec r = (m - 1.0f) / (m + 1.0f), q = r * r;
    vec p = spread(0.24f);
    p = p * q + 0.28571429f;
    p = p * q + 0.4f;
    p = p * q + 0.66666667f;
    p = p * q + 2.0f;
    return -2.0f * (__builtin_convertvector(exponent, vec) * 0.69314718f + r * p);
}

/* 2 WIDTH normals of (counter, stream, round). */
INLINE void normals(uint32_t counter, uint32_t stream, uint32_t round, vec *cosine, vec *sine) {
    const uint64_t low = 0xffffffffu;
    wide a = (wide){0} + counter, b = (wide){0} + stream, c = (wide){0} + round, d = (wide){0};
    for (unsigned i = 0; i < HALF; i++) a[i] += i;
    uint32_t key0 = 42, key1 = 7;
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++) {
        const wide p = (a & low) * 0xD2511F53u, q = (c & low) * 0xCD9E8D57u;
        a = (q >> 32) ^ b ^ key0;
        b = q;
        c = (p >> 32) ^ d ^ key1;
        d = p;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    const uvec first = (uvec)((a & low) | (c << 32)), second = (uvec)((b & low) | (d << 32));
    const float unit = 5.9604644775390625e-8f; /* 2^-24 */
    const vec u = (__builtin_convertvector((ivec)(first >> 8), vec) + 0.5f) * unit;
    const vec radius = root(minus_two_log(u));
    /* A quarter turn is drawn in (-1/2, 1/2) and the quadrant by two bits: no range reduction. */
    const vec t = (__builtin_convertvector((ivec)(second << 2) >> 8, vec) + 0.5f) * unit, q = t * t;
    vec s = spread(-0.00468175413f) + q * 0.000160441f;
    s = s * q + 0.0796926262f;
    s = s * q - 0.645964097506f;
    s = (s * q + 1.57079632679f) * t;
    vec c1 = spread(-0.02086348076f) + q * 0.00091926027f;
    c1 = c1 * q + 0.25366950790f;
    c1 = c1 * q - 1.23370055013f;
    c1 = c1 * q + 1.0f;
    const ivec swap = -(ivec)((second >> 30) & 1);
    *cosine = (vec)((uvec)(radius * choose(swap, s, c1)) ^ ((second + 0x40000000u) & 0x80000000u));
    *sine = (vec)((uvec)(radius * choose(swap, c1, s)) ^ (second & 0x80000000u));
}
#endif
