/* shaping_probe.c -- shapings, series, batch sums and orthogonal weights of the runtime, for comparison with NumPy.
 *   shape MODE ANTITHETIC COUNT: reads COUNT float64 fitnesses, writes COUNT float64 weights
 *   ln COUNT: reads COUNT float64, writes their logarithms
 *   cos COUNT: writes cos(pi t / COUNT) for t = 0 ... COUNT, float64
 *   sum LANES COUNT: reads COUNT float32 rows, writes the one float64 sum that tiles of LANES rows give
 *   init KIND M N SEED STREAM: writes the M x N float32 weights of init KIND with init_value 0.375
 * MODE and KIND are the runtime's enumerators, all numbers decimal, data little endian. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_batch_sum.h"
#include "gs_init.h"
#include "gs_series.h"
#include "gs_shaping.h"

static void *room(size_t bytes) {
    void *p = calloc(bytes + 1, 1);
    if (p == NULL)
        exit(3);
    return p;
}

static void *read_all(size_t count, size_t size) {
    void *p = room(count * size);
    if (fread(p, size, count, stdin) != count)
        exit(3);
    return p;
}

static int write_all(const void *data, size_t count, size_t size) {
    return fwrite(data, size, count, stdout) == count && fflush(stdout) == 0 ? 0 : 3;
}

static int shape(unsigned mode, bool antithetic, size_t count) {
    struct gs_arena arena = {0};
    const struct gs_shaper shaper = gs_shaper_make(&arena, (enum gs_shaping)mode, antithetic, count);
    const double *fitness = read_all(count, sizeof *fitness);
    double *weights = room(count * sizeof *weights);
    gs_shape(&shaper, fitness, weights);
    return write_all(weights, count, sizeof *weights);
}

static int logarithms(size_t count) {
    double *x = read_all(count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = gs_ln(x[i]);
    return write_all(x, count, sizeof *x);
}

static int cosines(size_t count) {
    double *x = room((count + 1) * sizeof *x);
    for (size_t t = 0; t <= count; t++)
        x[t] = gs_cos_turn(t, count);
    return write_all(x, count + 1, sizeof *x);
}

static int sum(size_t lanes, size_t count) {
    const float *rows = read_all(count + lanes, sizeof *rows); /* a last tile's worth more, as a tile holds it */
    double total = 0.0, partial[GS_PARTIALS] = {0};
    for (size_t row = 0; row < count; row += lanes) {
        const size_t live = count - row < lanes ? count - row : lanes;
        gs_batch_add(GS_BATCH_SUM, partial, rows + row, lanes, live, row % GS_BLOCK_ROWS);
        if ((row + lanes) % GS_BLOCK_ROWS == 0 || row + lanes >= count) {
            total += gs_batch_combine(GS_BATCH_SUM, partial);
            memset(partial, 0, sizeof partial);
        }
    }
    return write_all(&total, 1, sizeof total);
}

static int initial(unsigned kind, uint64_t m, uint64_t n, uint64_t seed, uint64_t stream) {
    const struct gs_parameter parameter = {.name = "probe",
                                           .axes = 2,
                                           .shape = {m, n},
                                           .m = m,
                                           .n = n,
                                           .kind = GS_KIND_MATRIX,
                                           .init = (enum gs_init)kind,
                                           .init_value = 0.375,
                                           .init_stream = stream};
    const struct gs_program program = {.parameters = &parameter, .parameter_count = 1};
    float *theta = room((size_t)(m * n) * sizeof *theta);
    gs_init_parameters(&program, seed, theta);
    return write_all(theta, (size_t)(m * n), sizeof *theta);
}

int main(int argc, char **argv) {
    uint64_t n[5] = {0};
    if (argc < 3 || argc > 7)
        return 2;
    for (int i = 2; i < argc; i++)
        n[i - 2] = strtoull(argv[i], NULL, 10);
    if (strcmp(argv[1], "shape") == 0)
        return shape((unsigned)n[0], n[1] != 0, (size_t)n[2]);
    if (strcmp(argv[1], "ln") == 0)
        return logarithms((size_t)n[0]);
    if (strcmp(argv[1], "cos") == 0)
        return cosines((size_t)n[0]);
    if (strcmp(argv[1], "sum") == 0)
        return sum((size_t)n[0], (size_t)n[1]);
    if (strcmp(argv[1], "init") == 0)
        return initial((unsigned)n[0], n[1], n[2], n[3], n[4]);
    return 2;
}
