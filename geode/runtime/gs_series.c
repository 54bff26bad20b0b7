/* gs_series.c -- series in float64; ln in pairs of float64 (a value and the rest that it leaves). */
#include "gs_series.h"

#include <string.h>

double gs_power(double x, uint64_t n) {
    double result = 1.0;
    for (; n != 0; n >>= 1) {
        if (n & 1) result *= x;
        x *= x;
    }
    return result;
}

/* Taylor series, |x| <= pi/4. */
static double short_cos(double x) {
    const double y = x * x;
    double sum = 1.0;
    for (int k = 18; k > 0; k -= 2) sum = 1.0 - y * sum / (double)(k * (k - 1));
    return sum;
}

static double short_sin(double x) {
    const double y = x * x;
    double sum = 1.0;
    for (int k = 19; k > 1; k -= 2) sum = 1.0 - y * sum / (double)(k * (k - 1));
    return x * sum;
}

double gs_cos_turn(uint64_t t, uint64_t n) {
    const double pi = 0x1.921fb54442d18p+1;
    if (2 * t > n) return 0.0 - gs_cos_turn(n - t, n);
    if (4 * t <= n) return short_cos(pi * ((double)t / (double)n));
    /* cos(pi t / n) = sin(pi (n - 2t) / 2n), whose argument is exact up to the quotient */
    return short_sin(pi * ((double)(n - 2 * t) / (2.0 * (double)n)));
}

/* hi + lo with |lo| at most half a step of hi. */
struct pair {
    double hi, lo;
};

static struct pair two_sum(double a, double b) {
    const double s = a + b, v = s - a;
    return (struct pair){s, (a - (s - v)) + (b - v)};
}

static struct pair add(struct pair a, struct pair b) {
    const struct pair s = two_sum(a.hi, b.hi);
    return two_sum(s.hi, s.lo + (a.lo + b.lo));
}

static struct pair multiply(struct pair a, struct pair b) {
    const double p = a.hi * b.hi;
    const double rest = __builtin_fma(a.hi, b.hi, -p);
    return two_sum(p, rest + (a.hi * b.lo + a.lo * b.hi));
}

static struct pair divide(struct pair a, struct pair b) {
    const double q = a.hi / b.hi;
    const struct pair used = multiply((struct pair){q, 0.0}, b);
    const struct pair left = add(a, (struct pair){-used.hi, -used.lo});
    return two_sum(q, left.hi / b.hi);
}

double gs_ln(double x) {
    const struct pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 0x1.6a09e667f3bcdp+0) { /* sqrt 2 */
        m *= 0.5;
        exponent++;
    }
    /* ln m = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1)/(m + 1), |s| < 0.172; m - 1 is exact */
    const struct pair s = divide(two_sum(m, -1.0), two_sum(m, 1.0));
    const struct pair square = multiply(s, s);
    struct pair sum = {0.0, 0.0};
    for (int k = 45; k > 0; k -= 2) {
        sum = add(multiply(sum, square), divide((struct pair){1.0, 0.0}, (struct pair){(double)k, 0.0}));
    }
    sum = multiply(multiply(s, sum), (struct pair){2.0, 0.0});
    const struct pair scaled = multiply(ln2, (struct pair){(double)exponent, 0.0});
    return add(scaled, sum).hi;
}
