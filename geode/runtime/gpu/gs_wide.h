/* gs_wide.h -- ../gs_wide.h for kernels: float64 of a thread, which is made of integers where the language has none.
 *
 * ../gs_math_wide.h is compiled with these words too, so its functions have the bits of the processor. What is called often is
 * a function of its own: made of integers it is long, and a word may stand in many places. */
#ifndef GS_WIDE_H
#define GS_WIDE_H

#include "gs_float64.h"
#include "gs_math.h"

typedef gs_f64 gs_wide;
typedef long gs_wide_mask;
typedef ulong gs_wide_word;

#define GS_WIDE_FUNCTION GS_FUNCTION gs_wide
#define GS_WIDE_MAGIC_BITS 0x4338000000000000ul
#define GS_WIDE_INFINITY gs_f64_from_bits(0x7ff0000000000000ul)
#define GS_WIDE_NAN gs_f64_nan()

GS_INLINE long gs_wide_bits(gs_wide x) { return (long)gs_f64_bits(x); }
GS_INLINE gs_wide gs_wide_from_bits(long m) { return gs_f64_from_bits((ulong)m); }
GS_INLINE gs_wide gs_wide_set(gs_wide x) { return x; }
GS_INLINE long gs_wide_lt(gs_wide a, gs_wide b) { return a < b ? -1 : 0; }
GS_INLINE long gs_wide_eq(gs_wide a, gs_wide b) { return a == b ? -1 : 0; }
GS_INLINE gs_wide gs_wide_from_integer(long m) { return gs_f64_of_long(m); }
GS_INLINE gs_wide gs_wide_select(long m, gs_wide a, gs_wide b) { return m != 0 ? a : b; }
GS_INLINE gs_wide gs_wide_abs(gs_wide x) { return gs_f64_from_bits(gs_f64_bits(x) & 0x7ffffffffffffffful); }
GS_INLINE gs_wide gs_wide_copysign(gs_wide x, gs_wide s) {
    return gs_f64_from_bits(gs_f64_bits(gs_wide_abs(x)) | (gs_f64_bits(s) & 0x8000000000000000ul));
}
GS_INLINE gs_wide gs_wide_sqrt(gs_wide x) { return gs_f64_root(x); }

GS_WIDE_FUNCTION gs_wide_polynomial(GS_STREAM_TABLE coefficients, int count, gs_wide x) {
    gs_wide value = gs_f64_from_bits(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--) value = value * x + gs_f64_from_bits(coefficients[i]);
    return value;
}
#define GS_WIDE_POLYNOMIAL(list, x) gs_wide_polynomial(list, (int)(sizeof(list) / sizeof((list)[0])), x)

struct gs_wide_angle {
    gs_wide r;
    gs_wide_word quarter;
};

GS_INLINE struct gs_wide_angle gs_wide_reduce_large(gs_wide x, struct gs_wide_angle angle) {
    const float narrow = gs_f64_narrow(x); /* x is a float */
    if (gs_abs(narrow) < 0x1p17f) return angle;
    uint quarter = 0u;
    angle.r = gs_abs(narrow) < INFINITY ? gs_reduce_large(narrow, &quarter) : gs_f64_nan();
    angle.quarter = (ulong)quarter;
    return angle;
}

#define GS_LIFT_1(f, x) gs_f64_narrow(f(gs_f64_of(x)))
#define GS_LIFT_2(f, x, y) gs_f64_narrow(f(gs_f64_of(x), gs_f64_of(y)))

#endif
