/* test_factored.c -- layers under low-rank noise against their definition, output by output; the factors they read.
 * links: gs_factors.c gs_noise.c */
#define GS_LANES 24
#if defined(__AVX2__) && defined(__FMA__)
#define GS_VEC 8
#endif
#include "kernels/gs_factored.h"

#include <math.h>

#include "gs_factors.h"
#include "gs_noise.h"
#include "gs_test.h"

#define MOST_ROWS 40
#define MOST_RANK 6
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static _Alignas(64) float w[MOST_ROWS * MOST_ROWS], a[MOST_ROWS * MOST_RANK], b[MOST_RANK * MOST_ROWS];
static _Alignas(64) float x[MOST_ROWS * GS_LANES], t[MOST_ROWS * GS_LANES], y[MOST_ROWS * GS_LANES];
static _Alignas(64) float mean[MOST_ROWS * GS_LANES];

static void fill(void) {
    gs_normals(1, 0, COUNT(w), w);
    gs_normals(2, 0, COUNT(a), a);
    gs_normals(3, 0, COUNT(b), b);
    gs_normals(4, 0, COUNT(x), x);
}

/* Output j of lane l by engine.md: the layer's chain, then one link for each q. */
static float expected(size_t j, size_t l, size_t inputs, size_t rank, float ss) {
    float acc = 0.0f;
    for (size_t i = 0; i < inputs; i++) acc = fmaf(w[j * inputs + i], x[i * GS_LANES + l], acc);
    for (size_t q = 0; q < rank; q++) {
        float dot = 0.0f;
        for (size_t i = 0; i < inputs; i++) dot = fmaf(b[q * inputs + i], x[i * GS_LANES + l], dot);
        acc = fmaf(a[j * rank + q], ss * dot, acc);
    }
    return acc;
}

static void check(size_t outputs, size_t inputs, size_t rank) {
    const struct gs_slot slot = {.w = w, .a = a, .b = b, .ss = -0.37f};
    gs_linear(slot.b, x, t, rank, inputs);
    gs_factored(&slot, x, t, y, outputs, inputs, rank);
    gs_linear(slot.w, x, mean, outputs, inputs);
    for (size_t j = 0; j < outputs; j++) {
        for (size_t l = 0; l < GS_LANES; l++) {
            CHECK_REAL(expected(j, l, inputs, rank, slot.ss), y[j * GS_LANES + l]);
        }
    }
    static _Alignas(64) float corrected[MOST_ROWS * GS_LANES];
    gs_correct(&slot, mean, t, corrected, outputs, 1, rank);
    CHECK(0, memcmp(y, corrected, outputs * GS_LANES * sizeof(float)));
}

static void test_a_layer_is_one_chain_over_inputs_and_rank(void) {
    fill();
    for (size_t outputs = 1; outputs <= 18; outputs++) {
        check(outputs, 1 + outputs % 7, 1);
        check(outputs, 20, 1 + outputs % MOST_RANK);
    }
    check(MOST_ROWS, MOST_ROWS, MOST_RANK);
}

/* From 256 inputs on weights are fetched ahead, a line of 16 at a time; the last line may be short. */
static void test_wide_layers_are_the_same_chains(void) {
    static const size_t widths[] = {255, 256, 257, 271, 300};
    static _Alignas(64) float wide[18 * 300], row[300 * GS_LANES], out[18 * GS_LANES];
    gs_normals(5, 0, COUNT(wide), wide);
    gs_normals(6, 0, COUNT(row), row);
    for (size_t k = 0; k < COUNT(widths); k++) {
        for (size_t outputs = 1; outputs <= 18; outputs++) {
            gs_linear(wide, row, out, outputs, widths[k]);
            for (size_t j = 0; j < outputs; j++) {
                for (size_t l = 0; l < GS_LANES; l++) {
                    float acc = 0.0f;
                    for (size_t i = 0; i < widths[k]; i++) {
                        acc = fmaf(wide[j * widths[k] + i], row[i * GS_LANES + l], acc);
                    }
                    CHECK_REAL(acc, out[j * GS_LANES + l]);
                }
            }
        }
    }
}

