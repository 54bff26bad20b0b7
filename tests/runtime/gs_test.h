/* gs_test.h -- the runtime's unit tests: a table of named functions, and CHECK.
 *
 * A test file's main calls gs_run_tests with its table. Without arguments all tests run; with names,
 * those. CHECK prints the expressions and both values and lets the test go on; any failure makes the
 * status 1. An unknown name makes it 2. */
#ifndef GS_TEST_H
#define GS_TEST_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct gs_test {
    const char *name;
    void (*run)(void);
};
#define GS_TEST(name)                                                                                                  \
    { #name, name }

static int gs_failures;

static inline void gs_check(const char *file, int line, const char *text, int same, const char *expected,
                            const char *actual) {
    if (same)
        return;
    gs_failures++;
    printf("%s:%d: CHECK(%s)\n  expected %s\n  actual   %s\n", file, line, text, expected, actual);
}

/* Integers of any kind, compared as 64-bit values. */
#define CHECK(expected, actual)                                                                                        \
    gs_check_integers(__FILE__, __LINE__, #expected ", " #actual, (uint64_t)(expected), (uint64_t)(actual))
/* Doubles or floats that are the same value; a NaN matches a NaN, and the zeros match each other. */
#define CHECK_REAL(expected, actual)                                                                                   \
    gs_check_reals(__FILE__, __LINE__, #expected ", " #actual, (double)(expected), (double)(actual))
#define CHECK_TEXT(expected, actual)                                                                                   \
    gs_check(__FILE__, __LINE__, #expected ", " #actual, strcmp((expected), (actual)) == 0, (expected), (actual))

static inline void gs_check_integers(const char *file, int line, const char *text, uint64_t expected, uint64_t actual) {
    char e[64], a[64];
    snprintf(e, sizeof e, "%" PRIi64 " = 0x%" PRIx64, (int64_t)expected, expected);
    snprintf(a, sizeof a, "%" PRIi64 " = 0x%" PRIx64, (int64_t)actual, actual);
    gs_check(file, line, text, expected == actual, e, a);
}

static inline void gs_check_reals(const char *file, int line, const char *text, double expected, double actual) {
    char e[32], a[32];
    snprintf(e, sizeof e, "%.17g", expected);
    snprintf(a, sizeof a, "%.17g", actual);
    int both_nan = expected != expected && actual != actual;
    gs_check(file, line, text, both_nan || (expected >= actual && expected <= actual), e, a);
}

static inline int gs_run_tests(const struct gs_test *tests, size_t count, int argc, char **argv) {
    for (int i = 1; i < argc || i == 1; i++) {
        size_t found = 0;
        for (size_t t = 0; t < count; t++) {
            if (argc > 1 && strcmp(argv[i], tests[t].name) != 0)
                continue;
            tests[t].run();
            found++;
        }
        if (found == 0) {
            printf("no test is called %s\n", argv[i]);
            return 2;
        }
    }
    return gs_failures > 0;
}

#endif
