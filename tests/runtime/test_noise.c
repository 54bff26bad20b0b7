/* test_noise.c -- random streams: published answers, positions, and the ends of the word range.
 * links: gs_noise.c */
#include "gs_noise.h"

#include "gs_test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_key_has_the_golden_value(void) {
    CHECK(0xA388BE70D4A996F1u, gs_stream_key(0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 0, 0));
}

static void test_splitmix_continues_the_known_sequence(void) {
    /* The generator of state 0 yields these; its state grows by the increment each time. */
    CHECK(0xE220A8397B1DCDAFu, gs_splitmix64(0));
    CHECK(0x6E789E6AA1B965F4u, gs_splitmix64(0x9E3779B97F4A7C15u));
}

static void test_philox_of_zero_is_the_published_answer(void) {
    const uint32_t expected[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    uint32_t words[4];
    gs_philox(0, 0, words);
    for (size_t i = 0; i < 4; i++)
        CHECK(expected[i], words[i]);
}

static void test_words_do_not_depend_on_where_a_call_begins(void) {
    uint32_t whole[300], part[300];
    /* Across the place where the low half of the block counter overflows. */
    const uint64_t base = (((uint64_t)1 << 32) - 20) * 4;
    gs_words(77, base, COUNT(whole), whole);
    for (size_t first = 0; first < 70; first++) {
        for (size_t count = 0; count < 200; count += 1 + count / 8) {
            part[count] = 0xABCD;
            gs_words(77, base + first, count, part);
            CHECK(0, memcmp(part, whole + first, count * sizeof part[0]));
            CHECK(0xABCD, part[count]);
        }
    }
}

static void test_blocks_are_those_of_philox(void) {
    uint32_t words[4], stream[4];
    const uint64_t blocks[] = {0, 1, 0xFFFFFFFFu, 0x100000000u, 0x123456789ABCDEu};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        gs_philox(0xA388BE70D4A996F1u, blocks[i], words);
        gs_words(0xA388BE70D4A996F1u, 4 * blocks[i], 4, stream);
        CHECK(0, memcmp(words, stream, sizeof words));
    }
}

static void test_normals_do_not_depend_on_where_a_call_begins(void) {
    float whole[300], part[300];
    gs_normals(5, 1000, COUNT(whole), whole);
    for (size_t first = 0; first < 70; first++) {
        for (size_t count = 0; count < 200; count += 1 + count / 8) {
            part[count] = 99.0f;
            gs_normals(5, 1000 + first, count, part);
            CHECK(0, memcmp(part, whole + first, count * sizeof part[0]));
            CHECK_REAL(99, part[count]);
        }
    }
}

static void test_normals_are_the_transform_of_their_words(void) {
    enum { BLOCKS = 50 };
    uint32_t words[4 * BLOCKS], w1[2 * BLOCKS], w2[2 * BLOCKS];
    float normals[4 * BLOCKS], z1[2 * BLOCKS], z2[2 * BLOCKS];
    gs_words(9, 0, COUNT(words), words);
    gs_normals(9, 0, COUNT(normals), normals);
    for (size_t i = 0; i < COUNT(w1); i++) {
        w1[i] = words[2 * i];
        w2[i] = words[2 * i + 1];
    }
    gs_normals_from_words(w1, w2, COUNT(w1), z1, z2);
    for (size_t i = 0; i < COUNT(w1); i++) {
        CHECK_REAL(normals[2 * i], z1[i]);
        CHECK_REAL(normals[2 * i + 1], z2[i]);
    }
}

static void test_the_largest_uniform_gives_signed_zeros(void) {
    const uint32_t w1[] = {0xFFFFFFFFu, 0xFFFFFF80u, 0xFFFFFFFFu, 0xFFFFFFFFu};
    const uint32_t w2[] = {0x08000000u, 0x48000000u, 0x88000000u, 0xC8000000u}; /* a quarter of each quadrant */
    const uint32_t cos_bits[] = {0, 0x80000000u, 0x80000000u, 0};
    const uint32_t sin_bits[] = {0, 0, 0x80000000u, 0x80000000u};
    float z1[4], z2[4];
    uint32_t bits[4];
    gs_normals_from_words(w1, w2, 4, z1, z2);
    memcpy(bits, z1, sizeof bits);
    for (size_t i = 0; i < 4; i++)
        CHECK(cos_bits[i], bits[i]);
    memcpy(bits, z2, sizeof bits);
    for (size_t i = 0; i < 4; i++)
        CHECK(sin_bits[i], bits[i]);
}

int main(int argc, char **argv) {
    const struct gs_test tests[] = {
        GS_TEST(test_key_has_the_golden_value),
        GS_TEST(test_splitmix_continues_the_known_sequence),
        GS_TEST(test_philox_of_zero_is_the_published_answer),
        GS_TEST(test_words_do_not_depend_on_where_a_call_begins),
        GS_TEST(test_blocks_are_those_of_philox),
        GS_TEST(test_normals_do_not_depend_on_where_a_call_begins),
        GS_TEST(test_normals_are_the_transform_of_their_words),
        GS_TEST(test_the_largest_uniform_gives_signed_zeros),
    };
    return gs_run_tests(tests, COUNT(tests), argc, argv);
}
