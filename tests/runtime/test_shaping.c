/* test_shaping.c -- scores to weights: ranks with ties, NaN members, flat scores.
 * links: gs_shaping.c gs_series.c gs_arena.c gs_fail.c */
#include "gs_shaping.h"

#include <math.h>

#include "gs_test.h"

static void shape(enum gs_shaping mode, bool antithetic, size_t n, const double *fitness, double *weights) {
    struct gs_arena arena = {0};
    const struct gs_shaper shaper = gs_shaper_make(&arena, mode, antithetic, n);
    gs_shape(&shaper, fitness, weights);
    gs_arena_free(&arena);
}

static void check(enum gs_shaping mode, bool antithetic, size_t n, const double *fitness, const double *expected) {
    double weights[16];
    shape(mode, antithetic, n, fitness, weights);
    for (size_t i = 0; i < n; i++) CHECK_REAL(expected[i], weights[i]);
}

static void test_ranks_run_from_minus_half_to_half(void) {
    const double fitness[] = {30, 10, 20, 50, 40}, expected[] = {0, -0.5, -0.25, 0.5, 0.25};
    check(GS_SHAPING_RANK_SHAPED, false, 5, fitness, expected);
}

static void test_ties_share_the_mean_rank(void) {
    const double fitness[] = {1, 2, 2, 2, 3}, expected[] = {-0.5, 0, 0, 0, 0.5};
    check(GS_SHAPING_RANK_SHAPED, false, 5, fitness, expected);
}

static void test_nan_members_tie_below_all(void) {
    const double fitness[] = {NAN, 5, NAN, -1e300, 6}, expected[] = {-0.375, 0.25, -0.375, 0, 0.5};
    check(GS_SHAPING_RANK_SHAPED, false, 5, fitness, expected);
}

static void test_flat_scores_have_no_weight(void) {
    const double flat[] = {7, 7, 7, 7}, zeros[] = {0, 0, 0, 0};
    check(GS_SHAPING_RANK_SHAPED, true, 4, flat, zeros);
    check(GS_SHAPING_UTILITY, true, 4, flat, zeros);
    check(GS_SHAPING_SIGN, true, 4, flat, zeros);
    check(GS_SHAPING_ZSCORE, true, 4, flat, zeros);
    check(GS_SHAPING_RAW, true, 4, flat, flat);
    const double with_nan[] = {7, NAN, 7, 7};
    check(GS_SHAPING_ZSCORE, false, 4, with_nan, zeros);
    double ranks[4];
    shape(GS_SHAPING_RANK_SHAPED, false, 4, with_nan, ranks);
    CHECK_REAL(-0.5, ranks[1]);
    CHECK_REAL(2.0 / 3 - 0.5, ranks[0]);
}

static void test_sign_compares_the_halves_of_a_pair(void) {
    const double fitness[] = {1, 2, 4, 3, 5, 5, NAN, -9, NAN, NAN, 0, NAN};
    const double expected[] = {-0.5, 0.5, 0.5, -0.5, 0, 0, -0.5, 0.5, 0, 0, 0.5, -0.5};
    check(GS_SHAPING_SIGN, true, 12, fitness, expected);
}

static void test_raw_leaves_out_nan_and_its_partner(void) {
    const double fitness[] = {3, NAN, 4, 5};
    const double paired[] = {0, 0, 4, 5}, single[] = {3, 0, 4, 5};
    check(GS_SHAPING_RAW, true, 4, fitness, paired);
    check(GS_SHAPING_RAW, false, 4, fitness, single);
}

static void test_zscore_has_mean_0_and_variance_1(void) {
    const double fitness[] = {2, 4, 4, 4, 5, 5, 7, 9}, expected[] = {-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2};
    check(GS_SHAPING_ZSCORE, false, 8, fitness, expected);
}

static void test_utilities_sum_to_zero_and_share_ties(void) {
    const double fitness[] = {1, 2, 3, 4, 5, 6};
    double weights[6], ties[6], sum = 0.0, squashed = 0.0;
    shape(GS_SHAPING_UTILITY, false, 6, fitness, weights);
    /* h = ln 4 - ln rank for ranks 1, 2, 3, else 0; weight 6 h / sum - 1 */
    const double total = 3 * log(4) - log(1) - log(2) - log(3);
    CHECK(1, fabs(weights[5] - (6 * log(4) / total - 1)) < 1e-14);
    CHECK(1, fabs(weights[4] - (6 * (log(4) - log(2)) / total - 1)) < 1e-14);
    CHECK_REAL(-1.0, weights[0]);
    const double tied[] = {1, 2, 3, 4, 5, 5};
    shape(GS_SHAPING_UTILITY, false, 6, tied, ties);
    CHECK_REAL(ties[4], ties[5]);
    CHECK_REAL((weights[5] + weights[4]) / 2, ties[4]);
    for (size_t i = 0; i < 6; i++) {
        sum += weights[i];
        squashed += ties[i];
    }
    CHECK(1, fabs(sum) < 1e-14);
    CHECK(1, fabs(squashed) < 1e-14);
}

static void test_weights_do_not_depend_on_the_order_of_members(void) {
    enum { n = 1009 };
    static double fitness[n], shuffled[n], weights[n], other[n];
    for (size_t i = 0; i < n; i++) fitness[i] = (double)(i * 7919 % 300); /* with ties */
    for (size_t i = 0; i < n; i++) shuffled[i * 389 % n] = fitness[i];
    shape(GS_SHAPING_RANK_SHAPED, false, n, fitness, weights);
    shape(GS_SHAPING_RANK_SHAPED, false, n, shuffled, other);
    for (size_t i = 0; i < n; i++) CHECK_REAL(weights[i], other[i * 389 % n]);
}

static const struct gs_test tests[] = {
    GS_TEST(test_ranks_run_from_minus_half_to_half),
    GS_TEST(test_ties_share_the_mean_rank),
    GS_TEST(test_nan_members_tie_below_all),
    GS_TEST(test_flat_scores_have_no_weight),
    GS_TEST(test_sign_compares_the_halves_of_a_pair),
    GS_TEST(test_raw_leaves_out_nan_and_its_partner),
    GS_TEST(test_zscore_has_mean_0_and_variance_1),
    GS_TEST(test_utilities_sum_to_zero_and_share_ties),
    GS_TEST(test_weights_do_not_depend_on_the_order_of_members),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
