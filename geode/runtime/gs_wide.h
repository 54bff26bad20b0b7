/* gs_wide.h -- float64 over lanes, for the functions that are worked out in it and rounded once at the end.
 *
 * A vector of GS_VEC floats is worked on as two halves, each a vector of the same size in bytes. gpu/gs_wide.h has the same
 * words for a thread of a GPU. GS_F64(x) and GS_F64_LIST(name, x, ...) are constants: numbers or quotients of two, written
 * out, since a language without float64 takes their bits from the compiler (geode/emit/dialect.py). */
#ifndef GS_WIDE_H
#define GS_WIDE_H

#include "gs_math.h"

#if GS_VEC == 1
typedef double gs_wide;
typedef int64_t gs_wide_mask;
typedef uint64_t gs_wide_word;
#else
typedef double gs_wide __attribute__((vector_size(4 * GS_VEC)));
typedef int64_t gs_wide_mask __attribute__((vector_size(4 * GS_VEC)));
typedef uint64_t gs_wide_word __attribute__((vector_size(4 * GS_VEC)));
typedef float gs_half __attribute__((vector_size(2 * GS_VEC)));
#endif
#define GS_WIDE_LANES (sizeof(gs_wide) / sizeof(double))
#define GS_WIDE_FUNCTION static __attribute__((noinline, unused)) gs_wide
#define GS_F64(x) (x)
#define GS_F64_LIST(name, ...) static const double name[] = {__VA_ARGS__}
#define GS_WIDE_MAGIC_BITS 0x4338000000000000u /* of 1.5 2^52: as GS_MAGIC_BITS, for |x| < 2^51 */
#define GS_WIDE_INFINITY gs_wide_set(__builtin_inf())
#define GS_WIDE_NAN gs_wide_set(__builtin_nan(""))

GS_INLINE gs_wide_mask gs_wide_bits(gs_wide x) {
    gs_wide_mask m;
    memcpy(&m, &x, sizeof m);
    return m;
}

GS_INLINE gs_wide gs_wide_from_bits(gs_wide_mask m) {
    gs_wide x;
    memcpy(&x, &m, sizeof x);
    return x;
}

#if GS_VEC == 1
GS_INLINE gs_wide gs_wide_set(double x) {
    return x;
}
GS_INLINE gs_wide_mask gs_wide_set_bits(int64_t x) {
    return x;
}
GS_INLINE gs_wide_mask gs_wide_lt(gs_wide a, gs_wide b) {
    return -(int64_t)(a < b);
}
GS_INLINE gs_wide_mask gs_wide_eq(gs_wide a, gs_wide b) {
    return -(int64_t)(a == b);
}
GS_INLINE gs_wide gs_wide_from_integer(gs_wide_mask m) {
    return (double)m;
}
#else
GS_INLINE gs_wide gs_wide_set(double x) {
    return x - (gs_wide){0};
}
GS_INLINE gs_wide_mask gs_wide_set_bits(int64_t x) {
    return x - (gs_wide_mask){0};
}
GS_INLINE gs_wide_mask gs_wide_lt(gs_wide a, gs_wide b) {
    return (gs_wide_mask)(a < b);
}
GS_INLINE gs_wide_mask gs_wide_eq(gs_wide a, gs_wide b) {
    return (gs_wide_mask)(a == b);
}
GS_INLINE gs_wide gs_wide_from_integer(gs_wide_mask m) {
    return __builtin_convertvector(m, gs_wide);
}
#endif

GS_INLINE gs_wide gs_wide_select(gs_wide_mask m, gs_wide a, gs_wide b) {
    return gs_wide_from_bits((m & gs_wide_bits(a)) | (~m & gs_wide_bits(b)));
}

GS_INLINE gs_wide gs_wide_abs(gs_wide x) {
    return gs_wide_from_bits(gs_wide_bits(x) & gs_wide_set_bits(INT64_MAX));
}

