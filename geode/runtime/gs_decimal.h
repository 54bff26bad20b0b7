/* gs_decimal.h -- decimal texts to float32, correctly rounded. */
#ifndef GS_DECIMAL_H
#define GS_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first of eight digits is the lowest byte");

/* Bytes behind the end of a text that the functions below may look at. */
#define GS_DECIMAL_MARGIN 8

/* Reads the longest decimal number at `text`: a sign, digits with or without a point, an exponent. The text ends in '\0'
 * with GS_DECIMAL_MARGIN readable bytes behind it. Gives the place behind it and its float32, rounded once to nearest
 * even (an infinity for one beyond float32), or NULL where there is none. */
const char *gs_decimal_read(const char *text, float *value);

/* Eight bytes of a text as digits: each that is one becomes its value, another one is above 9. */
static inline uint64_t gs_decimal_eight(const char *text) {
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes ^ UINT64_C(0x3030303030303030);
}

/* The top bit of each byte above 9; right up to the first, and behind it as long as no byte is above 0x89, whose carry
 * reaches the next. */
static inline uint64_t gs_decimal_others(uint64_t bytes) {
    return ((bytes + UINT64_C(0x7676767676767676)) | bytes) & UINT64_C(0x8080808080808080);
}

/* The value of eight digits, each a byte of 0 to 9: pairs, then fours, then all. */
static inline uint64_t gs_decimal_value(uint64_t bytes) {
    const uint64_t fours = UINT64_C(0x000000ff000000ff);
    bytes = bytes * 10 + (bytes >> 8);
    return ((bytes & fours) * (100 + (UINT64_C(1000000) << 32)) + ((bytes >> 16 & fours) * (1 + (UINT64_C(10000) << 32)))) >> 32;
}

/* x or -x, without a branch: as many numbers have a minus as have none, and no processor foresees which. */
static inline float gs_decimal_signed(float x, uint32_t negative) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= negative << 31;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

#define GS_DECIMAL_SHORT 9 /* bytes of what gs_decimal_short reads, a minus among them */

/* Reads a number of a field at `text`: perhaps a minus, then up to seven digits with a point among them, then a comma or
 * LF. The same float32 and place as gs_decimal_read's, or NULL where it is another one. Neither the sign nor how many digits
 * there are decides a branch. The digits and the power of ten are floats without rounding, so their quotient is rounded
 * once. */
static inline const char *gs_decimal_short(const char *text, float *value) {
    static const float powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
    const uint32_t negative = *text == '-';
    const char *p = text + negative;
    uint64_t bytes = gs_decimal_eight(p);
    const uint64_t others = gs_decimal_others(bytes);
    if (others == 0) return NULL;
    const uint64_t behind_first = others & (others - 1);
    const int point = __builtin_ctzll(others) / 8, end = behind_first == 0 ? 8 : __builtin_ctzll(behind_first) / 8;
    if (p[point] != '.' || end < 2 || (p[end] != ',' && p[end] != '\n')) return NULL;
    const uint64_t whole = (UINT64_C(1) << 8 * point) - 1;
    bytes = (bytes & whole) | (bytes >> 8 & ~whole);
    const uint32_t digits = (uint32_t)gs_decimal_value(bytes << (72 - 8 * end)); /* zeros before them */
    *value = gs_decimal_signed((float)(int32_t)digits / powers[end - 1 - point], negative);
    return p + end;
}

#endif
