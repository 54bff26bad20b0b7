/* test_pool.c -- the worker pool: every item once, everything visible, at any number of workers.
 * links: gs_pool.c gs_cpu.c gs_fail.c */
#include "gs_pool.h"

#include "gs_test.h"

#define ITEMS 1000

static unsigned counts[ITEMS];
static size_t most_worker;

static void count_item(void *context, size_t worker, size_t item) {
    (void)context;
    counts[item]++; /* no atomic: an item belongs to one worker */
    if (item == 0) most_worker = worker;
}

static void test_every_item_is_run_once(void) {
    const size_t sizes[] = {1, 2, 3, 8};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct gs_pool *pool = gs_pool_start(sizes[s]);
        CHECK(sizes[s], gs_pool_size(pool));
        for (size_t items = 0; items <= ITEMS; items = items * 2 + 1) {
            memset(counts, 0, sizeof counts);
            gs_pool_run(pool, count_item, NULL, items);
            for (size_t i = 0; i < ITEMS; i++) CHECK(i < items, counts[i]);
            CHECK(1, most_worker < sizes[s]);
        }
        gs_pool_stop(pool);
    }
}

static void add_before(void *context, size_t worker, size_t item) {
    size_t *values = context;
    (void)worker;
    values[64 * (item + 1)] = values[0] + item;
}

static void test_jobs_follow_each_other_and_see_what_was_written(void) {
    static size_t values[64 * 9];
    struct gs_pool *pool = gs_pool_start(4);
    values[0] = 0;
    for (size_t job = 0; job < 3000; job++) {
        gs_pool_run(pool, add_before, values, 8);
        for (size_t i = 0; i < 8; i++) CHECK(job + i, values[64 * (i + 1)]);
        values[0]++;
    }
    gs_pool_stop(pool);
}

static void test_a_pool_may_stop_unused(void) {
    for (size_t i = 0; i < 20; i++) gs_pool_stop(gs_pool_start(1 + i % 5));
    CHECK(0, gs_failures);
}

static const struct gs_test tests[] = {
    GS_TEST(test_every_item_is_run_once),
    GS_TEST(test_jobs_follow_each_other_and_see_what_was_written),
    GS_TEST(test_a_pool_may_stop_unused),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
