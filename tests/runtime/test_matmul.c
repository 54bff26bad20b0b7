/* test_matmul.c -- products within a row, in blocks, against one chain an output: operands per lane or the same for all.
 * links: gs_noise.c */
#define GS_LANES 24
#if defined(__AVX2__) && defined(__FMA__)
#define GS_VEC 8
#endif
#include "kernels/gs_matmul_block.h"

#include <math.h>

#include "gs_noise.h"
#include "gs_test.h"

#define MOST 40

static _Alignas(64) float x[MOST * MOST * GS_LANES], y[MOST * MOST * GS_LANES], out[MOST * MOST * GS_LANES];

static struct gs_view view_of(const float *p, int lanes) { return lanes ? gs_lane_view(p) : gs_uniform_view(p); }

static void check(size_t t, size_t k, size_t n, int x_lanes, int y_lanes) {
    const int lanes = x_lanes || y_lanes;
    const struct gs_view left = view_of(x, x_lanes), right = view_of(y, y_lanes), result = view_of(out, lanes);
    size_t wrong = 0;
    gs_matmul(lanes ? GS_LANES : 1, result, left, right, t, k, n);
    for (size_t l = 0; l < (lanes ? GS_LANES : 1); l++) {
        for (size_t i = 0; i < t * n; i++) {
            float sum = 0.0f;
            for (size_t c = 0; c < k; c++) sum = fmaf(gs_get(left, i / n * k + c, l), gs_get(right, c * n + i % n, l), sum);
            const float found = gs_get(result, i, l);
            wrong += memcmp(&sum, &found, sizeof sum) != 0;
        }
    }
    CHECK(0, wrong);
}

static void test_every_output_is_one_chain(void) {
    static const size_t sizes[][3] = {{1, 1, 1}, {4, 4, 4}, {3, 5, 2}, {5, 1, 7}, {9, 6, 11}, {8, 16, 16}, {7, 3, 33}, {40, 40, 40}};
    gs_normals(1, 0, sizeof x / sizeof *x, x);
    gs_normals(2, 0, sizeof y / sizeof *y, y);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int way = 0; way < 4; way++) check(sizes[s][0], sizes[s][1], sizes[s][2], way & 1, way >> 1);
    }
}

static const struct gs_test tests[] = {GS_TEST(test_every_output_is_one_chain)};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
