/* gs_math.h -- elementary functions over one vector of lanes: exp, ln, sin, cos, tanh and roundings.
 *
 * No libm: the bits are the same for every GS_VEC, compiler and optimisation level, because each lane is computed by
 * the same products, sums and gs_fma in the same order, whatever the other lanes hold. Special values are those of
 * C99's annex F. The functions that need more room than a float are in gs_math_wide.h. A bound in ulps is the
 * largest error measured against float64 over all arguments (tests/differential/test_math.py measures a part of
 * them again). Coefficients are printed by fit_math.py; a list ascends in the power of its variable. */
#ifndef GS_MATH_H
#define GS_MATH_H

#include "gs_reduce.h"
#include "gs_tile.h"

#define GS_SIGN_BIT gs_set_bits(INT32_MIN)
#define GS_INFINITY gs_set(__builtin_inff())
#define GS_NAN gs_set(__builtin_nanf(""))
#define GS_EXP                                                                                                         \
    { 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558acp-5f, 0x1.123976p-7f, 0x1.6a5054p-10f }
#define GS_LN                                                                                                          \
    {                                                                                                                  \
        0x1.555548p-2f, -0x1.000006p-2f, 0x1.99a476p-3f, -0x1.555c44p-3f, 0x1.233ba2p-3f, -0x1.fc28cap-4f,             \
            0x1.e6c00ap-4f, -0x1.de01d8p-4f, 0x1.147334p-4f                                                            \
    }
/* The ratio of fit_math.py, each coefficient moved by some last bits: of many tries the least error over all floats. */
#define GS_TANH_ABOVE                                                                                                  \
    { 1.0f, 0x1.135d84p-3f, 0x1.d44c7cp-9f, 0x1.6fa59cp-16f, 0x1.060d02p-26f }
#define GS_TANH_BELOW                                                                                                  \
    { 1.0f, 0x1.df041ap-2f, 0x1.acc1cp-6f, 0x1.65e7c8p-12f, 0x1.ca15b6p-21f }
#define GS_SIN                                                                                                         \
    { -0x1.555544p-3f, 0x1.1106bcp-7f, -0x1.99169p-13f }
#define GS_COS                                                                                                         \
    { 0x1.55554ap-5f, -0x1.6c0c0ep-10f, 0x1.99db8ap-16f }

#define GS_TANH_ONE 0x1.026f86p+3f /* 8.076, the first float at which the ratio is 1; before it is less */
#define GS_LN2_HIGH 0x1.62e43p-1f /* ln 2 to 24 bits, and the rest of it */
#define GS_LN2_LOW -0x1.05c61p-29f

GS_TABLE gs_exp_series[] = GS_EXP;
GS_TABLE gs_tanh_above[] = GS_TANH_ABOVE;
GS_TABLE gs_tanh_below[] = GS_TANH_BELOW;
GS_TABLE gs_ln_series[] = GS_LN;
GS_TABLE gs_sin_series[] = GS_SIN;
GS_TABLE gs_cos_series[] = GS_COS;

