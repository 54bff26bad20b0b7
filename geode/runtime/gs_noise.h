/* gs_noise.h -- counter-based random streams: a key and a position give a word or a normal.
 *
 * Any element can be computed alone, in any order, by any thread; nothing is kept between calls.
 * The bits are those of geode/reference/streams.py, with every compiler and vector width. */
#ifndef GS_NOISE_H
#define GS_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64's output for state x (Steele, Lea and Flood 2014). */
uint64_t gs_splitmix64(uint64_t x);

/* Key of the stream named by hi (SHA-256 of its name, made by the compiler) under SEED lo. */
uint64_t gs_stream_key(uint64_t hi, uint64_t lo, uint64_t epoch, uint64_t pair);

/* The four words of one block: Philox4x32-10 of counter (block, block >> 32, 0, 0). */
void gs_philox(uint64_t key, uint64_t block, uint32_t words[4]);

/* out[count]: words first ... of a stream; word w is word w mod 4 of block w / 4. */
void gs_words(uint64_t key, uint64_t first, size_t count, uint32_t *out);

/* out[count]: normals first ... of a stream; element e is normal e mod 4 of block e / 4. */
void gs_normals(uint64_t key, uint64_t first, size_t count, float *out);

/* out[count]: +1 or -1 for each of the bits first ... of a stream, 0 -> +1; bit k is bit k mod 32, the least significant
 * first, of word k / 32. */
void gs_signs(uint64_t key, uint64_t first, size_t count, float *out);

/* z1[count] = r cos, z2[count] = r sin of the word pairs w1[count], w2[count]: the transform that
 * gs_normals applies to words (0, 1) and (2, 3) of a block. The arrays don't overlap. */
void gs_normals_from_words(const uint32_t *w1, const uint32_t *w2, size_t count, float *z1, float *z2);

#endif
