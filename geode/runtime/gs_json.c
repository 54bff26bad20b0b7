/* gs_json.c -- no memory of its own; any thread. */
#include "gs_json.h"

#include <string.h>

static void skip(struct gs_json *json) {
    while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != '\0') json->at++;
}

bool gs_json_take(struct gs_json *json, char c) {
    skip(json);
    if (json->at == json->end || *json->at != c) return false;
    json->at++;
    return true;
}

bool gs_json_ends(struct gs_json *json) {
    skip(json);
    return json->at == json->end;
}

bool gs_json_integer(struct gs_json *json, uint64_t *value) {
    skip(json);
    const char *first = json->at;
    for (*value = 0; json->at < json->end && *json->at >= '0' && *json->at <= '9'; json->at++) {
        const uint64_t digit = (uint64_t)(*json->at - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return json->at > first && (*first != '0' || json->at == first + 1);
}

static bool take_hex(struct gs_json *json, uint32_t *code) {
    if (json->end - json->at < 4) return false;
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char c = *json->at++;
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = c == '\0' ? NULL : strchr(digits, c);
        if (found == NULL) return false;
        *code = *code << 4 | (uint32_t)((found - digits) % 16);
    }
    return true;
}

static char *put_code(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const uint32_t mark = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    *to++ = (char)(mark | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    return to;
}

/* Four hexadecimal digits, of which two such escapes make a code above 0xffff. */
static bool take_code(struct gs_json *json, uint32_t *code) {
    if (!take_hex(json, code)) return false;
    if (*code < 0xd800 || *code > 0xdfff) return *code != 0;
    uint32_t low;
    if (*code > 0xdbff || json->end - json->at < 2 || json->at[0] != '\\' || json->at[1] != 'u') return false;
    json->at += 2;
    if (!take_hex(json, &low) || low < 0xdc00 || low > 0xdfff) return false;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

bool gs_json_string(struct gs_json *json, char **room) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *to = *room;
    if (!gs_json_take(json, '"')) return false;
    while (json->at < json->end) {
        const char c = *json->at++;
        if (c == '"') {
            *to++ = '\0';
            *room = to;
            return true;
        }
        if ((unsigned char)c < 0x20) return false;
        if (c != '\\') {
            *to++ = c;
            continue;
        }
        if (json->at == json->end) return false;
        const char escape = *json->at++;
        const char *found = escape == '\0' ? NULL : strchr(escapes, escape);
        if (found != NULL) {
            *to++ = meant[found - escapes];
            continue;
        }
        uint32_t code;
        if (escape != 'u' || !take_code(json, &code)) return false;
        to = put_code(to, code);
    }
    return false;
}
