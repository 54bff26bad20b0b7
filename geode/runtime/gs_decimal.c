/* gs_decimal.c -- float64 decides where its error can't matter, and that is nearly always; else strtof. Pure. */
#include "gs_decimal.h"

#include <stdbool.h>
#include <stdlib.h>

#define GS_MOST_DIGITS 19 /* that fit in 64 bits */
#define GS_MOST_POWER 64

/* Each the float64 nearest to it; exact up to 1e22. */
static const double powers_of_ten[GS_MOST_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33,
    1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50,
    1e51, 1e52, 1e53, 1e54, 1e55, 1e56, 1e57, 1e58, 1e59, 1e60, 1e61, 1e62, 1e63, 1e64};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes the digits at `p` into *digits, eight at a time; how many there are decides no branch while they are fewer. */
static inline const char *take_digits(const char *p, uint64_t *digits) {
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    for (;;) {
        uint64_t bytes = gs_decimal_eight(p);
        const uint64_t others = gs_decimal_others(bytes);
        if (others == 0) {
            *digits = *digits * powers[8] + gs_decimal_value(bytes);
            p += 8;
            continue;
        }
        const int count = __builtin_ctzll(others) / 8;
        bytes = bytes << (56 - 8 * count) << 8; /* zeros before the digits */
        *digits = *digits * powers[count] + gs_decimal_value(bytes);
        return p + count;
    }
}

/* An exponent's sign and digits; NULL where there are none. One too large to matter is cut. */
static const char *read_exponent(const char *p, int *exponent) {
    const bool negative = *p == '-';
    int value = 0;
    if (*p == '-' || *p == '+') p++;
    if (!is_digit(*p)) return NULL;
    for (; is_digit(*p); p++) value = value < 10000 ? value * 10 + (*p - '0') : value;
    *exponent = negative ? -value : value;
    return p;
}

/* digits * 10^power; false where its float64 is too near to the middle of two float32 to tell.
 *
 * The conversion of the digits, the power and the product or quotient each err by 2^-53 of themselves at most, so the
 * true value lies between `low` and `high`. Rounding keeps order: where both have one float32, it is that of all between
 * them. */
static bool from_float64(uint64_t digits, int power, float *value) {
    if (power < -GS_MOST_POWER || power > GS_MOST_POWER) return false;
    const double whole = digits >> 63 == 0 ? (double)(int64_t)digits : (double)digits; /* signed ones are converted faster */
    const double x = power < 0 ? whole / powers_of_ten[-power] : whole * powers_of_ten[power];
    const float low = (float)(x * (1.0 - 0x1p-50)), high = (float)(x * (1.0 + 0x1p-50));
    *value = low;
    return low == high;
}

const char *gs_decimal_read(const char *text, float *value) {
    const char *p = text;
    const uint32_t negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    uint64_t digits = 0; /* meaningless where there are too many */
    const char *first = p;
    p = take_digits(p, &digits);
    long count = p - first;
    int power = 0;
    if (*p == '.') {
        first = ++p;
        p = take_digits(p, &digits);
        count += p - first;
        power = p - first <= GS_MOST_DIGITS ? -(int)(p - first) : 0;
    }
    if (count == 0) return NULL;
    if (*p == 'e' || *p == 'E') {
        int exponent;
        const char *behind = read_exponent(p + 1, &exponent);
        if (behind != NULL) {
            p = behind;
            power += exponent;
        }
    }
    float x;
    if (count > GS_MOST_DIGITS || !from_float64(digits, power, &x)) {
        *value = strtof(text, NULL);
    } else {
        *value = gs_decimal_signed(x, negative);
    }
    return p;
}
