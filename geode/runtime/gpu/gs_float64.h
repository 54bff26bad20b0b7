/* gs_float64.h -- float64 made of integers, for a language that has no double: IEEE 754, to nearest, ties to even.
 *
 * A number is its 64 bits. Work is done on significands whose leading bit is bit 62, so ten bits below the last one that
 * is kept say how to round; a bit that falls off is kept in the lowest (sticky). Subnormals, infinities and NaN are those of
 * the standard; a NaN's payload is not kept. */
#ifndef GS_FLOAT64_H
#define GS_FLOAT64_H

struct gs_f64 {
    ulong bits;
};

GS_INLINE gs_f64 gs_f64_from_bits(ulong bits) {
    gs_f64 x;
    x.bits = bits;
    return x;
}
GS_INLINE ulong gs_f64_bits(gs_f64 x) { return x.bits; }

/* x >> by; what falls off is noted in bit 0. */
GS_INLINE ulong gs_f64_shift(ulong x, int by) {
    if (by <= 0) return x;
    if (by > 63) return x != 0ul ? 1ul : 0ul;
    return (x >> by) | ((x << (64 - by)) != 0ul ? 1ul : 0ul);
}

/* How many bits above the leading one are 0. */
GS_INLINE int gs_f64_zeros(ulong x) {
    const uint high = (uint)(x >> 32);
    return high != 0u ? (int)gs_leading_zeros(high) : 32 + (int)gs_leading_zeros((uint)x);
}

/* significand 2^(exponent - 1023 - 62), the leading bit at 62 or, with exponent 1, below. */
GS_INLINE gs_f64 gs_f64_round(ulong sign, int exponent, ulong significand) {
    if (exponent < 1) {
        significand = gs_f64_shift(significand, 1 - exponent);
        exponent = 1;
    }
    const ulong rest = significand & 0x3fful;
    ulong kept = (significand + 0x200ul) >> 10;
    if (rest == 0x200ul) kept &= ~1ul;
    const ulong bits = ((ulong)(uint)(exponent - 1) << 52) + kept;
    const bool over = exponent > 2046 || bits >= 0x7ff0000000000000ul;
    return gs_f64_from_bits(sign | (over ? 0x7ff0000000000000ul : bits));
}

struct gs_f64_parts {
    ulong sign, significand; /* the leading bit at 62, where there is one */
    int exponent;
};

/* The parts of a finite number; `normal`: a subnormal one is moved up. */
GS_INLINE struct gs_f64_parts gs_f64_take(gs_f64 x, bool normal) {
    struct gs_f64_parts p;
    p.sign = x.bits & 0x8000000000000000ul;
    p.exponent = (int)((x.bits >> 52) & 0x7fful);
    p.significand = (x.bits & 0xffffffffffffful) << 10;
    if (p.exponent != 0) {
        p.significand |= 1ul << 62;
    } else {
        p.exponent = 1;
        if (normal && p.significand != 0ul) {
            const int by = gs_f64_zeros(p.significand) - 1;
            p.significand = p.significand << by;
            p.exponent -= by;
        }
    }
    return p;
}

GS_INLINE bool gs_f64_is_nan(gs_f64 x) { return (x.bits & 0x7ffffffffffffffful) > 0x7ff0000000000000ul; }
GS_INLINE bool gs_f64_is_finite(gs_f64 x) { return (x.bits & 0x7ff0000000000000ul) != 0x7ff0000000000000ul; }
GS_INLINE bool gs_f64_is_zero(gs_f64 x) { return (x.bits & 0x7ffffffffffffffful) == 0ul; }
GS_INLINE gs_f64 gs_f64_nan() { return gs_f64_from_bits(0x7ff8000000000000ul); }
GS_INLINE gs_f64 operator-(gs_f64 x) { return gs_f64_from_bits(x.bits ^ 0x8000000000000000ul); }

