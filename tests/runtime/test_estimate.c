/* test_estimate.c -- the estimate against its definition, one chain an entry, kept or redrawn noise alike.
 * links: gs_estimate.c gs_outer.c gs_bf16.c gs_model.c gs_factors.c gs_init.c gs_noise.c gs_pool.c gs_cpu.c gs_arena.c gs_fail.c */
#include "gs_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "gs_noise.h"
#include "gs_test.h"

#define FLOATS (32 * 41 + 16 + 700)

static const struct gs_parameter parameters[] = {
    {.name = "a", .axes = 2, .shape = {32, 41}, .m = 32, .n = 41, .offset = 0, .trainable = true, .stream = 11},
    {.name = "b", .axes = 1, .shape = {9}, .m = 1, .n = 9, .offset = 32 * 41, .trainable = false, .stream = 12},
    {.name = "c", .axes = 1, .shape = {700}, .m = 1, .n = 700, .offset = 32 * 41 + 16, .trainable = true, .stream = 13},
};
static const struct gs_program program = {.parameters = parameters, .parameter_count = 3, .parameter_floats = FLOATS};

static double weight(size_t i) { return (double)(i * 2654435761u % 1000) / 999.0 - 0.5; }

/* Entry i of parameter p, straight from engine.md's formula. */
static float expected(const struct gs_parameter *p, size_t i, struct gs_draw draw, size_t pairs, bool antithetic,
                      const double *weights) {
    float total = 0.0f, chain = 0.0f;
    for (size_t k = 0; k < pairs; k++) {
        float e;
        gs_normals(gs_stream_key(p->stream, draw.seed, draw.epoch, k), i, 1, &e);
        const double d = antithetic ? weights[2 * k] - weights[2 * k + 1] : weights[k];
        chain = fmaf((float)d, e, chain);
        if (k % 1024 == 1023 || k + 1 == pairs) {
            total += chain;
            chain = 0.0f;
        }
    }
    const double members = (double)(antithetic ? 2 * pairs : pairs);
    return total * (float)(1.0 / (members * draw.sigma));
}

static void check(size_t pairs, bool antithetic, size_t workers, size_t kept) {
    struct gs_arena arena = {0};
    const struct gs_draw draw = {.seed = 5, .epoch = 3, .sigma = 0.07};
    const size_t members = antithetic ? 2 * pairs : pairs;
    struct gs_pool *pool = gs_pool_start(workers);
    const struct gs_model model = gs_model_make(&arena, &program, 1);
    struct gs_noise_store store = gs_noise_store_make(&arena, &model, pairs);
    if (kept < store.pairs) store.pairs = kept;
    for (size_t k = 0; k < store.pairs; k++) gs_model_draw(&model, 5, 3, k, store.noise + k * store.stride);
    const struct gs_estimator estimator = gs_estimator_make(&arena, &model, pool, &store, pairs, antithetic);
    double *weights = calloc(members, sizeof *weights);
    float *estimate = gs_arena_take(&arena, model.packed_floats, sizeof *estimate, "the estimate");
    for (size_t i = 0; i < members; i++) weights[i] = i % 5 == 0 ? 0.0 : weight(i);
    gs_estimate(&estimator, draw, weights, estimate);
    for (size_t p = 0; p < 3; p += 2) {
        for (size_t i = 0; i < gs_entries(&parameters[p]); i += 37) {
            CHECK_REAL(expected(&parameters[p], i, draw, pairs, antithetic, weights), estimate[model.packed[p] + i]);
        }
    }
    free(weights);
    gs_pool_stop(pool);
    gs_arena_free(&arena);
}

static void test_estimate_is_one_chain_an_entry(void) {
    check(1, true, 1, SIZE_MAX);
    check(7, true, 1, SIZE_MAX);
    check(30, false, 3, SIZE_MAX);
}

static void test_redrawn_noise_gives_the_same_bits(void) {
    check(30, true, 1, 0);
    check(30, true, 2, 11);
}

static void test_chains_restart_every_1024_pairs(void) {
    check(1024, true, 1, 10);
    check(1025, false, 2, 10);
    check(2100, true, 2, SIZE_MAX);
}

static void test_kept_noise_does_not_grow_with_the_population(void) {
    struct gs_arena arena = {0};
    const struct gs_model model = gs_model_make(&arena, &program, 1);
    const size_t before = arena.bytes;
    const struct gs_noise_store store = gs_noise_store_make(&arena, &model, 1u << 30);
    CHECK(GS_NOISE_BYTES / (store.stride * sizeof(float)), store.pairs);
    CHECK(1, arena.bytes - before <= GS_NOISE_BYTES);
    gs_arena_free(&arena);
}

static const struct gs_test tests[] = {
    GS_TEST(test_estimate_is_one_chain_an_entry),
    GS_TEST(test_redrawn_noise_gives_the_same_bits),
    GS_TEST(test_chains_restart_every_1024_pairs),
    GS_TEST(test_kept_noise_does_not_grow_with_the_population),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
