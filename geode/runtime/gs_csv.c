/* gs_csv.c -- one pass over the file's bytes, which are read whole; numbers go straight into the table.
 *
 * Called once a file, from the main thread, before training. */
#include "gs_csv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gs_fail.h"

struct reader {
    const char *path;
    const char *line_start;
    const char *at;
    const char *end; /* the byte there is '\0' */
    size_t line;     /* from 1 */
};

/* The file's bytes and a '\0'; the caller frees. */
static char *read_file(const char *path, const char *option, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        char directory[4096];
        if (getcwd(directory, sizeof directory) == NULL) strcpy(directory, "unknown");
        gs_fail("%s: %s\n  the path is taken from the working directory, %s\n  help: %s FILE names another file", path,
                strerror(errno), directory, option);
    }
    size_t room = 1 << 16, used = 0;
    char *bytes = malloc(room + 1);
    for (;;) {
        if (bytes == NULL) gs_fail("%s: out of memory: %zu bytes", path, room);
        used += fread(bytes + used, 1, room - used, file);
        if (used < room) break;
        room *= 2;
        char *more = realloc(bytes, room + 1);
        if (more == NULL) free(bytes);
        bytes = more;
    }
    if (ferror(file)) gs_fail("%s: %s", path, strerror(errno));
    fclose(file);
    bytes[used] = '\0';
    *length = used;
    return bytes;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(struct reader *reader) {
    while (is_blank(*reader->at)) reader->at++;
}

/* At the end of a line; a CR counts only before LF or at the end of the file. */
static bool at_line_end(const struct reader *reader) {
    const char *p = reader->at;
    if (p < reader->end && *p == '\r') p++;
    return p == reader->end || *p == '\n';
}

static void next_line(struct reader *reader) {
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = newline == NULL ? reader->end : newline + 1;
    reader->line_start = reader->at;
    reader->line++;
}

static const double powers_of_ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};

/* Reads a decimal number at *at into *value, correctly rounded to float32, and moves *at behind it. False, with *at
 * where it was, if there is none. A number beyond float32 gives an infinity. */
static bool read_number(const char **at, float *value) {
    const char *p = *at;
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    uint64_t digits = 0;
    int count = 0, decimals = 0;
    for (; is_digit(*p); p++, count++) digits = digits * 10 + (uint64_t)(*p - '0');
    if (*p == '.') {
        p++;
        for (; is_digit(*p); p++, count++, decimals++) digits = digits * 10 + (uint64_t)(*p - '0');
    }
    if (count == 0) return false;
    bool exponent = false;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        if (*q == '-' || *q == '+') q++;
        if (is_digit(*q)) {
            exponent = true;
            while (is_digit(*q)) q++;
            p = q;
        }
    }
    if (!exponent && count <= 19 && digits <= 1u << 24 && decimals <= 10) {
        /* The float64 quotient, rounded again, is the right float32 unless it lies at the middle M / 2^j (M < 2^25) of
         * two float32 and the exact one does not. That can't be: the exact digits / 10^k then differs from M / 2^j by at
         * least 1 / (M 5^k) of itself (or 1 / digits, where j < k), and that is above 2^-49, float64's step 2^-53. */
        const float x = (float)((double)digits / powers_of_ten[decimals]);
        *value = negative ? -x : x;
    } else {
        *value = strtof(*at, NULL);
    }
    *at = p;
    return true;
}

static const char *noun(size_t count) { return count == 1 ? "number" : "numbers"; }

/* Ends the program: the field at reader->at is no number. */
static _Noreturn void fail_at_field(const struct reader *reader, size_t row, size_t field) {
    const size_t column = (size_t)(reader->at - reader->line_start) + 1;
    size_t length = strcspn(reader->at, ",\r\n");
    const char *more = length > 40 ? "..." : "";
    if (length > 40) length = 40;
    if (length == 0) {
        gs_fail("%s:%zu:%zu: field %zu of row %zu is empty, a number was wanted", reader->path, reader->line, column,
                field, row);
    }
    gs_fail("%s:%zu:%zu: field %zu of row %zu is `%.*s%s`, a number was wanted", reader->path, reader->line, column,
            field, row, (int)length, reader->at, more);
}

/* One line of numbers into `out`; `row` counts from 1. */
static void read_row(struct reader *reader, float *out, size_t wanted, size_t row) {
    size_t count = 0;
    for (;;) {
        skip_blanks(reader);
        const char *field = reader->at;
        float value;
        if (!read_number(&reader->at, &value)) fail_at_field(reader, row, count + 1);
        skip_blanks(reader);
        if (*reader->at != ',' && !at_line_end(reader)) {
            reader->at = field;
            fail_at_field(reader, row, count + 1);
        }
        if (value - value != 0.0f) {
            gs_fail("%s:%zu:%zu: field %zu of row %zu is beyond float32", reader->path, reader->line,
                    (size_t)(field - reader->line_start) + 1, count + 1, row);
        }
        if (count < wanted) out[count] = value;
        count++;
        if (*reader->at != ',') break;
        reader->at++;
    }
    if (count != wanted) {
        gs_fail("%s:%zu:%zu: row %zu has %zu %s, %zu wanted", reader->path, reader->line,
                (size_t)(reader->at - reader->line_start) + 1, row, count, noun(count), wanted);
    }
}

/* True if no field of the line is a number: then the line is a header. One with numbers beside a mistake is a bad row. */
static bool is_header(struct reader reader) {
    for (;;) {
        float value;
        skip_blanks(&reader);
        const bool number = read_number(&reader.at, &value);
        skip_blanks(&reader);
        if (number && (*reader.at == ',' || at_line_end(&reader))) return false;
        while (*reader.at != ',' && !at_line_end(&reader)) reader.at++;
        if (*reader.at != ',') return true;
        reader.at++;
    }
}

static bool only_blank_lines_left(const struct reader *reader) {
    for (const char *p = reader->at; p < reader->end; p++) {
        if (!is_blank(*p) && *p != '\r' && *p != '\n') return false;
    }
    return true;
}

float *gs_csv_read(const char *path, const char *option, size_t row_floats, uint64_t *rows) {
    size_t length;
    char *bytes = read_file(path, option, &length);
    struct reader reader = {.path = path, .line_start = bytes, .at = bytes, .end = bytes + length, .line = 1};
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        reader.at += 3;
        reader.line_start += 3;
    }
    size_t lines = 1;
    for (const char *p = bytes; (p = memchr(p, '\n', (size_t)(reader.end - p))) != NULL; p++) lines++;
    if (row_floats != 0 && lines > SIZE_MAX / sizeof(float) / row_floats) gs_fail("%s: too many rows", path);
    float *table = malloc(lines * row_floats * sizeof *table);
    if (table == NULL) gs_fail("%s: out of memory: %zu rows of %zu numbers", path, lines, row_floats);
    if (!only_blank_lines_left(&reader) && is_header(reader)) next_line(&reader);
    size_t row = 0;
    while (!only_blank_lines_left(&reader)) {
        read_row(&reader, table + row * row_floats, row_floats, row + 1);
        next_line(&reader);
        row++;
    }
    if (row == 0) gs_fail("%s: there are no rows of numbers", path);
    free(bytes);
    *rows = row;
    return table;
}