GS_INLINE gs_f64 operator+(gs_f64 a, gs_f64 b) {
    if (!gs_f64_is_finite(a) || !gs_f64_is_finite(b)) {
        if (gs_f64_is_nan(a) || gs_f64_is_nan(b)) return gs_f64_nan();
        if (!gs_f64_is_finite(a) && !gs_f64_is_finite(b) && a.bits != b.bits) return gs_f64_nan();
        return gs_f64_is_finite(a) ? b : a;
    }
    struct gs_f64_parts big = gs_f64_take(a, false), small = gs_f64_take(b, false);
    if ((a.bits & 0x7ffffffffffffffful) < (b.bits & 0x7ffffffffffffffful)) {
        const struct gs_f64_parts swapped = big;
        big = small;
        small = swapped;
    }
    const ulong low = gs_f64_shift(small.significand, big.exponent - small.exponent);
    if (big.sign == small.sign) {
        ulong sum = big.significand + low;
        if ((sum >> 63) != 0ul) {
            sum = gs_f64_shift(sum, 1);
            big.exponent++;
        } else if (big.exponent == 1 && (sum >> 62) == 0ul) {
            return gs_f64_from_bits(big.sign | (sum >> 10)); /* subnormal, exact */
        }
        return gs_f64_round(big.sign, big.exponent, sum);
    }
    ulong rest = big.significand - low;
    if (rest == 0ul) return gs_f64_from_bits(0ul);
    int by = gs_f64_zeros(rest) - 1;
    if (by > big.exponent - 1) by = big.exponent - 1;
    rest = rest << by;
    return gs_f64_round(big.sign, big.exponent - by, rest);
}
GS_INLINE gs_f64 operator-(gs_f64 a, gs_f64 b) { return a + (-b); }

/* The upper 64 bits of a b; bit 0 notes whether the lower ones are 0. */
GS_INLINE ulong gs_f64_high_product(ulong a, ulong b) {
    const ulong a0 = a & 0xfffffffful, a1 = a >> 32, b0 = b & 0xfffffffful, b1 = b >> 32;
    const ulong low = a0 * b0, m1 = a1 * b0, m2 = a0 * b1;
    const ulong middle = (low >> 32) + (m1 & 0xfffffffful) + (m2 & 0xfffffffful);
    const ulong high = a1 * b1 + (m1 >> 32) + (m2 >> 32) + (middle >> 32);
    return high | ((middle & 0xfffffffful) != 0ul || (low & 0xfffffffful) != 0ul ? 1ul : 0ul);
}

GS_INLINE gs_f64 operator*(gs_f64 a, gs_f64 b) {
    const ulong sign = (a.bits ^ b.bits) & 0x8000000000000000ul;
    if (!gs_f64_is_finite(a) || !gs_f64_is_finite(b)) {
        if (gs_f64_is_nan(a) || gs_f64_is_nan(b) || gs_f64_is_zero(a) || gs_f64_is_zero(b)) return gs_f64_nan();
        return gs_f64_from_bits(sign | 0x7ff0000000000000ul);
    }
    if (gs_f64_is_zero(a) || gs_f64_is_zero(b)) return gs_f64_from_bits(sign);
    const struct gs_f64_parts p = gs_f64_take(a, true), q = gs_f64_take(b, true);
    const ulong product = gs_f64_high_product(p.significand, q.significand << 1);
    const int exponent = p.exponent + q.exponent - 1023;
    if ((product >> 62) == 0ul) return gs_f64_round(sign, exponent, product << 1);
    return gs_f64_round(sign, exponent + 1, product);
}

GS_INLINE gs_f64 operator/(gs_f64 a, gs_f64 b) {
    const ulong sign = (a.bits ^ b.bits) & 0x8000000000000000ul;
    if (gs_f64_is_nan(a) || gs_f64_is_nan(b)) return gs_f64_nan();
    if (!gs_f64_is_finite(a)) return gs_f64_is_finite(b) ? gs_f64_from_bits(sign | 0x7ff0000000000000ul) : gs_f64_nan();
    if (!gs_f64_is_finite(b)) return gs_f64_from_bits(sign);
    if (gs_f64_is_zero(b)) return gs_f64_is_zero(a) ? gs_f64_nan() : gs_f64_from_bits(sign | 0x7ff0000000000000ul);
    if (gs_f64_is_zero(a)) return gs_f64_from_bits(sign);
    const struct gs_f64_parts p = gs_f64_take(a, true), q = gs_f64_take(b, true);
    int exponent = p.exponent - q.exponent + 1023;
    ulong rest = p.significand, quotient = 0ul;
    if (rest < q.significand) {
        rest = rest << 1;
        exponent--;
    }
    for (int i = 0; i < 63; i++) { /* one bit at a time, the leading one to bit 62 */
        quotient = quotient << 1;
        if (rest >= q.significand) {
            rest -= q.significand;
            quotient |= 1ul;
        }
        rest = rest << 1;
    }
    return gs_f64_round(sign, exponent, quotient | (rest != 0ul ? 1ul : 0ul));
}

