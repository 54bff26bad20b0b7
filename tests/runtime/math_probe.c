/* math_probe.c -- the elementary functions as a filter: math_probe NAME COUNT reads COUNT floats x, and for functions
 * of two arguments COUNT floats y, and writes COUNT results. With COUNT a multiple of GS_VEC. `math_probe all COUNT`
 * reads x and y and writes the results of every function in the order of the table. Little endian. */
#include <stdio.h>
#include <stdlib.h>

#include "gs_math.h"
#include "gs_math_wide.h"

#define ONE(name)                                                                                                      \
    static void run_##name(const float *x, const float *y, float *out) {                                               \
        (void)y;                                                                                                       \
        gs_store(out, gs_##name(gs_load(x)));                                                                          \
    }
#define TWO(name)                                                                                                      \
    static void run_##name(const float *x, const float *y, float *out) {                                               \
        gs_store(out, gs_##name(gs_load(x), gs_load(y)));                                                              \
    }
#define EACH(one, two)                                                                                                 \
    one(exp) one(ln) one(log2) one(log10) one(sin) one(cos) one(tan) one(asin) one(acos) one(atan) one(sinh) one(cosh) \
        one(tanh) one(floor) one(ceil) one(round) one(trunc) two(atan2) two(pow)

EACH(ONE, TWO)

#define ENTRY(name) {#name, run_##name},

static const struct {
    const char *name;
    void (*run)(const float *x, const float *y, float *out);
} functions[] = {EACH(ENTRY, ENTRY)};

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    const size_t count = strtoull(argv[2], NULL, 10), bytes = (count * sizeof(float) + 63) / 64 * 64;
    float *x = aligned_alloc(64, bytes), *y = aligned_alloc(64, bytes), *out = aligned_alloc(64, bytes);
    int found = 0;
    if (count % GS_VEC != 0 || x == NULL || y == NULL || out == NULL)
        return 2;
    if (fread(x, sizeof *x, count, stdin) != count || fread(y, sizeof *y, count, stdin) != count)
        return 3;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], functions[f].name) != 0)
            continue;
        for (size_t i = 0; i < count; i += GS_VEC)
            functions[f].run(x + i, y + i, out + i);
        if (fwrite(out, sizeof *out, count, stdout) != count)
            return 3;
        found++;
    }
    free(x);
    free(y);
    free(out);
    return found > 0 ? 0 : 2;
}
