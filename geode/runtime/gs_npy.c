/* gs_npy.c -- the header is a Python dictionary with three keys; the numbers stay where they are in the file. Whatever
 * the file holds, nothing outside it is read and nothing but a message comes of it. */
#include "gs_npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_fail.h"
#include "gs_text.h"

#define GS_MOST_AXES 64 /* of an array in a file; NumPy's own limit is no higher */

struct header {
    const char *path;
    const char *at, *end;
    char type[16]; /* as the file writes it: "<f4" */
    uint64_t shape[GS_MOST_AXES];
    size_t axes;
    bool has_type, has_order, has_shape;
};

static _Noreturn void fail_format(const char *path, const char *what) { gs_fail("%s: is no npy file: %s", path, what); }

static _Noreturn void fail_header(const struct header *header) {
    fail_format(header->path, "its header is not as it must be");
}

static void skip_blanks(struct header *header) {
    while (header->at < header->end && (*header->at == ' ' || *header->at == '\n' || *header->at == '\t')) header->at++;
}

/* Takes `text` if it comes next, blanks before it aside. */
static bool take(struct header *header, const char *text) {
    const size_t length = strlen(text);
    skip_blanks(header);
    if ((size_t)(header->end - header->at) < length || memcmp(header->at, text, length) != 0) return false;
    header->at += length;
    return true;
}

static void want(struct header *header, const char *text) {
    if (!take(header, text)) fail_header(header);
}

/* A string in quotes of either kind, without escapes, into `out`; a longer one is cut. */
static void take_string(struct header *header, char *out, size_t size) {
    const char quote = take(header, "'") ? '\'' : '"';
    size_t n = 0;
    if (quote == '"') want(header, "\"");
    for (; header->at < header->end && *header->at != quote; header->at++) {
        if (*header->at == '\\' || (unsigned char)*header->at < ' ') fail_header(header);
        if (n + 1 < size) out[n++] = *header->at;
    }
    out[n] = '\0';
    if (header->at++ >= header->end) fail_header(header);
}

static uint64_t take_integer(struct header *header) {
    uint64_t value = 0;
    skip_blanks(header);
    const char *first = header->at;
    for (; header->at < header->end && *header->at >= '0' && *header->at <= '9'; header->at++) {
        const uint64_t digit = (uint64_t)(*header->at - '0');
        if (value > (UINT64_MAX - digit) / 10) fail_header(header);
        value = value * 10 + digit;
    }
    if (header->at == first || (*first == '0' && header->at > first + 1)) fail_header(header);
    take(header, "L"); /* as Python 2 wrote it */
    return value;
}

/* (), (3,), (3, 4) */
static void take_shape(struct header *header) {
    want(header, "(");
    header->axes = 0;
    while (!take(header, ")")) {
        if (header->axes == GS_MOST_AXES) fail_header(header);
        header->shape[header->axes++] = take_integer(header);
        if (!take(header, ",")) {
            want(header, ")");
            break;
        }
    }
    header->has_shape = true;
}

static void take_type(struct header *header) {
    skip_blanks(header);
    if (header->at < header->end && *header->at == '[') {
        gs_fail("%s: holds records of several fields, numbers of one type were wanted\n"
                "  help: save one field: numpy.save(path, array[\"name\"])", header->path);
    }
    take_string(header, header->type, sizeof header->type);
    header->has_type = true;
}

static void take_order(struct header *header) {
    header->has_order = true;
    if (take(header, "False")) return;
    want(header, "True");
    gs_fail("%s: is in Fortran order, rows one after the other were wanted\n"
            "  help: numpy.save(path, numpy.ascontiguousarray(array)) writes it so", header->path);
}

static void parse(struct header *header) {
    want(header, "{");
    while (!take(header, "}")) {
        char key[16];
        take_string(header, key, sizeof key);
        want(header, ":");
        if (strcmp(key, "descr") == 0 && !header->has_type) {
            take_type(header);
        } else if (strcmp(key, "fortran_order") == 0 && !header->has_order) {
            take_order(header);
        } else if (strcmp(key, "shape") == 0 && !header->has_shape) {
            take_shape(header);
        } else {
            fail_header(header);
        }
        if (!take(header, ",")) {
            want(header, "}");
            break;
        }
    }
    skip_blanks(header);
    if (header->at != header->end || !header->has_type || !header->has_order || !header->has_shape) fail_header(header);
}

