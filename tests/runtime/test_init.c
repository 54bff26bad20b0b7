/* test_init.c -- initial weights: each kind by its definition.
 * links: gs_init.c gs_noise.c gs_arena.c gs_fail.c */
#include "gs_init.h"

#include <math.h>

#include "gs_noise.h"
#include "gs_test.h"

#define SEED 9

static float theta[64 * 64];

static void init(size_t m, size_t n, enum gs_init kind, double value) {
    const struct gs_parameter parameter = {.name = "p", .axes = 2, .m = m, .n = n, .offset = 16, .init = kind,
                                           .init_value = value, .init_stream = 77};
    const struct gs_program program = {.parameters = &parameter, .parameter_count = 1};
    memset(theta, 0, sizeof theta);
    gs_init_parameters(&program, SEED, theta);
    CHECK_REAL(0.0, theta[15]);
    CHECK_REAL(0.0, theta[16 + m * n]);
}

static void test_constants(void) {
    init(3, 5, GS_INIT_CONSTANT, 0.1);
    for (size_t i = 0; i < 15; i++) CHECK_REAL(0.1f, theta[16 + i]);
}

static void test_normals_are_scaled_once(void) {
    float normals[35];
    init(5, 7, GS_INIT_NORMAL, 0.3);
    gs_normals(gs_stream_key(77, SEED, 0, 0), 0, 35, normals);
    for (size_t i = 0; i < 35; i++) CHECK_REAL(0.3f * normals[i], theta[16 + i]);
}

static void test_uniforms_lie_in_their_bounds(void) {
    uint32_t words[2000];
    double sum = 0.0;
    init(40, 50, GS_INIT_UNIFORM, 0.25);
    gs_words(gs_stream_key(77, SEED, 0, 0), 0, 2000, words);
    for (size_t i = 0; i < 2000; i++) {
        CHECK_REAL(0.25f * (2.0f * ((float)(words[i] >> 8) * 0x1p-24f) - 1.0f), theta[16 + i]);
        CHECK(1, theta[16 + i] >= -0.25f && theta[16 + i] < 0.25f);
        sum += (double)theta[16 + i];
    }
    CHECK(1, fabs(sum / 2000) < 0.015);
}

/* The largest difference of the Gram matrix of rows (m <= n) or columns from the unit matrix. */
static double distance_from_orthogonal(size_t m, size_t n) {
    const size_t vectors = m < n ? m : n, length = m < n ? n : m;
    double worst = 0.0;
    for (size_t v = 0; v < vectors; v++) {
        for (size_t w = 0; w < vectors; w++) {
            double dot = 0.0;
            for (size_t i = 0; i < length; i++) {
                const float a = theta[16 + (m <= n ? v * n + i : i * n + v)];
                const float b = theta[16 + (m <= n ? w * n + i : i * n + w)];
                dot += (double)a * (double)b;
            }
            worst = fmax(worst, fabs(dot - (v == w)));
        }
    }
    return worst;
}

static void test_orthogonal_rows_or_columns(void) {
    const size_t shapes[][2] = {{4, 9}, {9, 4}, {12, 12}, {1, 6}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const size_t m = shapes[s][0], n = shapes[s][1];
        float first[64];
        init(m, n, GS_INIT_ORTHOGONAL, 0.0);
        CHECK(1, distance_from_orthogonal(m, n) < 1e-6);
        /* The diagonal of R is positive: the first vector points along the first normals. */
        gs_normals(gs_stream_key(77, SEED, 0, 0), 0, 1, first);
        CHECK(first[0] > 0, theta[16] > 0);
    }
}

static const struct gs_test tests[] = {
    GS_TEST(test_constants),
    GS_TEST(test_normals_are_scaled_once),
    GS_TEST(test_uniforms_lie_in_their_bounds),
    GS_TEST(test_orthogonal_rows_or_columns),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
