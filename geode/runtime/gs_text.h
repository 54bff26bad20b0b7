/* gs_text.h -- texts that grow, and numbers as decimal texts that read back as the same number. */
#ifndef GS_TEXT_H
#define GS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "gs_fail.h"

/* Starts as {0}; `data` is NULL until something is added, and ends in '\0' after that. */
struct gs_text {
    char *data;
    size_t length, room;
};

void gs_text_add(struct gs_text *text, const char *format, ...) GS_PRINTF(2, 3);

/* Adds `string` as JSON writes it, in quotes. */
void gs_text_add_json(struct gs_text *text, const char *string);

void gs_text_free(struct gs_text *text);

#define GS_REAL_TEXT 32

/* The shortest decimal text that reads back as x; `nan`, `inf` and `-inf` in words. */
void gs_text_real(double x, char text[GS_REAL_TEXT]);

/* What gs_text_real writes; false if `text` is no number. */
bool gs_text_read_real(const char *text, double *x);

#endif