GS_INLINE gs_vec gs_polynomial(GS_TABLE_POINTER coefficients, int count, gs_vec x) {
    gs_vec value = gs_set(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        value = gs_fma(value, x, gs_set(coefficients[i]));
    return value;
}
#define GS_POLYNOMIAL(list, x) gs_polynomial(list, (int)(sizeof(list) / sizeof((list)[0])), x)

GS_INLINE gs_vec gs_from_integer(gs_mask m) {
#if GS_VEC == 1
    return (float)m;
#else
    return __builtin_convertvector(m, gs_vec);
#endif
}

/* 2^k for k in -126 ... 127; any other k gives some float. */
GS_INLINE gs_vec gs_power_of_two(gs_mask k) {
    return gs_from_bits((gs_mask)(((gs_word)k + 127u) << 23));
}

/* x with the sign of s. */
GS_INLINE gs_vec gs_copysign(gs_vec x, gs_vec s) {
    return gs_from_bits((gs_bits(x) & gs_set_bits(INT32_MAX)) | (gs_bits(s) & GS_SIGN_BIT));
}

/* The smallest whole number at least x; exact; in (-1, 0) it is -0. */
GS_INLINE gs_vec gs_ceil(gs_vec x) {
    return gs_negate(gs_floor(gs_negate(x)));
}

/* The whole number next to x towards 0; exact; the sign stays. */
GS_INLINE gs_vec gs_trunc(gs_vec x) {
    return gs_copysign(gs_floor(gs_abs(x)), x);
}

/* The whole number nearest to x, ties to even; exact; the sign stays. */
GS_INLINE gs_vec gs_round(gs_vec x) {
    const gs_vec whole = gs_set(0x1p23f), a = gs_abs(x);
    const gs_vec rounded = gs_sub(gs_add(a, whole), whole);
    return gs_select(gs_lt(a, whole), gs_copysign(rounded, x), x);
}

/* e^x = 2^power (1 + rest), |rest| < 0.42; x in -1e6 ... 1e6, or NaN, which gives rest NaN. */
struct gs_exponential {
    gs_vec rest;
    gs_mask power;
};

GS_INLINE struct gs_exponential gs_exponential(gs_vec x) {
    const gs_vec shifted = gs_fma(x, gs_set(0x1.715476p+0f), gs_set(GS_MAGIC));
    const gs_vec k = gs_sub(shifted, gs_set(GS_MAGIC));
    const gs_vec r = gs_fma(k, gs_set(-GS_LN2_LOW), gs_fma(k, gs_set(-GS_LN2_HIGH), x));
    const gs_vec rest = gs_fma(gs_mul(r, r), GS_POLYNOMIAL(gs_exp_series, r), r);
    struct gs_exponential out = {rest, (gs_mask)((gs_word)gs_bits(shifted) - GS_MAGIC_BITS)};
    return out;
}

/* e^x. At most 1.02 ulp; subnormal results are rounded once more. */
GS_INLINE gs_vec gs_exp(gs_vec x) {
    const gs_vec low = gs_set(-104.0f), high = gs_set(89.0f); /* beyond them it is 0, infinity */
    x = gs_select(gs_lt(x, low), low, x);
    x = gs_select(gs_lt(high, x), high, x);
    const struct gs_exponential e = gs_exponential(x);
    /* In two steps, as 2^power alone may be no normal number. */
    const gs_mask half = e.power >> 1;
    const gs_vec scaled = gs_mul(gs_add(gs_set(1.0f), e.rest), gs_power_of_two(half));
    return gs_mul(scaled, gs_power_of_two(e.power - half));
}

/* tanh x = x P(x x) / Q(x x), |x| at most GS_TANH_ONE. At most 4.83 ulp; 1 from there on. */
GS_INLINE gs_vec gs_tanh(gs_vec x) {
    const gs_vec far = gs_set(GS_TANH_ONE), back = gs_negate(far);
    x = gs_select(gs_lt(far, x), far, x);
    x = gs_select(gs_lt(x, back), back, x);
    const gs_vec z = gs_mul(x, x);
    return gs_div(gs_mul(x, GS_POLYNOMIAL(gs_tanh_above, z)), GS_POLYNOMIAL(gs_tanh_below, z));
}

/* ln x. At most 0.81 ulp; ln 0 = -infinity, below 0 NaN. */
GS_INLINE gs_vec gs_ln(gs_vec x) {
    const gs_vec zero = gs_set(0.0f);
    const gs_mask subnormal = gs_lt(x, gs_set(0x1p-126f));
    const gs_vec scaled = gs_select(subnormal, gs_mul(x, gs_set(0x1p23f)), x);
    /* x = m 2^k, sqrt(1/2) <= m < sqrt(2); `raised` is k still at its place in the bits, exact as a float. */
    const gs_word bits = (gs_word)gs_bits(scaled);
    const gs_word raised = (bits - 0x3f3504f3u) & 0xff800000u;
    const gs_vec shift = gs_from_bits(subnormal & gs_bits(gs_set(23.0f)));
    const gs_vec k = gs_sub(gs_mul(gs_from_integer((gs_mask)raised), gs_set(0x1p-23f)), shift);
    const gs_vec f = gs_sub(gs_from_bits((gs_mask)(bits - raised)), gs_set(1.0f));

    const gs_vec z = gs_mul(f, f);
    gs_vec y = gs_mul(gs_mul(f, z), GS_POLYNOMIAL(gs_ln_series, f));
    y = gs_fma(k, gs_set(GS_LN2_LOW), y);
    y = gs_fma(z, gs_set(-0.5f), y);
    y = gs_fma(k, gs_set(GS_LN2_HIGH), gs_add(f, y));

    const gs_vec edge = gs_select(gs_lt(x, zero), GS_NAN, gs_select(gs_eq(x, zero), gs_negate(GS_INFINITY), x));
    return gs_select(gs_lt(zero, x) & gs_lt(x, GS_INFINITY), y, edge);
}

struct gs_sine_cosine {
    gs_vec sin, cos;
};

/* Both at once, for the price of one. */
GS_INLINE struct gs_sine_cosine gs_sin_cos(gs_vec x) {
    const struct gs_angle a = gs_reduce(x);
    const gs_vec z = gs_mul(a.r, a.r);
    const gs_vec s = gs_fma(gs_mul(a.r, z), GS_POLYNOMIAL(gs_sin_series, z), a.r);
    const gs_vec c = gs_fma(gs_mul(z, z), GS_POLYNOMIAL(gs_cos_series, z), gs_fma(z, gs_set(-0.5f), gs_set(1.0f)));

    const gs_mask odd = (gs_mask)(0u - (a.quarter & 1u));
    const gs_mask sine_sign = (gs_mask)((a.quarter & 2u) << 30);
    const gs_mask cosine_sign = (gs_mask)(((a.quarter + 1u) & 2u) << 30);
    const gs_vec sin = gs_from_bits(gs_bits(gs_select(odd, c, s)) ^ sine_sign);
    struct gs_sine_cosine out = {
        gs_select(gs_eq(x, gs_set(0.0f)), x, sin), /* the sums above lose the sign of -0 */
        gs_from_bits(gs_bits(gs_select(odd, s, c)) ^ cosine_sign),
    };
    return out;
}

/* sin x, x in radians, any float. At most 1.6 ulp. */
GS_INLINE gs_vec gs_sin(gs_vec x) {
    return gs_sin_cos(x).sin;
}

/* cos x, x in radians, any float. At most 1.6 ulp. */
GS_INLINE gs_vec gs_cos(gs_vec x) {
    return gs_sin_cos(x).cos;
}

#endif
