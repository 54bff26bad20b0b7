/* gs_rows.c -- conversion of one row at a time; reads only, so any thread may. */
#include "gs_rows.h"

#include <inttypes.h>
#include <string.h>

#include "gs_fail.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers of bytes in order are read as they are");

size_t gs_number_size(enum gs_number type) {
    static const size_t sizes[] = {
        [GS_NUMBER_U1] = 1, [GS_NUMBER_U2] = 2, [GS_NUMBER_U4] = 4, [GS_NUMBER_U8] = 8,
        [GS_NUMBER_I1] = 1, [GS_NUMBER_I2] = 2, [GS_NUMBER_I4] = 4, [GS_NUMBER_I8] = 8,
        [GS_NUMBER_F2] = 2, [GS_NUMBER_F4] = 4, [GS_NUMBER_F8] = 8, [GS_NUMBER_BOOL] = 1};
    return sizes[type];
}

/* IEEE binary16; every one is a float32. */
static float from_half(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, exponent = (half >> 10) & 31u, fraction = half & 1023u;
    uint32_t bits;
    float x;
    if (exponent == 0) {
        x = (float)fraction * 0x1p-24f;
        return sign == 0 ? x : -x;
    }
    bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The `size` bytes at `at` as an unsigned integer. */
static uint64_t take_bits(const unsigned char *at, size_t size, bool swapped) {
    uint64_t bits = 0;
    if (!swapped) {
        memcpy(&bits, at, size);
        return bits;
    }
    for (size_t i = 0; i < size; i++) bits = bits << 8 | at[i];
    return bits;
}

static float from_bits(uint64_t bits, enum gs_number type) {
    const uint32_t word = (uint32_t)bits;
    float single;
    double real;
    switch (type) {
    case GS_NUMBER_U1:
    case GS_NUMBER_U2:
    case GS_NUMBER_U4:
    case GS_NUMBER_U8: return (float)bits;
    case GS_NUMBER_I1: return (float)(int8_t)(uint8_t)bits;
    case GS_NUMBER_I2: return (float)(int16_t)(uint16_t)bits;
    case GS_NUMBER_I4: return (float)(int32_t)word;
    case GS_NUMBER_I8: return (float)(int64_t)bits;
    case GS_NUMBER_F2: return from_half((uint16_t)bits);
    case GS_NUMBER_F4: memcpy(&single, &word, sizeof single); return single;
    case GS_NUMBER_F8: memcpy(&real, &bits, sizeof real); return (float)real;
    case GS_NUMBER_BOOL: break;
    }
    return bits != 0 ? 1.0f : 0.0f;
}

/* True if float64 `bits` are a finite number. */
static bool is_finite(uint64_t bits) { return (bits >> 52 & 2047u) != 2047u; }

/* True if all of them are finite. Without branches, so that compilers make it as fast as memory. */
static bool all_finite(const float *x, size_t count) {
    uint32_t odd = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t bits;
        memcpy(&bits, x + k, sizeof bits);
        odd |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return odd == 0;
}

/* Ends the program at the first number of a row that is not finite. */
static _Noreturn void fail_at_number(const struct gs_rows *rows, uint64_t row, const float *x) {
    size_t k = 0;
    while (x[k] - x[k] == 0.0f) k++;
    const size_t size = gs_number_size(rows->type);
    const unsigned char *at = rows->at + ((size_t)row * rows->width + k) * size;
    const char *what = x[k] != x[k] ? "NaN" : x[k] > 0.0f ? "infinity" : "minus infinity";
    if (rows->type == GS_NUMBER_F8 && is_finite(take_bits(at, size, rows->swapped))) what = "beyond float32";
    gs_fail("%s: number %zu of row %" PRIu64 " is %s", rows->file.path, k + 1, row + 1, what);
}

void gs_rows_read(const struct gs_rows *rows, uint64_t row, float *out) {
    const size_t size = gs_number_size(rows->type), width = rows->width;
    const unsigned char *at = rows->at + (size_t)row * width * size;
    if (rows->type == GS_NUMBER_F4 && !rows->swapped) {
        memcpy(out, at, width * sizeof *out);
    } else {
        for (size_t k = 0; k < width; k++, at += size) {
            out[k] = from_bits(take_bits(at, size, rows->swapped), rows->type);
        }
    }
    if (!all_finite(out, width)) fail_at_number(rows, row, out);
}

void gs_rows_close(struct gs_rows *rows) {
    gs_file_close(&rows->file);
    *rows = (struct gs_rows){0};
}
