/* test_bf16.c -- layers of bfloat16 numbers in the way of this processor.
 * links: gs_bf16.c gs_arena.c gs_noise.c gs_pool.c gs_fail.c gs_cpu.c */
#include "bf16_layers.h"

static void test_layers_are_sums_of_rounded_products(void) { check_layers(); }
static void test_odd_numbers(void) { check_odd_numbers(); }

static const struct gs_test tests[] = {
    GS_TEST(test_layers_are_sums_of_rounded_products),
    GS_TEST(test_odd_numbers),
};

int main(int argc, char **argv) { return gs_run_tests(tests, COUNT(tests), argc, argv); }
