/* bf16_layers.h -- layers of bfloat16 numbers against their definition in float64, in the way that GS_BF16_WAY says. */
#define GS_LANES 48
#if defined(__AVX512F__)
#define GS_VEC 16
#elif defined(__AVX2__) && defined(__FMA__)
#define GS_VEC 8
#endif
#include "kernels/gs_bf16_layer.h"

#include <math.h>

#include "gs_arena.h"
#include "gs_bf16.h"
#include "gs_model.h"
#include "gs_noise.h"
#include "gs_pool.h"
#include "gs_test.h"

#define MOST 200
#define MOST_RANK 3
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static _Alignas(64) float w[MOST * MOST], a[MOST * MOST_RANK], b[MOST_RANK * MOST], x[MOST * GS_LANES];
static _Alignas(64) float pairs[(MOST + 32) / 2 * GS_LANES], t[MOST_RANK * GS_LANES], y[MOST * GS_LANES];

/* x rounded to 8 bits, the ties to even: by the definition of rounding and not by its bits. */
static double rounded(float number) {
    if (number == 0.0f || !isfinite(number)) return number;
    int exponent;
    const double fraction = frexp(number, &exponent);
    const double result = ldexp(rint(ldexp(fraction, 8)), exponent - 8);
    return fabs(result) < 0x1p128 ? result : copysign(INFINITY, result);
}

static int near(double expected, double actual, double size) {
    if (isnan(expected) || isnan(actual)) return isnan(expected) && isnan(actual);
    return isinf(expected) ? !islessgreater(expected, actual) : fabs(expected - actual) <= 2e-6 * size;
}

static void check_layer(size_t outputs, size_t inputs, size_t rank) {
    const struct gs_parameter parameter = {
        .name = "w", .m = outputs, .n = inputs, .forms = GS_FORM_FACTORED | GS_FORM_BF16};
    const struct gs_program program = {.name = "test", .parameters = &parameter, .parameter_count = 1};
    struct gs_arena arena = {0};
    struct gs_model model = {.program = &program, .theta = w, .bf16 = gs_bf16_make(&arena, &program)};
    struct gs_pool *pool = gs_pool_start(2);
    gs_bf16_prepare(&program);
    gs_bf16_pack(&model, pool);
    const struct gs_slot slot = {.w = w, .a = a, .b = b, .bf16 = model.bf16[0], .ss = -0.37f};
    gs_linear(slot.b, x, t, rank, inputs);
    gs_bf16_pairs(GS_LANES, gs_lane_view(pairs), gs_lane_view(x), 1, inputs);
    gs_factored_bf16(&slot, pairs, t, y, outputs, inputs, rank);
    size_t wrong = 0;
    for (size_t j = 0; j < outputs; j++) {
        for (size_t l = 0; l < GS_LANES; l++) {
            double sum = 0.0, size = 0.0;
            for (size_t i = 0; i < inputs; i++) {
                const double product = rounded(w[j * inputs + i]) * rounded(x[i * GS_LANES + l]);
                sum += product;
                size += fabs(product);
            }
            for (size_t q = 0; q < rank; q++) sum += (double)a[j * rank + q] * slot.ss * t[q * GS_LANES + l];
            wrong += !near(sum, y[j * GS_LANES + l], size + 10.0);
        }
    }
    CHECK(0, wrong);
    gs_pool_stop(pool);
    gs_arena_free(&arena);
}

static void fill(void) {
    gs_normals(1, 0, COUNT(w), w);
    gs_normals(2, 0, COUNT(a), a);
    gs_normals(3, 0, COUNT(b), b);
    gs_normals(4, 0, COUNT(x), x);
}

static void check_layers(void) {
    static const size_t outputs[] = {1, 10, 16, 33, 65};
    fill();
    for (size_t k = 0; k < COUNT(outputs); k++) {
        check_layer(outputs[k], 64, 1);
        check_layer(outputs[k], 65 + k, k % (MOST_RANK + 1));
    }
    check_layer(70, 200, 2);
}

/* Ties go to even; what is not a number or infinite reaches its own lane and no other. */
static void check_odd_numbers(void) {
    fill();
    x[0] = 1.00390625f;                /* 1 + 2^-8, half way: down to 1 */
    x[1] = 1.01171875f;                /* 1 + 3 2^-8, half way: up to 1 + 2^-6 */
    x[2] = 3.3961775e38f;              /* rounds to infinity */
    x[3 * GS_LANES + 5] = NAN;
    x[4 * GS_LANES + 7] = -INFINITY;
    w[1] = -1.00390625f;
    check_layer(40, 96, 0);
    for (size_t l = 0; l < GS_LANES; l++) {
        CHECK(l == 5, isnan(y[l]) != 0);
        if (l != 5) CHECK(l == 2 || l == 7, isinf(y[l]) != 0);
    }
}
