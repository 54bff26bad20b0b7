/* gs_text.c -- the caller owns the text and frees it with gs_text_free; main thread. */
#include "gs_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_settings.h"

static void make_room(struct gs_text *text, size_t more) {
    if (text->room - text->length > more) return;
    text->room = 2 * text->room + more + 64;
    text->data = realloc(text->data, text->room);
    if (text->data == NULL) gs_fail("out of memory: %zu bytes for a text", text->room);
}

void gs_text_add(struct gs_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        make_room(text, (size_t)length);
        vsnprintf(text->data + text->length, text->room - text->length, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void gs_text_add_json(struct gs_text *text, const char *string) {
    gs_text_add(text, "\"");
    for (const char *p = string; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            gs_text_add(text, "\\%c", c);
        } else if (c < 0x20) {
            gs_text_add(text, "\\u%04x", c);
        } else {
            gs_text_add(text, "%c", c);
        }
    }
    gs_text_add(text, "\"");
}

void gs_text_free(struct gs_text *text) {
    free(text->data);
    *text = (struct gs_text){0};
}

void gs_text_real(double x, char text[GS_REAL_TEXT]) {
    double back;
    if (x != x) {
        snprintf(text, GS_REAL_TEXT, "nan");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, GS_REAL_TEXT, "%.*g", digits, x);
        if (gs_text_read_real(text, &back) && back == x) return;
    }
}

bool gs_text_read_real(const char *text, double *x) {
    const bool minus = text[0] == '-';
    if (strcmp(text, "nan") == 0) {
        *x = __builtin_nan("");
    } else if (strcmp(text + minus, "inf") == 0) {
        *x = minus ? -__builtin_inf() : __builtin_inf();
    } else {
        return gs_read_real(text, x);
    }
    return true;
}
