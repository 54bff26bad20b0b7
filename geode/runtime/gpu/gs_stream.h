/* gs_stream.h -- ../gs_noise.c for kernels: keys, Philox words, normals and signs, one block of four words at a time. */
#ifndef GS_STREAM_H
#define GS_STREAM_H

#include "gs_normal_table.h"
#include "gs_tile.h"

GS_TABLE gs_normal_log[] = GS_NORMAL_LOG;
GS_TABLE gs_normal_sine[] = GS_NORMAL_SINE;
GS_TABLE gs_normal_cosine[] = GS_NORMAL_COSINE;

struct gs_four_words {
    uint w0, w1, w2, w3;
};
struct gs_four_numbers {
    float z[4];
};

GS_INLINE ulong gs_splitmix64(ulong x) {
    ulong z = x + 0x9E3779B97F4A7C15ul;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ul;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBul;
    return z ^ (z >> 31);
}

GS_INLINE ulong gs_stream_key(ulong hi, ulong lo, ulong epoch, ulong pair) {
    const ulong root = gs_splitmix64(hi ^ gs_splitmix64(lo));
    const ulong of_epoch = gs_splitmix64(root ^ 0x45535F45504F4348ul ^ epoch);
    return gs_splitmix64(of_epoch ^ 0x45535F504149525Ful ^ pair);
}

/* Philox4x32-10 of counter (block, block >> 32, 0, 0). */
GS_INLINE struct gs_four_words gs_philox(ulong key, ulong block) {
    uint c0 = (uint)block, c1 = (uint)(block >> 32), c2 = 0u, c3 = 0u;
    uint k0 = (uint)key, k1 = (uint)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const ulong p0 = (ulong)c0 * 0xD2511F53ul, p1 = (ulong)c2 * 0xCD9E8D57ul;
        c0 = (uint)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint)p1;
        c3 = (uint)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    struct gs_four_words words;
    words.w0 = c0;
    words.w1 = c1;
    words.w2 = c2;
    words.w3 = c3;
    return words;
}

/* Horner, products and sums rounded on their own. */
GS_INLINE float gs_plain_polynomial(GS_TABLE_POINTER coefficients, int count, float x) {
    float value = coefficients[count - 1];
    for (int i = count - 2; i >= 0; i--) value = value * x + coefficients[i];
    return value;
}
#define GS_PLAIN_POLYNOMIAL(list, x) gs_plain_polynomial(list, (int)(sizeof(list) / sizeof((list)[0])), x)

struct gs_twins {
    float cosine, sine;
};

/* Box-Muller as ../gs_noise.c has it. */
GS_INLINE struct gs_twins gs_transform(uint first, uint second) {
    const float u1 = ((float)first + 0.5f) * 0x1p-32f;
    const int bits = gs_bits(u1);
    const int exponent = ((GS_NORMAL_SPLIT + 0x7FFFFF) - bits) & -0x800000;
    const float x = gs_from_bits(bits + exponent) - 1.0f;
    const float squared = (float)exponent * GS_NORMAL_STEP + x * GS_PLAIN_POLYNOMIAL(gs_normal_log, x);
    const float r = gs_sqrt(squared);

    const uint turned = second + 0x20000000u;
    const int rest = (int)(second << 2) >> 2;
    const float t = ((float)rest + 0.5f) * 0x1p-30f;
    const float q = t * t;
    const float sine = t * GS_PLAIN_POLYNOMIAL(gs_normal_sine, q);
    const float cosine = 1.0f + q * GS_PLAIN_POLYNOMIAL(gs_normal_cosine, q);

    const int odd = (int)(turned << 1) >> 31;
    const uint sign_of_cosine = (turned + 0x40000000u) & 0x80000000u, sign_of_sine = turned & 0x80000000u;
    struct gs_twins twins;
    twins.cosine = r * gs_from_bits(gs_bits(gs_select(odd, sine, cosine)) ^ (int)sign_of_cosine);
    twins.sine = r * gs_from_bits(gs_bits(gs_select(odd, cosine, sine)) ^ (int)sign_of_sine);
    return twins;
}

/* Normals 4 block ... 4 block + 3 of a stream. */
GS_INLINE struct gs_four_numbers gs_normals(ulong key, ulong block) {
    const struct gs_four_words w = gs_philox(key, block);
    const struct gs_twins a = gs_transform(w.w0, w.w1), b = gs_transform(w.w2, w.w3);
    struct gs_four_numbers out;
    out.z[0] = a.cosine;
    out.z[1] = a.sine;
    out.z[2] = b.cosine;
    out.z[3] = b.sine;
    return out;
}

/* Word `element` of a stream. */
GS_INLINE uint gs_word_at(ulong key, ulong element) {
    const struct gs_four_words w = gs_philox(key, element >> 2);
    const uint place = (uint)element & 3u;
    return place < 2u ? (place == 0u ? w.w0 : w.w1) : (place == 2u ? w.w2 : w.w3);
}

GS_INLINE float gs_normal_at(ulong key, ulong element) {
    const struct gs_four_numbers four = gs_normals(key, element >> 2);
    return four.z[(uint)element & 3u];
}

#endif
