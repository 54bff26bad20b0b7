/* noise_probe.c -- binary streams to standard output, for comparison with the NumPy streams.
 *   words KEY FIRST COUNT, normals KEY FIRST COUNT: that part of a stream
 *   transform COUNT: reads COUNT words u1, COUNT words u2; writes COUNT cosines, then COUNT sines
 *   key HI LO EPOCH PAIR: the key
 * All numbers decimal; data is little endian. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_noise.h"

static void *room(size_t count) {
    void *p = malloc(count * 4 + 1);
    if (p == NULL)
        exit(3);
    return p;
}

static int write_all(const void *data, size_t count) {
    return fwrite(data, 4, count, stdout) == count && fflush(stdout) == 0 ? 0 : 3;
}

int main(int argc, char **argv) {
    uint64_t n[4] = {0};
    if (argc < 3 || argc > 6)
        return 2;
    for (int i = 2; i < argc; i++)
        n[i - 2] = strtoull(argv[i], NULL, 10);
    if (strcmp(argv[1], "key") == 0) {
        printf("%llu\n", (unsigned long long)gs_stream_key(n[0], n[1], n[2], n[3]));
        return 0;
    }
    if (strcmp(argv[1], "transform") == 0) {
        size_t count = (size_t)n[0];
        uint32_t *words = room(2 * count);
        float *normals = room(2 * count);
        if (fread(words, 4, 2 * count, stdin) != 2 * count)
            return 3;
        gs_normals_from_words(words, words + count, count, normals, normals + count);
        return write_all(normals, 2 * count);
    }
    size_t count = (size_t)n[2];
    uint32_t *out = room(count);
    if (strcmp(argv[1], "words") == 0) {
        gs_words(n[0], n[1], count, out);
        return write_all(out, count);
    }
    float *normals = room(count);
    gs_normals(n[0], n[1], count, normals);
    return write_all(normals, count);
}
