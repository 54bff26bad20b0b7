/* gs_double.h -- gs_float64.h for a language that has double. */
#ifndef GS_FLOAT64_H
#define GS_FLOAT64_H

typedef double gs_f64;

GS_INLINE double gs_f64_from_bits(ulong bits) { return __longlong_as_double((long long)bits); }
GS_INLINE ulong gs_f64_bits(double x) { return (ulong)__double_as_longlong(x); }
GS_INLINE bool gs_f64_is_nan(double x) { return x != x; }
GS_INLINE bool gs_f64_is_finite(double x) { return x - x == 0.0; }
GS_INLINE bool gs_f64_is_zero(double x) { return x == 0.0; }
GS_INLINE double gs_f64_nan() { return gs_f64_from_bits(0x7ff8000000000000ul); }
GS_INLINE double gs_f64_root(double x) { return sqrt(x); }
GS_INLINE double gs_f64_of(float x) { return (double)x; }
GS_INLINE double gs_f64_of_long(long x) { return (double)x; }
GS_INLINE double gs_f64_of_uint(uint x) { return (double)x; }
GS_INLINE float gs_f64_narrow(double x) { return (float)x; }

#endif
