/* newton_schulz.c -- five quintic Newton-Schulz steps of a 512 x 512 matrix, by hand for that size: what MUON is measured against.
 *
 * X' = a X + (b A + c A A) X with A = X X^T (Jordan et al. 2024). A and A A are symmetric: their upper halves are computed,
 * the lower mirrored. Right-hand sides lie in tiles of COLUMNS columns, so that a product is a broadcast times vectors.
 *
 * usage: newton_schulz ROUNDS; prints {"seconds": best of five steps on one core} */
#include "vectors.h"

enum { N = 512, VECTORS = 2, COLUMNS = VECTORS * WIDTH, TILES = N / COLUMNS, BLOCK = WIDTH == 16 ? 12 : 4 };

/* Columns [tile * COLUMNS, ...) of C = W B + scale D for rows 0 ... end - 1. W: [N][N]; B, C, D: [TILES][N][VECTORS]. */
static __attribute__((noinline)) void product_tile(const float *restrict w, const vec *restrict b, const vec *restrict d,
                                                   float scale, vec *restrict c, int tile, int end) {
    const vec *x = b + (size_t)tile * N * VECTORS;
    const size_t base = (size_t)tile * N * VECTORS;
    for (int row = 0; row < end; row += BLOCK) {
        if (row + BLOCK > N) row = N - BLOCK; /* the last block overlaps the one before */
        vec sum[BLOCK][VECTORS];
#pragma GCC unroll 12
        for (int j = 0; j < BLOCK; j++) {
#pragma GCC unroll 2
            for (int q = 0; q < VECTORS; q++) sum[j][q] = (vec){0};
        }
        for (int i = 0; i < N; i++) {
#pragma GCC unroll 12
            for (int j = 0; j < BLOCK; j++) {
                const float one = w[(size_t)(row + j) * N + i];
#pragma GCC unroll 2
                for (int q = 0; q < VECTORS; q++) sum[j][q] += one * x[i * VECTORS + q];
            }
        }
#pragma GCC unroll 12
        for (int j = 0; j < BLOCK; j++) {
#pragma GCC unroll 2
            for (int q = 0; q < VECTORS; q++) {
                const size_t at = base + (size_t)(row + j) * VECTORS + q;
                c[at] = d == NULL ? sum[j][q] : sum[j][q] + scale * d[at];
            }
        }
    }
}

static void product(const float *w, const vec *b, const vec *d, float scale, vec *c, int symmetric) {
    for (int t = 0; t < TILES; t++) product_tile(w, b, d, scale, c, t, symmetric ? (t + 1) * COLUMNS : N);
}

static void to_rows(const vec *tiles, float *rows) {
    for (int t = 0; t < TILES; t++) {
        for (int j = 0; j < N; j++) {
            memcpy(rows + (size_t)j * N + t * COLUMNS, tiles + ((size_t)t * N + j) * VECTORS, COLUMNS * sizeof(float));
        }
    }
}

static void to_tiles(const float *rows, vec *tiles) {
    for (int t = 0; t < TILES; t++) {
        for (int j = 0; j < N; j++) {
            memcpy(tiles + ((size_t)t * N + j) * VECTORS, rows + (size_t)j * N + t * COLUMNS, COLUMNS * sizeof(float));
        }
    }
}

static void transpose(const float *from, float *to) {
    for (int i = 0; i < N; i += 16) {
        for (int j = 0; j < N; j += 16) {
            for (int a = 0; a < 16; a++) {
                for (int b = 0; b < 16; b++) to[(size_t)(j + b) * N + i + a] = from[(size_t)(i + a) * N + j + b];
            }
        }
    }
}

static void mirror(float *rows) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) rows[(size_t)i * N + j] = rows[(size_t)j * N + i];
    }
}

int main(int count, char **arguments) {
    const float a = 3.4445f, b = -4.7750f, c = 2.0315f;
    const size_t bytes = sizeof(float) * N * N;
    float *start = pages(bytes), *x = pages(bytes), *other = pages(bytes), *square = pages(bytes);
    vec *xt = pages(bytes), *tiles = pages(bytes), *at = pages(bytes), *next = pages(bytes);
    uint32_t state = 1;
    for (size_t i = 0; i < N * N; i++) {
        state = state * 1664525u + 1013904223u;
        start[i] = ((float)(state >> 8) * 5.9604645e-8f - 0.5f) * (3.4641016f / N);
    }
    double best = 1e9;
    for (int r = 0; r < (count > 1 ? atoi(arguments[1]) : 10); r++) {
        to_tiles(start, xt);
        const double from = seconds();
        for (int step = 0; step < 5; step++) {
            to_rows(xt, x);
            transpose(x, other);
            to_tiles(other, tiles);
            product(x, tiles, NULL, 0.0f, at, 1);
            to_rows(at, square);
            mirror(square);
            to_tiles(square, at);
            product(square, at, at, b / c, next, 1);
            to_rows(next, other);
            mirror(other);
            for (size_t i = 0; i < N * N; i++) other[i] *= c;
            product(other, xt, xt, a, next, 0);
            vec *swap = xt;
            xt = next;
            next = swap;
        }
        const double time = seconds() - from;
        if (time < best) best = time;
    }
    to_rows(xt, x);
    double norm = 0.0;
    for (size_t i = 0; i < N * N; i++) norm += (double)x[i] * (double)x[i];
    printf("{\"seconds\": %.9f, \"mean_square\": %.6f}\n", best, norm / N);
    return 0;
}
