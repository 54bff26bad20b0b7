/* test_outer.c -- estimates of wide matrices under low-rank noise against their definition, entry by entry.
 * links: gs_outer.c gs_model.c gs_bf16.c gs_factors.c gs_init.c gs_noise.c gs_pool.c gs_cpu.c gs_arena.c gs_fail.c */
#include "gs_outer.h"

#include <math.h>
#include <stdlib.h>

#include "gs_noise.h"
#include "gs_test.h"

static const struct gs_draw draw = {.seed = 5, .epoch = 3, .sigma = 0.07};

/* Every `step`th entry: one chain of fma over the pairs and the rank, restarted every 1024 pairs. */
static size_t count_wrong(const struct gs_model *model, size_t pairs, const float *d, const float *estimate, size_t step) {
    const size_t m = (size_t)model->program->parameters[0].m, n = (size_t)model->program->parameters[0].n;
    const size_t rank = model->rank, each = (m + n) * rank;
    float *noise = malloc(pairs * each * sizeof *noise);
    size_t wrong = 0;
    for (size_t k = 0; k < pairs; k++) {
        const struct gs_factors factors = gs_model_factors(model, 0, draw.seed, draw.epoch, k);
        gs_factors_b(&factors, 0, n, noise + k * each, n);
        gs_factors_a(&factors, 0, m, noise + k * each + n * rank);
    }
    for (size_t entry = 0; entry < m * n; entry += step) {
        const size_t i = entry / n, j = entry % n;
        float total = 0.0f, chain = 0.0f;
        for (size_t k = 0; k < pairs; k++) {
            const float *b = noise + k * each, *a = b + n * rank;
            for (size_t q = 0; q < rank; q++) chain = fmaf(d[k] * a[i * rank + q], b[q * n + j], chain);
            if (k % 1024 == 1023 || k + 1 == pairs) {
                total += chain;
                chain = 0.0f;
            }
        }
        const float expected = total * 0.25f;
        wrong += memcmp(&expected, &estimate[entry], sizeof expected) != 0;
    }
    free(noise);
    return wrong;
}

static void check(size_t m, size_t n, size_t rank, size_t pairs, size_t kept, size_t workers, size_t step) {
    const struct gs_parameter parameter = {
        .name = "w", .axes = 2, .shape = {m, n}, .m = m, .n = n, .trainable = true, .stream = 11};
    const struct gs_program program = {
        .parameters = &parameter, .parameter_count = 1, .parameter_floats = (m * n + 15) / 16 * 16};
    const struct gs_settings settings = {.perturbation = GS_PERTURBATION_EGGROLL, .rank = rank};
    struct gs_arena arena = {0};
    struct gs_pool *pool = gs_pool_start(workers);
    struct gs_model model = gs_model_make(&arena, &program, 1);
    gs_model_begin(&model, &settings, NULL);
    struct gs_noise_store store = gs_noise_store_make(&arena, &model, pairs);
    if (kept < store.pairs) store.pairs = kept;
    for (size_t k = 0; k < store.pairs; k++) gs_model_draw(&model, draw.seed, draw.epoch, k, store.noise + k * store.stride);
    float *d = calloc(pairs, sizeof *d), *estimate = calloc(m * n, sizeof *estimate);
    for (size_t k = 0; k < pairs; k++) d[k] = k % 5 == 0 ? 0.0f : (float)(k * 2654435761u % 1000) / 999.0f - 0.5f;
    CHECK(1, gs_outer_takes(&model, 0, pairs));
    const struct gs_outer outer = gs_outer_make(&arena, &model, pool, &store, pairs);
    gs_outer_estimate(&outer, 0, draw, d, 0.25f, estimate);
    CHECK(0, count_wrong(&model, pairs, d, estimate, step));
    free(d);
    free(estimate);
    gs_pool_stop(pool);
    gs_arena_free(&arena);
}

static void test_entries_are_chains_over_the_pairs(void) {
    check(96, 200, 1, 300, SIZE_MAX, 2, 7);
    check(301, 49, 1, 300, 0, 3, 7);
    check(97, 131, 3, 150, 20, 1, 7);
}

static void test_chains_restart_every_1024_pairs(void) {
    check(50, 60, 1, 2500, 5, 2, 31);
    check(40, 60, 2, 1024, 0, 2, 31);
}

/* A chunk that does not fit is taken in several goes. */
static void test_noise_of_high_rank_is_taken_some_pairs_at_a_time(void) {
    check(70, 131, 48, 1100, 0, 2, 997);
}

static void test_small_sums_are_left_to_patches(void) {
    const struct gs_parameter parameter = {.name = "w", .m = 10, .n = 20, .trainable = true};
    const struct gs_program program = {.parameters = &parameter, .parameter_count = 1};
    const struct gs_model model = {.program = &program, .perturbation = GS_PERTURBATION_EGGROLL, .rank = 1};
    CHECK(0, gs_outer_takes(&model, 0, 1000));
    CHECK(1, gs_outer_takes(&model, 0, 100000));
}

static const struct gs_test tests[] = {
    GS_TEST(test_entries_are_chains_over_the_pairs),
    GS_TEST(test_chains_restart_every_1024_pairs),
    GS_TEST(test_noise_of_high_rank_is_taken_some_pairs_at_a_time),
    GS_TEST(test_small_sums_are_left_to_patches),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
