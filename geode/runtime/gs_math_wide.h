/* gs_math_wide.h -- elementary functions over lanes that are worked out in float64 and rounded once at the end.
 *
 * For what is rare or needs more than 24 bits on the way: log2, log10, pow, tan, the arcs, sinh, cosh. Products, sums,
 * quotients and square roots only, and no fma: the same bits for every GS_VEC, compiler and optimisation level, and on a GPU,
 * whose kernels are made of this text too. The series are cut below 1e-11 of the result, so every function here is within
 * 0.51 ulp in the normal range. Special values are those of C99's annex F. A half is computed by a function of its own, once
 * a unit, since these are long. */
#ifndef GS_MATH_WIDE_H
#define GS_MATH_WIDE_H

#include "gs_wide.h"

/* Of e^x, Taylor's: 1 / 2!, 1 / 3! ... */
GS_F64_LIST(gs_wide_exp_series, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
            1.0 / 3628800);
/* ln m = 2 artanh s = 2 s (1 + s^2 / 3 + s^4 / 5 ...), s = (m - 1) / (m + 1), s^2 < 0.0295 */
GS_F64_LIST(gs_wide_ln_series, 2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17);
GS_F64_LIST(gs_wide_sin_series, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800);
GS_F64_LIST(gs_wide_cos_series, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
            -1.0 / 87178291200);
GS_F64_LIST(gs_wide_atan_series, 1.0, -1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15, 1.0 / 17,
            -1.0 / 19, 1.0 / 21, -1.0 / 23, 1.0 / 25);

/* e^x = scale (1 + rest), |rest| < 0.42; |x| < 700, or NaN, which gives rest NaN. */
struct gs_wide_exponential {
    gs_wide rest, scale;
};

GS_INLINE struct gs_wide_exponential gs_wide_exponential(gs_wide x) {
    const gs_wide shifted = x * GS_F64(0x1.71547652b82fep+0) + GS_F64(0x1.8p52);
    const gs_wide k = shifted - GS_F64(0x1.8p52);
    const gs_wide r = (x - k * GS_F64(0x1.62e42feep-1)) - k * GS_F64(0x1.a39ef35793c76p-33);
    const gs_wide_word power = (gs_wide_word)gs_wide_bits(shifted) - GS_WIDE_MAGIC_BITS;
    struct gs_wide_exponential out = {
        r + r * r * GS_WIDE_POLYNOMIAL(gs_wide_exp_series, r),
        gs_wide_from_bits((gs_wide_mask)((power + 1023u) << 52)),
    };
    return out;
}

/* ln x of a positive normal double; 0 gives -infinity, infinity itself, NaN and x < 0 NaN. */
GS_INLINE gs_wide gs_wide_ln(gs_wide x) {
    const gs_wide_word bits = (gs_wide_word)gs_wide_bits(x);
    const gs_wide_word raised = (bits - 0x3fe6a09e667f3bcdu) & 0xfff0000000000000u;
    const gs_wide k = gs_wide_from_integer((gs_wide_mask)raised) * GS_F64(0x1p-52);
    const gs_wide m = gs_wide_from_bits((gs_wide_mask)(bits - raised));
    const gs_wide s = (m - GS_F64(1.0)) / (m + GS_F64(1.0));
    const gs_wide y = k * GS_F64(0x1.62e42fefa39efp-1) + s * GS_WIDE_POLYNOMIAL(gs_wide_ln_series, s * s);

    const gs_wide zero = gs_wide_set(GS_F64(0.0)), infinity = GS_WIDE_INFINITY;
    const gs_wide below = gs_wide_select(gs_wide_eq(x, zero), -infinity, GS_WIDE_NAN);
    const gs_wide edge = gs_wide_select(gs_wide_eq(x, infinity), x, below);
    return gs_wide_select(gs_wide_lt(zero, x) & gs_wide_lt(x, infinity), y, edge);
}

GS_WIDE_FUNCTION gs_wide_log2(gs_wide x) {
    return gs_wide_ln(x) * GS_F64(0x1.71547652b82fep+0);
}
GS_WIDE_FUNCTION gs_wide_log10(gs_wide x) {
    return gs_wide_ln(x) * GS_F64(0x1.bcb7b1526e50ep-2);
}