static void test_uniform_values_have_the_same_bits(void) {
    const struct gs_slot slot = {.w = w, .a = a, .b = b, .ss = 0.81f};
    float lane[MOST_ROWS], thin[MOST_RANK], out[MOST_ROWS];
    fill();
    for (size_t i = 0; i < 11; i++) lane[i] = x[i * GS_LANES + 5];
    gs_linear_uniform(slot.b, lane, thin, 3, 11);
    gs_factored_uniform(&slot, lane, thin, out, 9, 11, 3);
    for (size_t j = 0; j < 9; j++) CHECK_REAL(expected(j, 5, 11, 3, slot.ss), out[j]);
}

/* An output of several positions is corrected position by position. */
static void test_pictures_are_corrected_by_position(void) {
    const struct gs_slot slot = {.a = a, .ss = 0.5f};
    fill();
    gs_correct(&slot, x, w, y, 4, 3, 2); /* w serves as t [2][3][lanes] */
    for (size_t j = 0; j < 4; j++) {
        for (size_t i = 0; i < 3 * GS_LANES; i++) {
            float acc = x[j * 3 * GS_LANES + i];
            for (size_t q = 0; q < 2; q++) acc = fmaf(a[j * 2 + q], 0.5f * w[q * 3 * GS_LANES + i], acc);
            CHECK_REAL(acc, y[j * 3 * GS_LANES + i]);
        }
    }
}

/* The stream holds B [n][r], then A [m][r]; any rows of either come out alone. */
static void check_factors(enum gs_perturbation family, size_t m, size_t n, size_t rank) {
    const struct gs_factors factors = {.family = family, .n = n, .rank = rank, .key = 99};
    static float stream[(700 + 300) * 3], part[700 * 3];
    if (family == GS_PERTURBATION_EGGROLL) gs_normals(99, 0, (m + n) * rank, stream);
    if (family == GS_PERTURBATION_OMELETTE_R1) gs_signs(99, 0, (m + n) * rank, stream);
    for (size_t first = 0; first < n; first += 1 + first / 2) {
        const size_t count = n - first;
        gs_factors_b(&factors, first, count, part, n);
        for (size_t q = 0; q < rank; q++) {
            for (size_t j = 0; j < count; j++) CHECK_REAL(stream[(first + j) * rank + q], part[q * n + j]);
        }
    }
    for (size_t first = 0; first < m; first += 1 + first / 2) {
        gs_factors_a(&factors, first, m - first, part);
        CHECK(0, memcmp(stream + (n + first) * rank, part, (m - first) * rank * sizeof(float)));
    }
}

static void test_factors_are_drawn_b_first(void) {
    check_factors(GS_PERTURBATION_EGGROLL, 300, 700, 1);
    check_factors(GS_PERTURBATION_EGGROLL, 300, 700, 3);
    check_factors(GS_PERTURBATION_OMELETTE_R1, 300, 700, 1);
}

static void test_signs_are_the_bits_of_the_words(void) {
    uint32_t words[80];
    float signs[80 * 32 - 7];
    gs_words(5, 0, COUNT(words), words);
    gs_signs(5, 7, COUNT(signs), signs);
    for (size_t i = 0; i < COUNT(signs); i++) {
        const uint32_t bit = words[(i + 7) / 32] >> (i + 7) % 32 & 1u;
        CHECK_REAL(bit == 0 ? 1.0 : -1.0, signs[i]);
    }
}

static const struct gs_test tests[] = {
    GS_TEST(test_a_layer_is_one_chain_over_inputs_and_rank),
    GS_TEST(test_wide_layers_are_the_same_chains),
    GS_TEST(test_uniform_values_have_the_same_bits),
    GS_TEST(test_pictures_are_corrected_by_position),
    GS_TEST(test_factors_are_drawn_b_first),
    GS_TEST(test_signs_are_the_bits_of_the_words),
};

int main(int argc, char **argv) { return gs_run_tests(tests, COUNT(tests), argc, argv); }