GS_INLINE gs_wide gs_wide_copysign(gs_wide x, gs_wide s) {
    const gs_wide_mask sign = gs_wide_bits(s) & gs_wide_set_bits(INT64_MIN);
    return gs_wide_from_bits(gs_wide_bits(gs_wide_abs(x)) | sign);
}

GS_INLINE gs_wide gs_wide_sqrt(gs_wide x) {
    double lane[GS_WIDE_LANES];
    memcpy(lane, &x, sizeof lane);
    for (size_t i = 0; i < GS_WIDE_LANES; i++)
        lane[i] = __builtin_sqrt(lane[i]);
    memcpy(&x, lane, sizeof x);
    return x;
}

GS_INLINE gs_wide gs_wide_polynomial(const double *coefficients, int count, gs_wide x) {
    gs_wide value = gs_wide_set(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        value = value * x + gs_wide_set(coefficients[i]);
    return value;
}
#define GS_WIDE_POLYNOMIAL(list, x) gs_wide_polynomial(list, (int)(sizeof(list) / sizeof((list)[0])), x)

/* x = (quarter + 4 n) pi/2 + r. */
struct gs_wide_angle {
    gs_wide r;
    gs_wide_word quarter;
};

/* `angle` as it is, but of the lanes of 2^17 and more, whose k has more than the 17 bits that keep its first product exact. */
GS_INLINE struct gs_wide_angle gs_wide_reduce_large(gs_wide x, struct gs_wide_angle angle) {
    double lane_x[GS_WIDE_LANES], lane_r[GS_WIDE_LANES];
    uint64_t lane_quarter[GS_WIDE_LANES];
    memcpy(lane_x, &x, sizeof lane_x);
    memcpy(lane_r, &angle.r, sizeof lane_r);
    memcpy(lane_quarter, &angle.quarter, sizeof lane_quarter);
    for (size_t i = 0; i < GS_WIDE_LANES; i++) {
        if (__builtin_fabs(lane_x[i]) < 0x1p17)
            continue;
        uint32_t q = 0;
        const int finite = __builtin_fabs(lane_x[i]) < __builtin_inf();
        lane_r[i] = finite ? gs_reduce_large((float)lane_x[i], &q) : __builtin_nan("");
        lane_quarter[i] = q;
    }
    memcpy(&angle.r, lane_r, sizeof lane_r);
    memcpy(&angle.quarter, lane_quarter, sizeof lane_quarter);
    return angle;
}

/* The vector functions: f of both halves, each rounded to float lane by lane. */
#if GS_VEC == 1
#define GS_LIFT_1(f, x) ((float)f((double)(x)))
#define GS_LIFT_2(f, x, y) ((float)f((double)(x), (double)(y)))
#else
struct gs_halves {
    gs_wide low, high;
};

GS_INLINE struct gs_halves gs_widen(gs_vec x) {
    gs_half half[2];
    memcpy(half, &x, sizeof half);
    struct gs_halves out = {__builtin_convertvector(half[0], gs_wide), __builtin_convertvector(half[1], gs_wide)};
    return out;
}

GS_INLINE gs_vec gs_narrow(gs_wide low, gs_wide high) {
    gs_half half[2] = {__builtin_convertvector(low, gs_half), __builtin_convertvector(high, gs_half)};
    gs_vec x;
    memcpy(&x, half, sizeof x);
    return x;
}

GS_INLINE gs_vec gs_lift_1(gs_wide (*f)(gs_wide), gs_vec x) {
    const struct gs_halves a = gs_widen(x);
    return gs_narrow(f(a.low), f(a.high));
}

GS_INLINE gs_vec gs_lift_2(gs_wide (*f)(gs_wide, gs_wide), gs_vec x, gs_vec y) {
    const struct gs_halves a = gs_widen(x), b = gs_widen(y);
    return gs_narrow(f(a.low, b.low), f(a.high, b.high));
}
#define GS_LIFT_1(f, x) gs_lift_1(f, x)
#define GS_LIFT_2(f, x, y) gs_lift_2(f, x, y)
#endif

#endif
