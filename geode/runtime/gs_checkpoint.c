/* gs_checkpoint.c -- writing: the header as a text, then the tensors' bytes in the order of their names; main thread. */
#define _XOPEN_SOURCE 700 /* lstat */
#include "gs_checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gs_fail.h"
#include "gs_replace.h"
#include "gs_text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are written as they are in memory");

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct gs_tensor *)a)->name, ((const struct gs_tensor *)b)->name);
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct gs_note *)a)->key, ((const struct gs_note *)b)->key);
}

void gs_checkpoint_check(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) gs_fail("%s: is a directory, no file to save to", path);
        if (!S_ISREG(status.st_mode)) gs_fail("%s: is no ordinary file, and saving would take its place", path);
    } else if (lstat(path, &status) == 0) {
        gs_fail("%s: is a link to a file that does not exist", path);
    }
    struct gs_replacement trial = gs_replace_begin(path);
    if (trial.file < 0) gs_fail("%s: can't be written: %s", path, strerror(errno));
    gs_replace_drop(&trial);
}

static _Noreturn void fail_writing(struct gs_replacement *output) {
    const char *path = output->path;
    gs_replace_drop(output);
    gs_fail("%s: can't be written: %s; an earlier save there is as it was", path, strerror(errno));
}

static void write_all(struct gs_replacement *output, const void *data, size_t size) {
    const char *from = data;
    while (size > 0) {
        const ssize_t done = write(output->file, from, size < 1u << 30 ? size : 1u << 30);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail_writing(output);
        from += done;
        size -= (size_t)done;
    }
}

static void add_notes(struct gs_text *header, const struct gs_note *notes, size_t count) {
    gs_text_add(header, "\"__metadata__\":{");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) gs_text_add(header, ",");
        gs_text_add_json(header, notes[i].key);
        gs_text_add(header, ":");
        gs_text_add_json(header, notes[i].value);
    }
    gs_text_add(header, "}");
}

static void add_tensor(struct gs_text *header, const struct gs_tensor *tensor, uint64_t begin) {
    gs_text_add_json(header, tensor->name);
    gs_text_add(header, ":{\"data_offsets\":[%" PRIu64 ",%" PRIu64 "],\"dtype\":\"F32\",\"shape\":[", begin,
                begin + 4 * tensor->count);
    for (size_t a = 0; a < tensor->axes; a++) gs_text_add(header, "%s%" PRIu64, a == 0 ? "" : ",", tensor->shape[a]);
    gs_text_add(header, "]}");
}

static struct gs_text make_header(const char *path, const struct gs_tensor *tensors, size_t tensor_count,
                                  const struct gs_note *notes, size_t note_count) {
    struct gs_text header = {0};
    bool noted = false;
    uint64_t begin = 0;
    for (size_t i = 0; i < tensor_count; i++) {
        if (i > 0 && strcmp(tensors[i - 1].name, tensors[i].name) == 0) {
            gs_fail("%s: two tensors would be called %s: rename the words that it is made of", path, tensors[i].name);
        }
        gs_text_add(&header, i == 0 ? "{" : ",");
        if (!noted && strcmp(tensors[i].name, "__metadata__") > 0) {
            add_notes(&header, notes, note_count);
            gs_text_add(&header, ",");
            noted = true;
        }
        add_tensor(&header, &tensors[i], begin);
        begin += 4 * tensors[i].count;
    }
    if (!noted) {
        gs_text_add(&header, tensor_count == 0 ? "{" : ",");
        add_notes(&header, notes, note_count);
    }
    gs_text_add(&header, "}");
    while (header.length % 8 != 0) gs_text_add(&header, " ");
    return header;
}

void gs_checkpoint_digest(struct gs_tensor *tensors, size_t tensor_count, char hex[GS_SHA256_HEX]) {
    struct gs_sha256 hash;
    qsort(tensors, tensor_count, sizeof *tensors, by_name);
    gs_sha256_start(&hash);
    for (size_t i = 0; i < tensor_count; i++) gs_sha256_add(&hash, tensors[i].data, (size_t)tensors[i].count * 4);
    gs_sha256_finish(&hash, hex);
}

static void add_text(struct gs_sha256 *hash, const char *text) { gs_sha256_add(hash, text, strlen(text) + 1); }

void gs_checkpoint_header_digest(struct gs_tensor *tensors, size_t tensor_count, struct gs_note *notes, size_t note_count,
                                 char hex[GS_SHA256_HEX]) {
    struct gs_sha256 hash;
    qsort(tensors, tensor_count, sizeof *tensors, by_name);
    qsort(notes, note_count, sizeof *notes, by_key);
    gs_sha256_start(&hash);
    for (size_t i = 0; i < note_count; i++) {
        if (strcmp(notes[i].key, "header") == 0) continue;
        add_text(&hash, notes[i].key);
        add_text(&hash, notes[i].value);
    }
    for (size_t i = 0; i < tensor_count; i++) {
        struct gs_text shape = {0};
        gs_text_add(&shape, "r");
        for (size_t a = 0; a < tensors[i].axes; a++) gs_text_add(&shape, ":%" PRIu64, tensors[i].shape[a]);
        add_text(&hash, tensors[i].name);
        add_text(&hash, shape.data);
        gs_text_free(&shape);
    }
    gs_sha256_finish(&hash, hex);
}

void gs_checkpoint_write(const char *path, struct gs_tensor *tensors, size_t tensor_count, struct gs_note *notes,
                         size_t note_count) {
    qsort(tensors, tensor_count, sizeof *tensors, by_name);
    qsort(notes, note_count, sizeof *notes, by_key);
    struct gs_text header = make_header(path, tensors, tensor_count, notes, note_count);
    const uint64_t length = header.length;
    struct gs_replacement output = gs_replace_begin(path);
    if (output.file < 0) fail_writing(&output);
    write_all(&output, &length, sizeof length);
    write_all(&output, header.data, header.length);
    for (size_t i = 0; i < tensor_count; i++) write_all(&output, tensors[i].data, (size_t)tensors[i].count * 4);
    if (!gs_replace_finish(&output)) fail_writing(&output);
    gs_text_free(&header);
}
