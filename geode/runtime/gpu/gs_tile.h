/* gs_tile.h -- lane operations for kernels of a GPU, where a thread is one lane: ../gs_tile.h in the kernels' language.
 *
 * Kernels are written in the words that Metal's language and CUDA share, and in a dozen words of Geode that geode/emit/
 * dialect.py replaces: GS_GLOBAL and GS_THREAD (address spaces), GS_SHARED, GS_BARRIER, GS_KERNEL, gs_as_int and so on. Each
 * operation rounds as ../gs_tile.h does, so a thread computes the bits of a lane. */
#ifndef GS_TILE_H
#define GS_TILE_H

#define GS_VEC 1

typedef float gs_vec;
typedef int gs_mask; /* all bits set where true */

GS_INLINE int gs_bits(float x) { return gs_as_int(x); }
GS_INLINE float gs_from_bits(int m) { return gs_as_float(m); }
GS_INLINE float gs_set(float x) { return x; }
GS_INLINE int gs_set_bits(int x) { return x; }

GS_INLINE int gs_lt(float a, float b) { return a < b ? -1 : 0; }
GS_INLINE int gs_le(float a, float b) { return a <= b ? -1 : 0; }
GS_INLINE int gs_eq(float a, float b) { return a == b ? -1 : 0; }
GS_INLINE int gs_ne(float a, float b) { return a != b ? -1 : 0; }

GS_INLINE float gs_select(int m, float a, float b) { return gs_from_bits((m & gs_bits(a)) | (~m & gs_bits(b))); }

GS_INLINE float gs_add(float a, float b) { return a + b; }
GS_INLINE float gs_sub(float a, float b) { return a - b; }
GS_INLINE float gs_mul(float a, float b) { return a * b; }
GS_INLINE float gs_div(float a, float b) { return gs_divide(a, b); }
GS_INLINE float gs_fma(float a, float b, float c) { return fma(a, b, c); }
GS_INLINE float gs_scaled_noise(float ss, float x) { return ss != 0.0f ? ss * x : 0.0f; }
GS_INLINE float gs_noisy(float ss, float x, float mean) { return fma(ss, ss != 0.0f ? x : 0.0f, mean); }
GS_INLINE float gs_sqrt(float x) { return gs_root(x); }

GS_INLINE float gs_negate(float x) { return gs_from_bits(gs_bits(x) ^ INT32_MIN); }
GS_INLINE float gs_abs(float x) { return gs_from_bits(gs_bits(x) & INT32_MAX); }
GS_INLINE float gs_max(float a, float b) { return a > b || a != a ? a : b; }
GS_INLINE float gs_min(float a, float b) { return a < b || a != a ? a : b; }
GS_INLINE float gs_flag(int m) { return m != 0 ? 1.0f : 0.0f; }

GS_INLINE float gs_sign(float x) { return x != x ? x : gs_sub(gs_flag(gs_lt(0.0f, x)), gs_flag(gs_lt(x, 0.0f))); }

/* The largest whole number at most x; -0 stays -0. */
GS_INLINE float gs_floor(float x) {
    if (!(gs_abs(x) < 8388608.0f)) return x;
    const float t = (float)(int)x;
    const float f = t - (t > x ? 1.0f : 0.0f);
    return gs_from_bits((gs_bits(f) & INT32_MAX) | (gs_bits(x) & INT32_MIN));
}

/* The remainder of a / b for finite a, b > 0, exact: long division of the mantissas. */
GS_INLINE float gs_remainder(float a, float b) {
    if (a < b) return a;
    const uint x = (uint)gs_bits(a), y = (uint)gs_bits(b);
    int ex = (int)(x >> 23), ey = (int)(y >> 23);
    uint mx = x & 0x7fffffu, my = y & 0x7fffffu;
    if (ex == 0) {
        ex = 1;
    } else {
        mx |= 0x800000u;
    }
    if (ey == 0) {
        ey = 1;
    } else {
        my |= 0x800000u;
    }
    /* What is left may be up to 2^24 times a subnormal divisor's mantissa, so a step takes one bit. */
    uint rest = mx % my;
    for (int e = ex; e > ey; e--) {
        rest = rest << 1;
        if (rest >= my) rest -= my;
    }
    if (rest == 0u) return 0.0f;
    int e = ey;
    while (rest < 0x800000u && e > 1) {
        rest = rest << 1;
        e--;
    }
    return gs_from_bits((int)(rest < 0x800000u ? rest : (rest & 0x7fffffu) | ((uint)e << 23)));
}

/* x - y * floor(x / y) as ../gs_tile.h has it. */
GS_INLINE float gs_mod(float x, float y) {
    const float a = gs_abs(x), b = gs_abs(y);
    if (!(a < INFINITY) || b == 0.0f || b != b) return NAN;
    float r = b < INFINITY ? gs_remainder(a, b) : a;
    if (gs_bits(x) < 0) r = gs_negate(r);
    if (r == 0.0f) return gs_from_bits(gs_bits(y) & INT32_MIN);
    return (r < 0.0f) != (y < 0.0f) ? r + y : r;
}

#endif
