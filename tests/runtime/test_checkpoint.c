/* test_checkpoint.c -- safetensors files: what is written is read back, sorted, padded, with every kind of name.
 * links: gs_checkpoint.c gs_checkpoint_read.c gs_replace.c gs_json.c gs_sha256.c gs_text.c gs_arena.c gs_fail.c gs_settings.c gs_settings_table.c */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "gs_checkpoint.h"

#include <stdlib.h>
#include <unistd.h>

#include "gs_json.h"
#include "gs_test.h"
#include "gs_text.h"

static char path[] = "/tmp/geode-test-XX" "XX" "XX";

static const float matrix[6] = {1.0f, -2.5f, 0x1p-149f, -0.0f, 3e38f, 7.0f};
static const uint64_t shape[2] = {2, 3};

static void write_two(void) {
    struct gs_tensor tensors[] = {
        {.name = "z\"q\\\xc3\xa9/weight", .axes = 2, .shape = shape, .count = 6, .data = matrix},
        {.name = "A/bias", .axes = 0, .shape = shape, .count = 1, .data = matrix + 1},
    };
    struct gs_note notes[] = {{.key = "b", .value = "two\n"}, {.key = "a", .value = ""}};
    close(mkstemp(path));
    gs_checkpoint_write(path, tensors, 2, notes, 2);
}

static void test_what_is_written_is_read(void) {
    float out[6];
    write_two();
    struct gs_checkpoint file = gs_checkpoint_open(path);
    CHECK(2, file.tensor_count);
    struct gs_tensor *tensor = gs_checkpoint_tensor(&file, "z\"q\\\xc3\xa9/weight");
    CHECK(2, tensor->axes);
    CHECK(3, tensor->shape[1]);
    gs_checkpoint_read(&file, tensor, out);
    CHECK(0, memcmp(out, matrix, sizeof out));
    gs_checkpoint_read(&file, gs_checkpoint_tensor(&file, "A/bias"), out);
    CHECK_REAL(-2.5, out[0]);
    CHECK(1, gs_checkpoint_tensor(&file, "A") == NULL);
    CHECK_TEXT("two\n", gs_checkpoint_note(&file, "b"));
    CHECK_TEXT("", gs_checkpoint_note(&file, "a"));
    CHECK(1, gs_checkpoint_note(&file, "c") == NULL);
    gs_checkpoint_close(&file);
    unlink(path);
}

static void test_the_header_is_sorted_and_padded(void) {
    static const char expected[] =
        "{\"A/bias\":{\"data_offsets\":[0,4],\"dtype\":\"F32\",\"shape\":[]},"
        "\"__metadata__\":{\"a\":\"\",\"b\":\"two\\u000a\"},"
        "\"z\\\"q\\\\\xc3\xa9/weight\":{\"data_offsets\":[4,28],\"dtype\":\"F32\",\"shape\":[2,3]}}";
    char text[512] = "";
    uint64_t length = 0;
    write_two();
    FILE *file = fopen(path, "rb");
    CHECK(1, fread(&length, sizeof length, 1, file));
    CHECK((sizeof expected - 1 + 7) / 8 * 8, length);
    CHECK(1, fread(text, (size_t)length, 1, file));
    for (size_t i = sizeof expected - 1; i < length; i++) CHECK(' ', text[i]);
    text[sizeof expected - 1] = '\0';
    CHECK_TEXT(expected, text);
    fclose(file);
    unlink(path);
}

static void test_json_strings(void) {
    static const struct {
        const char *text, *meant;
    } good[] = {{"\"\\u00e9\\ud83d\\ude00\"", "\xc3\xa9\xf0\x9f\x98\x80"}, {" \"a\\/\\b\\t\"", "a/\b\t"}, {"\"\"", ""}};
    static const char *const bad[] = {"\"", "\"\\", "\"\\x\"", "\"\\u00g0\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"",
                                      "\"\\udc00\"", "\"\\u0000\"", "\"\n\"", "a", ""};
    char room[64], *next;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct gs_json json = {good[i].text, good[i].text + strlen(good[i].text)};
        next = room;
        CHECK(1, gs_json_string(&json, &next));
        CHECK_TEXT(good[i].meant, room);
        CHECK(1, gs_json_ends(&json));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gs_json json = {bad[i], bad[i] + strlen(bad[i])};
        next = room;
        CHECK(0, gs_json_string(&json, &next));
    }
}

static void test_json_integers(void) {
    static const char most[] = "18446744073709551615", more[] = "18446744073709551616";
    struct gs_json json = {most, most + 20};
    uint64_t value;
    CHECK(1, gs_json_integer(&json, &value));
    CHECK(UINT64_MAX, value);
    json = (struct gs_json){more, more + 20};
    CHECK(0, gs_json_integer(&json, &value));
    json = (struct gs_json){more, more};
    CHECK(0, gs_json_integer(&json, &value));
}

static void test_numbers_come_back(void) {
    static const double numbers[] = {0.0, -0.0, 0.1, 1e-8, 0x1p-1074, 0x1.fffffffffffffp+1023, 1.0 / 3.0, 56956.123,
                                     -1e300};
    char text[GS_REAL_TEXT];
    double back;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        gs_text_real(numbers[i], text);
        CHECK(1, gs_text_read_real(text, &back));
        CHECK(0, memcmp(&back, &numbers[i], sizeof back));
    }
    gs_text_real(0.1, text);
    CHECK_TEXT("0.1", text);
    for (int i = 0; i < 3; i++) {
        const double odd = i == 0 ? __builtin_nan("") : i == 1 ? __builtin_inf() : -__builtin_inf();
        gs_text_real(odd, text);
        CHECK(1, gs_text_read_real(text, &back));
        CHECK_REAL(odd, back);
    }
    CHECK(0, gs_text_read_real("1x", &back));
    CHECK(0, gs_text_read_real("", &back));
}

int main(int argc, char **argv) {
    static const struct gs_test tests[] = {
        GS_TEST(test_what_is_written_is_read),
        GS_TEST(test_the_header_is_sorted_and_padded),
        GS_TEST(test_json_strings),
        GS_TEST(test_json_integers),
        GS_TEST(test_numbers_come_back),
    };
    return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
