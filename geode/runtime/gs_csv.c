/* gs_csv.c -- one pass over the file's bytes, which are read whole; numbers go straight into the table.
 *
 * Called once a file, from the main thread, before training. */
#include "gs_csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h> /* strncasecmp */

#include "gs_decimal.h"
#include "gs_fail.h"

struct reader {
    const char *path;
    const char *line_start;
    const char *at;
    const char *end; /* the byte there is '\0' */
    size_t line;     /* from 1 */
    size_t length;   /* bytes of the last field: so many may the next one have, and short ones are read faster */
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static const char *skip_blanks(const char *p) {
    while (is_blank(*p)) p++;
    return p;
}

/* True at the end of a line; a CR counts only before LF or at the end of the file. */
static bool at_line_end(const struct reader *reader, const char *p) {
    if (*p == '\n') return true;
    if (p < reader->end && *p == '\r') p++;
    return p == reader->end || *p == '\n';
}

static void next_line(struct reader *reader) {
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = newline == NULL ? reader->end : newline + 1;
    reader->line_start = reader->at;
    reader->line++;
}

/* Reads a field that is a number, in quotes or not, blanks around it: the place of what ends it, a comma or the end of
 * the line, or NULL if it is none. */
static const char *read_field(const struct reader *reader, const char *p, float *value) {
    p = skip_blanks(p);
    const bool quoted = *p == '"';
    if (quoted) p = skip_blanks(p + 1);
    p = gs_decimal_read(p, value);
    if (p == NULL) return NULL;
    if (quoted) {
        p = skip_blanks(p);
        if (*p++ != '"') return NULL;
    }
    if (*p == ',' || *p == '\n') return p;
    p = skip_blanks(p);
    return *p == ',' || at_line_end(reader, p) ? p : NULL;
}

static const char *noun(size_t count) { return count == 1 ? "number" : "numbers"; }

static size_t column_of(const struct reader *reader, const char *p) { return (size_t)(p - reader->line_start) + 1; }

/* A help line for what stands at `p`: a number that is none, or numbers with another separator than the comma. */
static const char *help_for(const char *p) {
    float value;
    const char *word = p + (*p == '-' || *p == '+');
    if (strncasecmp(word, "inf", 3) == 0 || strncasecmp(word, "nan", 3) == 0) {
        return "\n  help: data are finite numbers; leave out rows that have none";
    }
    const char *behind = gs_decimal_read(p, &value);
    if (behind == NULL) return "";
    const char *next = skip_blanks(behind);
    if (*next == ';') return "\n  help: fields are separated by commas, not by semicolons";
    if (next > behind && gs_decimal_read(next, &value) != NULL) {
        return "\n  help: fields are separated by commas, not by blanks alone";
    }
    return "";
}

/* Ends the program: the field at `p` is no number. */
static _Noreturn void fail_at_field(const struct reader *reader, const char *p, size_t row, size_t field) {
    p = skip_blanks(p);
    size_t length = strcspn(p, ",\r\n");
    const char *more = length > 40 ? "..." : "";
    if (length > 40) length = 40;
    if (length == 0) {
        gs_fail("%s:%zu:%zu: field %zu of row %zu is empty, a number was wanted", reader->path, reader->line,
                column_of(reader, p), field, row);
    }
    gs_fail("%s:%zu:%zu: field %zu of row %zu is `%.*s%s`, a number was wanted%s", reader->path, reader->line,
            column_of(reader, p), field, row, (int)length, p, more, help_for(p));
}

/* Reads a field of one or two digits, or returns NULL: which of both it is decides no branch. */
static inline const char *read_short(const char *p, float *value) {
    const uint32_t first = (uint32_t)(unsigned char)p[0] - '0', second = (uint32_t)(unsigned char)p[1] - '0';
    const uint32_t more = second < 10;
    const char *behind = p + 1 + more;
    if (first >= 10 || (*behind != ',' && *behind != '\n')) return NULL;
    *value = (float)(first + more * (9 * first + second));
    return behind;
}

/* One line of numbers into out[room], and how many there are, further ones not stored; `row` counts from 1. */
static size_t read_row(struct reader *reader, float *out, size_t room, size_t row) {
    size_t count = 0;
    for (const char *p = reader->at;; p++) {
        float value;
        const char *behind = NULL;
        if (reader->length <= 2) {
            behind = read_short(p, &value);
        } else if (reader->length <= GS_DECIMAL_SHORT) {
            behind = gs_decimal_short(p, &value);
        }
        if (behind == NULL) behind = read_field(reader, p, &value);
        if (behind == NULL) fail_at_field(reader, p, row, count + 1);
        reader->length = (size_t)(behind - p);
        if (value - value != 0.0f) {
            gs_fail("%s:%zu:%zu: field %zu of row %zu is beyond float32", reader->path, reader->line,
                    column_of(reader, skip_blanks(p)), count + 1, row);
        }
        if (count < room) out[count] = value;
        count++;
        p = behind;
        if (*p == ',') continue;
        reader->at = p;
        return count;
    }
}

static void check_count(const struct reader *reader, size_t count, size_t wanted, size_t row) {
    if (count == wanted) return;
    gs_fail("%s:%zu:%zu: row %zu has %zu %s, %zu wanted", reader->path, reader->line, column_of(reader, reader->at), row,
            count, noun(count), wanted);
}

/* The place behind a name in quotes, which may hold commas, line ends and quotes written twice; `p` where none ends. */
static const char *skip_quoted(const char *p) {
    for (const char *q = p + 1; *q != '\0'; q++) {
        if (*q != '"') continue;
        if (q[1] != '"') return q + 1;
        q++;
    }
    return p;
}

/* True if no field of the first line is a number: then the line is a header, and *behind it the place where it ends. One
 * with numbers beside a mistake is a bad row. */
static bool is_header(const struct reader *reader, const char **behind) {
    for (const char *p = reader->at;; p++) {
        float value;
        if (read_field(reader, p, &value) != NULL) return false;
        p = skip_blanks(p);
        if (*p == '"') p = skip_quoted(p);
        while (*p != ',' && !at_line_end(reader, p)) p++;
        if (*p == ',') continue;
        *behind = p;
        return true;
    }
}

static void skip_header(struct reader *reader) {
    const char *behind;
    if (!is_header(reader, &behind)) return;
    for (const char *p = reader->at; (p = memchr(p, '\n', (size_t)(behind - p))) != NULL; p++) reader->line++;
    reader->at = behind;
    next_line(reader);
}

/* Goes to the next line that is not blank; false if there is none. */
static bool find_row(struct reader *reader) {
    while (reader->at < reader->end) {
        const char *p = skip_blanks(reader->at);
        if (!at_line_end(reader, p)) return true;
        next_line(reader);
    }
    return false;
}

/* Room for all numbers of the file: no more than its lines have room for, and each has a byte of its own and one that
 * ends it. */
static size_t most_numbers(const struct reader *reader, size_t width) {
    const size_t length = (size_t)(reader->end - reader->at), all = length / 2 + 1;
    size_t lines = 1;
    for (const char *p = reader->at; (p = memchr(p, '\n', (size_t)(reader->end - p))) != NULL; p++) lines++;
    return width > all / lines ? all : lines * width;
}

struct gs_rows gs_csv_rows(struct gs_file file, size_t width) {
    const char *path = file.path, *bytes = (const char *)file.bytes;
    struct reader reader = {.path = path, .line_start = bytes, .at = bytes, .end = bytes + file.size, .line = 1};
    if (file.size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        reader.at += 3;
        reader.line_start += 3;
    }
    if (file.size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0) {
        gs_fail("%s: is an npy file, a CSV was wanted\n"
                "  help: NPY-INPUT reads it: \"rows.npy\" r:3 NPY-INPUT", path);
    }
    if (find_row(&reader)) skip_header(&reader);
    const bool some = find_row(&reader);
    if (!some) gs_fail("%s: there are no rows of numbers", path);
    struct reader ahead = reader;
    if (width == 0) width = read_row(&ahead, NULL, 0, 1);
    const size_t room = most_numbers(&reader, width);
    float *table = malloc(room * sizeof *table);
    if (table == NULL) gs_fail("%s: out of memory: %zu numbers", path, room);
    size_t row = 0;
    do {
        const size_t left = room - row * width;
        check_count(&reader, read_row(&reader, table + row * width, left < width ? left : width, row + 1), width, row + 1);
        next_line(&reader);
        row++;
    } while (find_row(&reader));
    gs_file_close(&file);
    const struct gs_file numbers = {.path = path, .bytes = (unsigned char *)table, .size = room * sizeof *table};
    return (struct gs_rows){.file = numbers, .at = numbers.bytes, .type = GS_NUMBER_F4, .rows = row, .width = width};
}