/* e^(y ln x), x >= 0: no sign, and 0^0 and the like still to be set right. */
GS_WIDE_FUNCTION gs_wide_power(gs_wide x, gs_wide y) {
    const gs_wide low = gs_wide_set(GS_F64(-200.0)), high = gs_wide_set(GS_F64(200.0)); /* beyond them the float is 0, infinity */
    gs_wide t = y * gs_wide_ln(x);
    t = gs_wide_select(gs_wide_lt(t, low), low, t);
    t = gs_wide_select(gs_wide_lt(high, t), high, t);
    const struct gs_wide_exponential e = gs_wide_exponential(t);
    return e.scale + e.scale * e.rest;
}

/* m = e^|x| - 1, accurate near 0. */
GS_INLINE gs_wide gs_wide_expm1_abs(gs_wide x) {
    const gs_wide far = gs_wide_set(GS_F64(100.0));
    gs_wide a = gs_wide_abs(x);
    a = gs_wide_select(gs_wide_lt(far, a), far, a);
    const struct gs_wide_exponential e = gs_wide_exponential(a);
    return e.scale * e.rest + (e.scale - GS_F64(1.0));
}

GS_WIDE_FUNCTION gs_wide_sinh(gs_wide x) {
    const gs_wide m = gs_wide_expm1_abs(x);
    return gs_wide_copysign((m + m / (m + GS_F64(1.0))) * GS_F64(0.5), x);
}

GS_WIDE_FUNCTION gs_wide_cosh(gs_wide x) {
    const gs_wide e = gs_wide_expm1_abs(x) + GS_F64(1.0);
    return (e + GS_F64(1.0) / e) * GS_F64(0.5);
}

GS_WIDE_FUNCTION gs_wide_tan(gs_wide x) {
    const gs_wide shifted = x * GS_F64(0x1.45f306dc9c883p-1) + GS_F64(0x1.8p52);
    const gs_wide k = shifted - GS_F64(0x1.8p52);
    struct gs_wide_angle a;
    a.r = (x - k * GS_F64(0x1.921fb544p+0)) - k * GS_F64(0x1.0b4611a626331p-34);
    a.quarter = (gs_wide_word)gs_wide_bits(shifted);
    a = gs_wide_reduce_large(x, a);

    const gs_wide r = a.r, z = r * r;
    const gs_wide s = r + r * (z * GS_WIDE_POLYNOMIAL(gs_wide_sin_series, z));
    const gs_wide c = z * GS_WIDE_POLYNOMIAL(gs_wide_cos_series, z) + GS_F64(1.0);
    const gs_wide_mask odd = (gs_wide_mask)(0u - (a.quarter & 1u));
    return gs_wide_select(odd, -c, gs_wide_copysign(s, r)) / gs_wide_select(odd, s, c);
}

/* The angle of the point (x, y), in -pi ... pi. */
GS_WIDE_FUNCTION gs_wide_atan2(gs_wide y, gs_wide x) {
    const gs_wide zero = gs_wide_set(GS_F64(0.0)), one = gs_wide_set(GS_F64(1.0)), infinity = GS_WIDE_INFINITY;
    const gs_wide a = gs_wide_abs(y), b = gs_wide_abs(x);
    const gs_wide_mask steep = gs_wide_lt(b, a);
    gs_wide small = gs_wide_select(steep, b, a), big = gs_wide_select(steep, a, b);
    const gs_wide_mask diagonal = gs_wide_eq(small, infinity); /* both infinite */
    small = gs_wide_select(diagonal, one, small);
    big = gs_wide_select(diagonal | gs_wide_eq(big, zero), one, big);
    /* atan v = pi/4 + atan((v - 1) / (v + 1)) brings |v| below sqrt 2 - 1 */
    const gs_wide_mask upper = gs_wide_lt(big * GS_F64(0x1.a827999fcef34p-2), small);
    const gs_wide v = gs_wide_select(upper, small - big, small) / gs_wide_select(upper, small + big, big);
    const gs_wide eighth = gs_wide_set(GS_F64(0x1.921fb54442d18p-1)); /* pi / 4 */
    gs_wide angle = v * GS_WIDE_POLYNOMIAL(gs_wide_atan_series, v * v) + gs_wide_select(upper, eighth, zero);
    angle = gs_wide_select(steep, GS_F64(0x1.921fb54442d18p+0) - angle, angle);
    const gs_wide_mask left = gs_wide_bits(x) >> 63;
    angle = gs_wide_select(left, GS_F64(0x1.921fb54442d18p+1) - angle, angle);
    const gs_wide_mask numbers = gs_wide_eq(x, x) & gs_wide_eq(y, y);
    return gs_wide_select(numbers, gs_wide_copysign(angle, y), GS_WIDE_NAN);
}

