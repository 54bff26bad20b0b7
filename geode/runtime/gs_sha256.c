/* gs_sha256.c -- plain C, one block of 64 bytes at a time; any thread, on its own struct. */
#include "gs_sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void mix(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64];
    for (size_t i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
    }
    for (size_t i = 16; i < 64; i++) {
        const uint32_t s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (size_t i = 0; i < 64; i++) {
        const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + constants[i] + w[i];
        const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void gs_sha256_start(struct gs_sha256 *hash) {
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    *hash = (struct gs_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                         0x1f83d9ab, 0x5be0cd19}};
}

void gs_sha256_add(struct gs_sha256 *hash, const void *data, size_t size) {
    const unsigned char *from = data;
    size_t waiting = (size_t)(hash->bytes % 64);
    hash->bytes += size;
    if (waiting > 0) {
        const size_t some = 64 - waiting < size ? 64 - waiting : size;
        memcpy(hash->block + waiting, from, some);
        if (waiting + some < 64) return;
        mix(hash->state, hash->block);
        from += some, size -= some;
    }
    for (; size >= 64; from += 64, size -= 64) mix(hash->state, from);
    if (size > 0) memcpy(hash->block, from, size);
}

void gs_sha256_finish(struct gs_sha256 *hash, char hex[GS_SHA256_HEX]) {
    static const char digits[] = "0123456789abcdef";
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = hash->bytes * 8;
    const size_t waiting = (size_t)(hash->bytes % 64);
    unsigned char length[8];
    for (size_t i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i) & 0xff);
    gs_sha256_add(hash, padding, waiting < 56 ? 56 - waiting : 120 - waiting);
    gs_sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < 64; i++) hex[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 0xf];
    hex[64] = '\0';
}