GS_INLINE gs_f64 gs_f64_root(gs_f64 x) {
    if (gs_f64_is_zero(x) || gs_f64_is_nan(x)) return x;
    if ((x.bits >> 63) != 0ul) return gs_f64_nan();
    if (!gs_f64_is_finite(x)) return x;
    const struct gs_f64_parts p = gs_f64_take(x, true);
    /* x = s 2^e with e even, s in 1 ... 4; the root's bits from the top, compared by squares of 62 bits each */
    const int e = p.exponent - 1023;
    const int half = e >> 1;
    ulong rest = 0ul, root = 0ul;
    ulong high = (e & 1) != 0 ? p.significand << 1 : p.significand; /* s with two bits before the point, at 63 and 62 */
    ulong bit_pairs = high;
    for (int i = 0; i < 60; i++) {
        rest = (rest << 2) | (bit_pairs >> 62);
        bit_pairs = bit_pairs << 2;
        const ulong trial = (root << 2) | 1ul;
        root = root << 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1ul;
        }
    }
    /* 60 bits: the leading one stands at bit 59 */
    return gs_f64_round(0ul, half + 1023, (root << 3) | (rest != 0ul || bit_pairs != 0ul ? 1ul : 0ul));
}

GS_INLINE bool operator<(gs_f64 a, gs_f64 b) {
    if (gs_f64_is_nan(a) || gs_f64_is_nan(b) || (gs_f64_is_zero(a) && gs_f64_is_zero(b))) return false;
    const bool below = (a.bits >> 63) != 0ul, other = (b.bits >> 63) != 0ul;
    if (below != other) return below;
    return below ? b.bits < a.bits : a.bits < b.bits;
}
GS_INLINE bool operator>(gs_f64 a, gs_f64 b) { return b < a; }
GS_INLINE bool operator==(gs_f64 a, gs_f64 b) {
    if (gs_f64_is_nan(a) || gs_f64_is_nan(b)) return false;
    return a.bits == b.bits || (gs_f64_is_zero(a) && gs_f64_is_zero(b));
}
GS_INLINE bool operator!=(gs_f64 a, gs_f64 b) { return !(a == b); }

GS_INLINE gs_f64 gs_f64_of(float x) {
    const uint bits = (uint)gs_as_int(x);
    const ulong sign = (ulong)(bits >> 31) << 63;
    const int exponent = (int)((bits >> 23) & 0xffu);
    const ulong fraction = (ulong)(bits & 0x7fffffu);
    if (exponent == 255) return fraction != 0ul ? gs_f64_nan() : gs_f64_from_bits(sign | 0x7ff0000000000000ul);
    if (exponent != 0) return gs_f64_from_bits(sign | ((ulong)(uint)(exponent + 896) << 52) | (fraction << 29));
    if (fraction == 0ul) return gs_f64_from_bits(sign);
    const int by = gs_f64_zeros(fraction) - 40; /* to bit 23 */
    return gs_f64_from_bits(sign | ((ulong)(uint)(897 - by) << 52) | (((fraction << by) & 0x7ffffful) << 29));
}

GS_INLINE gs_f64 gs_f64_of_long(long x) {
    if (x == 0) return gs_f64_from_bits(0ul);
    const ulong sign = x < 0 ? 0x8000000000000000ul : 0ul;
    const ulong size = x < 0 ? 0ul - (ulong)x : (ulong)x;
    const int zeros = gs_f64_zeros(size);
    if (zeros == 0) return gs_f64_round(sign, 1023 + 63, gs_f64_shift(size, 1));
    return gs_f64_round(sign, 1023 + 63 - zeros, size << (zeros - 1));
}
GS_INLINE gs_f64 gs_f64_of_uint(uint x) { return gs_f64_of_long((long)x); }

GS_INLINE float gs_f64_narrow(gs_f64 x) {
    const uint sign = (uint)(x.bits >> 63) << 31;
    if (gs_f64_is_nan(x)) return NAN;
    if (!gs_f64_is_finite(x)) return gs_as_float((int)(sign | 0x7f800000u));
    const struct gs_f64_parts p = gs_f64_take(x, false);
    int exponent = p.exponent - 896;
    ulong significand = p.significand;
    if (exponent < 1) {
        significand = gs_f64_shift(significand, 1 - exponent);
        exponent = 1;
    }
    const ulong rest = significand & 0x7ffffffffful; /* 39 bits */
    uint kept = (uint)((significand + 0x4000000000ul) >> 39);
    if (rest == 0x4000000000ul) kept &= ~1u;
    const uint bits = ((uint)(exponent - 1) << 23) + kept;
    if (exponent > 254 || bits >= 0x7f800000u) return gs_as_float((int)(sign | 0x7f800000u));
    return gs_as_float((int)(sign | bits));
}

#endif