/* sqrt(1 - x^2): NaN beyond 1. */
GS_INLINE gs_wide gs_wide_leg(gs_wide x) {
    return gs_wide_sqrt((GS_F64(1.0) - x) * (GS_F64(1.0) + x));
}

GS_INLINE gs_wide gs_wide_asin(gs_wide x) {
    return gs_wide_atan2(x, gs_wide_leg(x));
}
GS_INLINE gs_wide gs_wide_acos(gs_wide x) {
    return gs_wide_atan2(gs_wide_leg(x), x);
}
GS_INLINE gs_wide gs_wide_atan(gs_wide x) {
    return gs_wide_atan2(x, gs_wide_set(GS_F64(1.0)));
}

/* At most 0.51 ulp each, measured over one argument in 257; angles in radians. */
GS_INLINE gs_vec gs_log2(gs_vec x) {
    return GS_LIFT_1(gs_wide_log2, x);
}
GS_INLINE gs_vec gs_log10(gs_vec x) {
    return GS_LIFT_1(gs_wide_log10, x);
}
GS_INLINE gs_vec gs_sinh(gs_vec x) {
    return GS_LIFT_1(gs_wide_sinh, x);
}
GS_INLINE gs_vec gs_cosh(gs_vec x) {
    return GS_LIFT_1(gs_wide_cosh, x);
}
GS_INLINE gs_vec gs_tan(gs_vec x) {
    return GS_LIFT_1(gs_wide_tan, x);
}
GS_INLINE gs_vec gs_asin(gs_vec x) {
    return GS_LIFT_1(gs_wide_asin, x);
}
GS_INLINE gs_vec gs_acos(gs_vec x) {
    return GS_LIFT_1(gs_wide_acos, x);
}
GS_INLINE gs_vec gs_atan(gs_vec x) {
    return GS_LIFT_1(gs_wide_atan, x);
}
GS_INLINE gs_vec gs_atan2(gs_vec y, gs_vec x) {
    return GS_LIFT_2(gs_wide_atan2, y, x);
}

/* x to the power y. At most 0.51 ulp. x^0 and 1^y are 1, even of NaN; a negative x has a power only for whole y, and
 * a negative one for odd y. */
GS_INLINE gs_vec gs_pow(gs_vec x, gs_vec y) {
    const gs_vec zero = gs_set(0.0f), one = gs_set(1.0f), a = gs_abs(x);
    gs_vec p = GS_LIFT_2(gs_wide_power, a, y);
    const gs_vec half = gs_mul(gs_trunc(y), gs_set(0.5f)); /* exact, or so small that y is 0 or no whole number */
    const gs_mask whole = gs_eq(gs_trunc(y), y);
    const gs_mask odd = whole & gs_ne(gs_trunc(half), half);
    p = gs_from_bits(gs_bits(p) | (odd & gs_bits(x) & GS_SIGN_BIT));
    p = gs_select(gs_lt(x, zero) & gs_lt(a, GS_INFINITY) & ~whole, GS_NAN, p);
    const gs_mask unit = gs_eq(a, one) & gs_eq(gs_abs(y), GS_INFINITY); /* 1 in both directions */
    return gs_select(gs_eq(x, one) | gs_eq(y, zero) | unit, one, p);
}

#endif
