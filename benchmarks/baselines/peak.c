/* peak.c -- what one core can do at most: independent fused multiply-adds in registers.
 * usage: peak; prints {"gflops": one core's best} */
#include "vectors.h"

#define CHAINS (WIDTH == 16 ? 20 : 10)

static volatile float sink;
/* Unknown to the compiler, which else works out beforehand the chain that stays 1, and leaves it out of the loop. */
static volatile float start = 1.0f;

static double once(long steps) {
    vec chain[CHAINS];
    const vec factor = spread(0.999f), term = spread(0.001f);
    for (int i = 0; i < CHAINS; i++) chain[i] = spread(start + (float)i);
    const double begun = seconds();
    for (long k = 0; k < steps; k++) {
#pragma GCC unroll 20
        for (int i = 0; i < CHAINS; i++) chain[i] = chain[i] * factor + term;
    }
    const double time = seconds() - begun;
    for (int i = 1; i < CHAINS; i++) chain[0] += chain[i];
    sink = chain[0][0];
    return 2.0 * WIDTH * CHAINS * (double)steps / time;
}

int main(void) {
    double best = 0.0;
    for (int i = 0; i < 15; i++) {
        const double rate = once(1000000);
        if (rate > best) best = rate;
    }
    printf("{\"gflops\": %.3f}\n", best * 1e-9);
    return 0;
}
