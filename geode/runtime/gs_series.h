/* gs_series.h -- the few elementary functions of float64 that schedules and utilities need, the same everywhere.
 *
 * No libm: its last bit differs from one C library to the next. */
#ifndef GS_SERIES_H
#define GS_SERIES_H

#include <stdint.h>

/* cos(pi t / n) for t <= n, 0 < n <= 2^53; relative error at most 1e-15. */
double gs_cos_turn(uint64_t t, uint64_t n);

/* ln x for a positive normal x; computed to 100 bits, then rounded. */
double gs_ln(double x);

/* x^n by repeated squaring: the bits of n from the lowest, result * base where the bit is set, then base * base. */
double gs_power(double x, uint64_t n);

#endif
