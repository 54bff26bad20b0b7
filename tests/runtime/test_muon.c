/* test_muon.c -- Newton-Schulz steps against the formula written plainly, to the bit, and what they are for.
 * links: gs_muon.c gs_noise.c gs_pool.c gs_cpu.c gs_arena.c gs_fail.c */
#include "gs_muon.h"

#include <math.h>

#include "gs_noise.h"
#include "gs_test.h"

#define MOST (160 * 160)

static float momentum[MOST], actual[MOST], x[MOST], a[MOST], square[MOST], product[MOST];

/* out [rows][columns] = left [rows][inner] right [inner][columns], each entry one chain from +0. */
static void multiply(const float *left, const float *right, float *out, size_t rows, size_t inner, size_t columns) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            float sum = 0.0f;
            for (size_t k = 0; k < inner; k++) sum = fmaf(left[i * inner + k], right[k * columns + j], sum);
            out[i * columns + j] = sum;
        }
    }
}

/* engine.md's steps, into x [rows][columns] with rows <= columns. */
static void plain_steps(size_t m, size_t n, float norm, size_t steps) {
    const size_t rows = m < n ? m : n, columns = m < n ? n : m;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) x[i * columns + j] = momentum[m <= n ? i * n + j : j * n + i] / norm;
    }
    for (size_t s = 0; s < steps; s++) {
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < columns; j++) product[j * rows + i] = x[i * columns + j];
        }
        multiply(x, product, a, rows, columns, rows);
        multiply(a, a, square, rows, rows, rows);
        for (size_t i = 0; i < rows * rows; i++) a[i] = fmaf(2.0315f, square[i], -4.7750f * a[i]);
        multiply(a, x, product, rows, rows, columns);
        for (size_t i = 0; i < rows * columns; i++) x[i] = fmaf(3.4445f, x[i], product[i]);
    }
}

static double fill(size_t m, size_t n) {
    double squares = 0.0;
    gs_normals(m * 1000 + n, 0, m * n, momentum);
    for (size_t i = 0; i < m * n; i++) squares += (double)momentum[i] * (double)momentum[i];
    return sqrt(squares);
}

static void orthogonalise(size_t m, size_t n, double norm, size_t workers) {
    struct gs_arena arena = {0};
    struct gs_muon_room room = {0};
    struct gs_pool *pool = gs_pool_start(workers);
    gs_muon_fit(&room, 2, 3);
    gs_muon_fit(&room, m, n);
    const struct gs_muon muon = gs_muon_make(&arena, pool, &room);
    gs_muon_orthogonalise(&muon, momentum, norm, m, n, 5, actual);
    gs_pool_stop(pool);
    gs_arena_free(&arena);
}

static void check(size_t m, size_t n, size_t workers) {
    const double norm = fill(m, n);
    orthogonalise(m, n, norm, workers);
    plain_steps(m, n, (float)norm, 5);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) CHECK_REAL(m <= n ? x[i * n + j] : x[j * m + i], actual[i * n + j]);
    }
}

static void test_steps_are_the_formula_to_the_bit(void) {
    const size_t shapes[][2] = {{1, 1}, {1, 50}, {50, 1}, {8, 100}, {100, 8}, {48, 49}, {65, 64}, {7, 7}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) check(shapes[s][0], shapes[s][1], 1);
}

static void test_large_matrices_are_shared_out_to_the_bit(void) {
    check(130, 150, 3);
    check(160, 97, 2);
}

static void test_a_zero_momentum_gives_zero(void) {
    memset(momentum, 0, sizeof momentum);
    actual[5] = 3.0f;
    orthogonalise(3, 4, 0.0, 1);
    for (size_t i = 0; i < 12; i++) CHECK_REAL(0.0, actual[i]);
}

static void test_singular_values_come_near_one(void) {
    fill(20, 100);
    orthogonalise(20, 100, fill(20, 100), 1);
    double trace = 0.0; /* of O O^T: the sum of 20 squared singular values */
    for (size_t i = 0; i < 20 * 100; i++) trace += (double)actual[i] * (double)actual[i];
    CHECK(1, trace > 20 * 0.6 && trace < 20 * 1.4);
}

static const struct gs_test tests[] = {
    GS_TEST(test_steps_are_the_formula_to_the_bit),
    GS_TEST(test_large_matrices_are_shared_out_to_the_bit),
    GS_TEST(test_a_zero_momentum_gives_zero),
    GS_TEST(test_singular_values_come_near_one),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
