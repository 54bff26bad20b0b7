/* series_probe.c -- values of gs_series.h in %a, for test_series.py. */
#include <stdio.h>
#include <stdlib.h>

#include "gs_series.h"

static void print_cosines(uint64_t n) {
    for (uint64_t t = 0; t <= n; t += 1 + n / 500) {
        printf("cos %llu %llu %a\n", (unsigned long long)t, (unsigned long long)n, gs_cos_turn(t, n));
    }
}

int main(void) {
    for (uint64_t n = 1; n < 200; n++) print_cosines(n);
    print_cosines(1000003);
    print_cosines((uint64_t)1 << 53);
    for (int i = 1; i < 2000; i++) printf("ln %a 0 %a\n", 0.5 * i, gs_ln(0.5 * i));
    for (int e = -1000; e < 1000; e += 7) {
        const double x = gs_power(2.0, (uint64_t)(e < 0 ? -e : e)) * 1.1;
        printf("ln %a 0 %a\n", e < 0 ? 1.0 / x : x, gs_ln(e < 0 ? 1.0 / x : x));
    }
    for (uint64_t n = 0; n < 300; n++) printf("power %llu 0 %a\n", (unsigned long long)n, gs_power(0.97, n));
    return 0;
}
