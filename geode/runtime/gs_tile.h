/* gs_tile.h -- lane operations: the instruction set that compiled units are written in.
 *
 * A tile has GS_LANES lanes, handled as GS_VECS vectors of GS_VEC floats. Every operation works on one vector and
 * rounds each lane exactly as the scalar operation does, so a program computes the same bits for every GS_LANES and
 * GS_VEC, with gcc, clang and zig (engine.md, geode-arith-1). Compile with -ffp-contract=off: a fused multiply-add
 * happens only where gs_fma is written. GS_VEC=1 is plain scalar C, the differential partner of every other width.
 */
#ifndef GS_TILE_H
#define GS_TILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef GS_LANES
#define GS_LANES 8
#endif
#ifndef GS_VEC
#define GS_VEC 1
#endif
#define GS_VECS (GS_LANES / GS_VEC)

_Static_assert(GS_LANES % GS_VEC == 0, "a tile is a whole number of vectors");
_Static_assert(GS_VEC == 1 || GS_VEC == 4 || GS_VEC == 8 || GS_VEC == 16, "GS_VEC is 1, 4, 8 or 16");

#define GS_INLINE static inline __attribute__((always_inline, unused))

/* A table of coefficients and a pointer to one: words of their own, as kernels of a GPU keep tables in another memory. */
#define GS_TABLE static const float
#define GS_TABLE_POINTER const float *

/* A piece of a long function: never put back into it, since compilers take more than linear time over long ones. */
#define GS_PART static __attribute__((noinline))

/* Before a loop over vectors or outputs of a literal count: all turns are written out. */
#if defined(__clang__)
#define GS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define GS_UNROLL _Pragma("GCC unroll 8")
#endif

/* Before a loop whose body is large already: its turns are not written out. */
#if defined(__clang__)
#define GS_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define GS_ROLLED _Pragma("GCC unroll 1")
#endif

#if GS_VEC == 1
typedef float gs_vec;
typedef int32_t gs_mask; /* all bits set where true, as comparing vectors gives */
#else
typedef float gs_vec __attribute__((vector_size(4 * GS_VEC)));
typedef int32_t gs_mask __attribute__((vector_size(4 * GS_VEC)));
#endif

/* p: GS_VEC floats, aligned to a vector. */
GS_INLINE gs_vec gs_load(const float *p) { return *(const gs_vec *)(const void *)p; }
GS_INLINE void gs_store(float *p, gs_vec x) { *(gs_vec *)(void *)p = x; }

GS_INLINE gs_mask gs_bits(gs_vec x) {
    gs_mask m;
    memcpy(&m, &x, sizeof m);
    return m;
}

GS_INLINE gs_vec gs_from_bits(gs_mask m) {
    gs_vec x;
    memcpy(&x, &m, sizeof x);
    return x;
}

