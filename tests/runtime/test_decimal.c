/* test_decimal.c -- the quick reading of short decimals against strtof and against the reading of all decimals.
 * links: gs_decimal.c */
#include "gs_decimal.h"

#include <stdlib.h>

#include "gs_test.h"

#define ROOM 32 /* a text and what gs_decimal_read may look at behind it */

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* True if both readings of the text give strtof's bits and the place `length` bytes on. */
static int both_agree(const char *text, size_t length) {
    float quick = 0.5f, slow = 0.5f;
    const uint32_t expected = bits_of(strtof(text, NULL));
    if (gs_decimal_short(text, &quick) != text + length || gs_decimal_read(text, &slow) != text + length) return 0;
    return bits_of(quick) == expected && bits_of(slow) == expected;
}

/* Every `step`th number of `digits` digits with the point behind `whole` of them. A third are negative. */
static size_t wrong_of(size_t digits, size_t whole, size_t step) {
    size_t wrong = 0, numbers = 1;
    for (size_t i = 0; i < digits; i++) numbers *= 10;
    for (size_t number = 0; number < numbers; number += step) {
        char text[ROOM] = {0};
        const size_t from = number % 3 == 0;
        size_t rest = number;
        text[0] = '-';
        text[from + whole] = '.';
        for (size_t i = digits; i-- > 0; rest /= 10) text[from + i + (i >= whole)] = (char)('0' + rest % 10);
        text[from + digits + 1] = number % 5 == 0 ? '\n' : ',';
        memcpy(text + from + digits + 2, number % 2 == 0 ? "12.5" : "-9,\xff", 4);
        wrong += !both_agree(text, from + digits + 1);
    }
    return wrong;
}

static void test_all_numbers_of_up_to_six_digits(void) {
    for (size_t digits = 1; digits <= 6; digits++) {
        for (size_t whole = 0; whole <= digits; whole++) CHECK(0, wrong_of(digits, whole, 1));
    }
}

static void test_numbers_of_seven_digits(void) {
    for (size_t whole = 0; whole <= 7; whole++) CHECK(0, wrong_of(7, whole, 37));
}

static void test_other_fields_are_left_alone(void) {
    static const char *const texts[] = {
        "",         ",",          ".,",     "-.,",     "-,",         "12,",        "12\n",       "1.5",       "1.5 ,",
        "1.5\r\n", "1.5e1,",     "+1.5,",  " 1.5,",   "--1.5,",     "1.2.3,",     "1..2,",      "1,5.0",     "\"1.5\",",
        "x1.5,",    "1.x5,",      "1.5x,",  "1\xff.5,", "1.2345678,", "1234.5678,", "12345678.,", "12345678,"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[ROOM] = {0};
        float value = 0.5f;
        strcpy(text, texts[i]);
        CHECK_TEXT("left", gs_decimal_short(text, &value) == NULL ? "left" : texts[i]);
    }
}

/* Whatever the bytes are: what is taken is what the reading of all decimals takes. */
static void test_random_bytes(void) {
    static const char likely[] = "0123456789.,-\n\x8a\xff\xba/:";
    uint64_t state = 1;
    size_t taken = 0;
    for (size_t k = 0; k < 2000000; k++) {
        char text[ROOM] = {0};
        float quick, slow;
        for (size_t i = 0; i < 9; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text[i] = k % 8 == 0 ? (char)(state >> 56) : likely[(state >> 33) % (sizeof likely - 1)];
        }
        const char *behind = gs_decimal_short(text, &quick);
        if (behind == NULL) continue;
        taken++;
        CHECK(1, behind == gs_decimal_read(text, &slow));
        CHECK(bits_of(slow), bits_of(quick));
    }
    CHECK(1, taken > 1000);
}

static const struct gs_test tests[] = {
    GS_TEST(test_all_numbers_of_up_to_six_digits),
    GS_TEST(test_numbers_of_seven_digits),
    GS_TEST(test_other_fields_are_left_alone),
    GS_TEST(test_random_bytes),
};

int main(int argc, char **argv) { return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv); }
