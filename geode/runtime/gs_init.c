/* gs_init.c -- called once, from the main thread, before training. */
#include "gs_init.h"

#include <stdlib.h>

#include "gs_fail.h"
#include "gs_noise.h"

#define GS_CHUNK 1024

static void fill_uniform(uint64_t key, float bound, size_t count, float *out) {
    uint32_t words[GS_CHUNK];
    for (size_t first = 0; first < count; first += GS_CHUNK) {
        const size_t some = count - first < GS_CHUNK ? count - first : GS_CHUNK;
        gs_words(key, first, some, words);
        for (size_t i = 0; i < some; i++) {
            const float u = (float)(words[i] >> 8) * 0x1p-24f;
            out[first + i] = bound * (2.0f * u - 1.0f);
        }
    }
}

/* Makes `vectors` vectors of `length` entries orthonormal, in order: entry i of vector v is q[v * step + i * jump]. */
static void gram_schmidt(double *q, size_t vectors, size_t length, size_t step, size_t jump) {
    for (size_t v = 0; v < vectors; v++) {
        double *x = q + v * step;
        double square = 0.0;
        for (size_t i = 0; i < length; i++) square += x[i * jump] * x[i * jump];
        const double norm = __builtin_sqrt(square);
        for (size_t i = 0; i < length; i++) x[i * jump] /= norm;
        for (size_t w = v + 1; w < vectors; w++) {
            double *y = q + w * step;
            double dot = 0.0;
            for (size_t i = 0; i < length; i++) dot += x[i * jump] * y[i * jump];
            for (size_t i = 0; i < length; i++) y[i * jump] -= dot * x[i * jump];
        }
    }
}

static void fill_orthogonal(const struct gs_parameter *parameter, float *out) {
    const size_t m = (size_t)parameter->m, n = (size_t)parameter->n;
    double *q = malloc(m * n * sizeof *q);
    if (q == NULL) gs_fail("out of memory: %zu numbers to make %s orthogonal", m * n, parameter->name);
    for (size_t i = 0; i < m * n; i++) q[i] = (double)out[i];
    if (m <= n) {
        gram_schmidt(q, m, n, n, 1);
    } else {
        gram_schmidt(q, n, m, 1, n);
    }
    for (size_t i = 0; i < m * n; i++) out[i] = (float)q[i];
    free(q);
}

void gs_init_parameters(const struct gs_program *program, uint64_t seed, float *theta) {
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        const size_t count = (size_t)(parameter->m * parameter->n);
        const uint64_t key = gs_stream_key(parameter->init_stream, seed, 0, 0);
        const float value = (float)parameter->init_value;
        float *out = theta + parameter->offset;
        switch (parameter->init) {
        case GS_INIT_CONSTANT:
            for (size_t i = 0; i < count; i++) out[i] = value;
            break;
        case GS_INIT_NORMAL:
            gs_normals(key, 0, count, out);
            for (size_t i = 0; i < count; i++) out[i] = value * out[i];
            break;
        case GS_INIT_UNIFORM: fill_uniform(key, value, count, out); break;
        case GS_INIT_ORTHOGONAL:
            gs_normals(key, 0, count, out);
            fill_orthogonal(parameter, out);
            break;
        }
    }
}