#if GS_VEC == 1
GS_INLINE gs_vec gs_set(float x) { return x; }
GS_INLINE gs_mask gs_set_bits(int32_t x) { return x; }
GS_INLINE gs_mask gs_lt(gs_vec a, gs_vec b) { return -(a < b); }
GS_INLINE gs_mask gs_le(gs_vec a, gs_vec b) { return -(a <= b); }
GS_INLINE gs_mask gs_eq(gs_vec a, gs_vec b) { return -(a == b); }
GS_INLINE gs_mask gs_ne(gs_vec a, gs_vec b) { return -(a != b); }
#else
/* One broadcast of the very bits of x, those of a flag included. */
#if GS_VEC == 4
GS_INLINE gs_vec gs_set(float x) { return (gs_vec){x, x, x, x}; }
#elif GS_VEC == 8
GS_INLINE gs_vec gs_set(float x) { return (gs_vec){x, x, x, x, x, x, x, x}; }
#else
GS_INLINE gs_vec gs_set(float x) { return (gs_vec){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
#endif
GS_INLINE gs_mask gs_set_bits(int32_t x) { return x - (gs_mask){0}; }
GS_INLINE gs_mask gs_lt(gs_vec a, gs_vec b) { return (gs_mask)(a < b); }
GS_INLINE gs_mask gs_le(gs_vec a, gs_vec b) { return (gs_mask)(a <= b); }
GS_INLINE gs_mask gs_eq(gs_vec a, gs_vec b) { return (gs_mask)(a == b); }
GS_INLINE gs_mask gs_ne(gs_vec a, gs_vec b) { return (gs_mask)(a != b); }
#endif

/* Lane 0: the value of a uniform computation. */
#if GS_VEC == 1
GS_INLINE float gs_first(gs_vec x) { return x; }
#else
GS_INLINE float gs_first(gs_vec x) { return x[0]; }
#endif

/* The lanes of a where m is set, of b elsewhere; nothing is computed, so no NaN crosses over. */
GS_INLINE gs_vec gs_select(gs_mask m, gs_vec a, gs_vec b) { return gs_from_bits((m & gs_bits(a)) | (~m & gs_bits(b))); }

GS_INLINE gs_vec gs_add(gs_vec a, gs_vec b) { return a + b; }
GS_INLINE gs_vec gs_sub(gs_vec a, gs_vec b) { return a - b; }
GS_INLINE gs_vec gs_mul(gs_vec a, gs_vec b) { return a * b; }
GS_INLINE gs_vec gs_div(gs_vec a, gs_vec b) { return a / b; }

/* a * b + c with one rounding, lane by lane. Without a builtin for vectors the compiler's own vector fma is reached
 * through the target's builtin; elsewhere lane by lane through fmaf, which the targets we support have in hardware. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_fma)
#define GS_HAS_ELEMENTWISE_FMA 1
#endif
#if __has_builtin(__builtin_elementwise_sqrt)
#define GS_HAS_ELEMENTWISE_SQRT 1
#endif
#endif

#if defined(__clang__)
#define GS_ALL16 ((unsigned short)0xffff)
#else
#define GS_ALL16 ((short)-1)
#endif

GS_INLINE gs_vec gs_fma(gs_vec a, gs_vec b, gs_vec c) {
#if GS_VEC == 1
    return __builtin_fmaf(a, b, c);
#elif defined(GS_HAS_ELEMENTWISE_FMA)
    return __builtin_elementwise_fma(a, b, c);
#elif GS_VEC == 16 && defined(__AVX512F__)
    return (gs_vec)__builtin_ia32_vfmaddps512_mask(a, b, c, GS_ALL16, 4);
#elif GS_VEC == 8 && defined(__FMA__)
    return (gs_vec)__builtin_ia32_vfmaddps256(a, b, c);
#elif GS_VEC == 4 && defined(__FMA__)
    return (gs_vec)__builtin_ia32_vfmaddps(a, b, c);
#else
    gs_vec d;
    for (int i = 0; i < GS_VEC; i++) d[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return d;
#endif
}

/* x where ss != 0, else +0: an infinite number of a layer is no part of weights that have no noise. */
GS_INLINE gs_vec gs_noise_of(gs_vec ss, gs_vec x) { return gs_from_bits(gs_ne(ss, gs_set(0.0f)) & gs_bits(x)); }
GS_INLINE gs_vec gs_scaled_noise(gs_vec ss, gs_vec x) { return gs_mul(ss, gs_noise_of(ss, x)); }
GS_INLINE gs_vec gs_noisy(gs_vec ss, gs_vec x, gs_vec mean) { return gs_fma(ss, gs_noise_of(ss, x), mean); }

GS_INLINE gs_vec gs_sqrt(gs_vec x) {
#if GS_VEC == 1
    return __builtin_sqrtf(x);
#elif defined(GS_HAS_ELEMENTWISE_SQRT)
    return __builtin_elementwise_sqrt(x);
#else
    float lane[GS_VEC];
    memcpy(lane, &x, sizeof lane);
    for (int i = 0; i < GS_VEC; i++) lane[i] = __builtin_sqrtf(lane[i]);
    memcpy(&x, lane, sizeof x);
    return x;
#endif
}

GS_INLINE gs_vec gs_negate(gs_vec x) { return gs_from_bits(gs_bits(x) ^ gs_set_bits(INT32_MIN)); }
GS_INLINE gs_vec gs_abs(gs_vec x) { return gs_from_bits(gs_bits(x) & gs_set_bits(INT32_MAX)); }

/* (a > b or a is NaN) ? a : b, never the machine's max; so a NaN in either place is the result. */
GS_INLINE gs_vec gs_max(gs_vec a, gs_vec b) { return gs_select(gs_lt(b, a) | gs_ne(a, a), a, b); }
GS_INLINE gs_vec gs_min(gs_vec a, gs_vec b) { return gs_select(gs_lt(a, b) | gs_ne(a, a), a, b); }

/* A flag as a number: 1 or 0. */
GS_INLINE gs_vec gs_flag(gs_mask m) { return gs_from_bits(m & gs_bits(gs_set(1.0f))); }

/* -1, 0 or 1; 0 keeps its value (+0), NaN stays NaN. */
GS_INLINE gs_vec gs_sign(gs_vec x) {
    const gs_vec zero = gs_set(0.0f);
    return gs_select(gs_ne(x, x), x, gs_sub(gs_flag(gs_lt(zero, x)), gs_flag(gs_lt(x, zero))));
}

/* The largest whole number at most x. Above 2^23 every float is whole. -0 stays -0. */
GS_INLINE gs_vec gs_floor(gs_vec x) {
#if GS_VEC == 1
    const int whole = !(__builtin_fabsf(x) < 8388608.0f);
    if (whole) return x;
    const float t = (float)(int32_t)x;
    return __builtin_copysignf(t - (float)(t > x), x);
#else
    const gs_mask small = gs_lt(gs_abs(x), gs_set(8388608.0f));
    const gs_vec safe = gs_from_bits(small & gs_bits(x));
    const gs_vec t = __builtin_convertvector(__builtin_convertvector(safe, gs_mask), gs_vec);
    const gs_vec f = gs_sub(t, gs_flag(gs_lt(safe, t)));
    const gs_mask sign = gs_bits(x) & gs_set_bits(INT32_MIN);
    return gs_select(small, gs_from_bits(gs_bits(gs_abs(f)) | sign), x);
#endif
}

/* x - y * floor(x / y) exactly: C's fmod (exact) moved into the divisor's sign, as NumPy's mod on floats. A result of
 * zero has the divisor's sign; x MOD 0 and a NaN give NaN; an infinite y gives x or y. */
GS_INLINE gs_vec gs_mod(gs_vec x, gs_vec y) {
    float a[GS_VEC], b[GS_VEC];
    memcpy(a, &x, sizeof a);
    memcpy(b, &y, sizeof b);
    for (int i = 0; i < GS_VEC; i++) {
        float r = __builtin_fmodf(a[i], b[i]);
        if (r == 0.0f) {
            r = __builtin_copysignf(0.0f, b[i]);
        } else if ((r < 0.0f) != (b[i] < 0.0f)) {
            r += b[i];
        }
        a[i] = r;
    }
    memcpy(&x, a, sizeof x);
    return x;
}

#endif
