/* gs_sha256.h -- SHA-256 (FIPS 180-4) of bytes that come piece by piece. */
#ifndef GS_SHA256_H
#define GS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define GS_SHA256_HEX 65 /* 64 hexadecimal digits and the end of the text */

struct gs_sha256 {
    uint32_t state[8];
    uint64_t bytes;            /* taken so far */
    unsigned char block[64];   /* its first bytes % 64 are waiting */
};

void gs_sha256_start(struct gs_sha256 *hash);

void gs_sha256_add(struct gs_sha256 *hash, const void *data, size_t size);

/* The digest in lower-case hexadecimal digits; `hash` is used up. */
void gs_sha256_finish(struct gs_sha256 *hash, char hex[GS_SHA256_HEX]);

#endif