/* Finds a type by what follows the byte order. */
static enum gs_number number_of(const struct header *header, bool *swapped) {
    static const char *const names[] = {
        [GS_NUMBER_U1] = "u1", [GS_NUMBER_U2] = "u2", [GS_NUMBER_U4] = "u4", [GS_NUMBER_U8] = "u8",
        [GS_NUMBER_I1] = "i1", [GS_NUMBER_I2] = "i2", [GS_NUMBER_I4] = "i4", [GS_NUMBER_I8] = "i8",
        [GS_NUMBER_F2] = "f2", [GS_NUMBER_F4] = "f4", [GS_NUMBER_F8] = "f8", [GS_NUMBER_BOOL] = "b1"};
    const char order = header->type[0];
    *swapped = order == '>';
    for (size_t i = 0; i < sizeof names / sizeof *names && strchr("<>|=", order) != NULL && order != '\0'; i++) {
        if (strcmp(header->type + 1, names[i]) == 0) return (enum gs_number)i;
    }
    gs_fail("%s: holds numbers of type %s; booleans, integers and reals of at most 8 bytes can be read\n"
            "  help: numpy.save(path, array.astype(numpy.float32)) writes such", header->path, header->type);
}

static void check_shape(const struct header *header, size_t axes, const uint64_t *shape, const char *wanted) {
    bool same = header->axes == axes;
    for (size_t a = 0; a < axes && same; a++) same = shape[a] == 0 || shape[a] == header->shape[a];
    if (same) return;
    struct gs_text found = {0};
    for (size_t a = 0; a < header->axes; a++) {
        gs_text_add(&found, "%s%" PRIu64, a == 0 ? "" : ", ", header->shape[a]);
    }
    gs_fail("%s: holds an array of shape (%s%s), %s was wanted", header->path, header->axes == 0 ? "" : found.data,
            header->axes == 1 ? "," : "", wanted);
}

bool gs_npy_begins(const struct gs_file *file) { return file->size >= 6 && memcmp(file->bytes, "\x93NUMPY", 6) == 0; }

/* Where the header begins, and how long it is. */
static size_t find_header(const struct gs_file *file, size_t *length) {
    if (!gs_npy_begins(file)) fail_format(file->path, "it does not begin with \\x93NUMPY");
    if (file->size < 12) fail_format(file->path, "it is too short");
    const unsigned char *bytes = file->bytes;
    const unsigned version = bytes[6];
    if (version < 1 || version > 3 || bytes[7] != 0) {
        gs_fail("%s: is an npy file of version %u.%u; versions 1.0 to 3.0 can be read", file->path, version, bytes[7]);
    }
    const size_t begin = version == 1 ? 10 : 12;
    *length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (version > 1) *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (*length > file->size - begin) fail_format(file->path, "it is shorter than its header says");
    return begin;
}

struct gs_rows gs_npy_rows(struct gs_file file, size_t axes, const uint64_t *shape, const char *wanted) {
    size_t length;
    struct gs_rows rows = {.file = file, .width = 1};
    const size_t begin = find_header(&file, &length);
    const char *text = (const char *)file.bytes + begin;
    struct header header = {.path = file.path, .at = text, .end = text + length};
    parse(&header);
    rows.type = number_of(&header, &rows.swapped);
    check_shape(&header, axes, shape, wanted);
    const size_t data = file.size - begin - length;
    const size_t most = data / gs_number_size(rows.type);
    rows.at = file.bytes + begin + length;
    rows.rows = header.axes == 0 ? 1 : header.shape[0];
    for (size_t a = 0; a < header.axes; a++) {
        if (header.shape[a] == 0) gs_fail("%s: holds no numbers", file.path);
    }
    for (size_t a = 1; a < header.axes; a++) {
        const uint64_t size = header.shape[a];
        if (size > most / rows.width) fail_format(file.path, "it is shorter than its shape says");
        rows.width *= (size_t)size;
    }
    if (rows.rows > most / rows.width) fail_format(file.path, "it is shorter than its shape says");
    if (data != (size_t)rows.rows * rows.width * gs_number_size(rows.type)) {
        fail_format(file.path, "it is longer than its shape says");
    }
    return rows;
}
