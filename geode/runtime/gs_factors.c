/* gs_factors.c -- one stream a matrix and pair: B row by row, then A row by row. */
#include "gs_factors.h"

#include "gs_noise.h"

#define GS_DRAWN 512 /* numbers drawn at a time on their way to a transposed place */

static void draw(const struct gs_factors *factors, uint64_t first, size_t count, float *out) {
    if (factors->family == GS_PERTURBATION_OMELETTE_R1) {
        gs_signs(factors->key, first, count, out);
    } else {
        gs_normals(factors->key, first, count, out);
    }
}

void gs_factors_a(const struct gs_factors *factors, size_t first, size_t count, float *out) {
    draw(factors, (uint64_t)(factors->n + first) * factors->rank, count * factors->rank, out);
}

void gs_factors_b(const struct gs_factors *factors, size_t first, size_t count, float *out, size_t stride) {
    const size_t rank = factors->rank;
    if (rank == 1) {
        draw(factors, first, count, out);
        return;
    }
    float drawn[GS_DRAWN];
    for (size_t done = 0; done < count * rank;) {
        const size_t left = count * rank - done;
        const size_t taken = left < GS_DRAWN ? left : GS_DRAWN;
        draw(factors, (uint64_t)first * rank + done, taken, drawn);
        for (size_t i = 0; i < taken; i++, done++) out[done % rank * stride + done / rank] = drawn[i];
    }
}
