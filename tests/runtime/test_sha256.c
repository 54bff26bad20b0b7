/* test_sha256.c -- the published examples of FIPS 180-4, whole and in pieces.
 * links: gs_sha256.c */
#include "gs_sha256.h"

#include "gs_test.h"

static char hex[GS_SHA256_HEX];

/* The digest of a text added in pieces of `piece` bytes. */
static const char *digest(const char *text, size_t piece) {
    struct gs_sha256 hash;
    const size_t length = strlen(text);
    gs_sha256_start(&hash);
    for (size_t i = 0; i < length; i += piece) gs_sha256_add(&hash, text + i, length - i < piece ? length - i : piece);
    gs_sha256_finish(&hash, hex);
    return hex;
}

static void test_published_examples(void) {
    CHECK_TEXT("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", digest("", 1));
    CHECK_TEXT("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", digest("abc", 3));
    CHECK_TEXT("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
               digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56));
    CHECK_TEXT("cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
               digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                      "mnopqrstnopqrstu", 112));
}

static void test_a_million_letters(void) {
    static char letters[1000001];
    memset(letters, 'a', 1000000);
    CHECK_TEXT("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", digest(letters, 1000000));
    CHECK_TEXT("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", digest(letters, 977));
}

static void test_pieces_make_no_difference(void) {
    char text[300], whole[GS_SHA256_HEX];
    for (size_t length = 0; length < sizeof text; length += 7) {
        memset(text, 'x', length);
        text[length] = '\0';
        strcpy(whole, digest(text, 300));
        for (size_t piece = 1; piece < 130; piece += 21) CHECK_TEXT(whole, digest(text, piece));
    }
}

int main(int argc, char **argv) {
    static const struct gs_test tests[] = {
        GS_TEST(test_published_examples),
        GS_TEST(test_a_million_letters),
        GS_TEST(test_pieces_make_no_difference),
    };
    return gs_run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
