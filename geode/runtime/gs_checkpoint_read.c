/* gs_checkpoint_read.c -- reading: the header into the checkpoint's arena, tensors from the file when asked for; main
 * thread. Whatever the file holds, nothing outside it is read and nothing but a message comes of it. */
#define _POSIX_C_SOURCE 200809L /* pread */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gs_checkpoint.h"
#include "gs_fail.h"
#include "gs_json.h"

#define GS_LONGEST_HEADER 100000000u /* bytes: the limit of the safetensors libraries */

/* What parsing the header needs: texts go to `room`, which is as long as the header. */
struct parser {
    struct gs_checkpoint *checkpoint;
    struct gs_json json;
    char *room;
    uint64_t data; /* bytes of data behind the header */
    uint64_t *shapes;
};

static _Noreturn void fail_format(const struct gs_checkpoint *checkpoint, const char *what) {
    gs_fail("%s: not a safetensors file: %s", checkpoint->path, what);
}

static void want(struct parser *parser, bool good) {
    if (!good) fail_format(parser->checkpoint, "its header is not as it must be");
}

/* Fills `size` bytes from `place` on. */
static void read_all(const struct gs_checkpoint *checkpoint, uint64_t place, void *out, size_t size) {
    char *to = out;
    while (size > 0) {
        const ssize_t done = pread(checkpoint->file, to, size < 1u << 30 ? size : 1u << 30, (off_t)place);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) gs_fail("%s: %s", checkpoint->path, strerror(errno));
        if (done == 0) fail_format(checkpoint, "it ends too early");
        to += done;
        place += (uint64_t)done;
        size -= (size_t)done;
    }
}

static char *take_string(struct parser *parser) {
    char *text = parser->room;
    want(parser, gs_json_string(&parser->json, &parser->room));
    return text;
}

static uint64_t take_integer(struct parser *parser) {
    uint64_t value;
    want(parser, gs_json_integer(&parser->json, &value));
    return value;
}

static void take(struct parser *parser, char c) { want(parser, gs_json_take(&parser->json, c)); }

static void parse_notes(struct parser *parser) {
    struct gs_checkpoint *checkpoint = parser->checkpoint;
    take(parser, '{');
    for (bool first = true; !gs_json_take(&parser->json, '}'); first = false) {
        if (!first) take(parser, ',');
        struct gs_note *note = &checkpoint->notes[checkpoint->note_count++];
        note->key = take_string(parser);
        take(parser, ':');
        note->value = take_string(parser);
    }
}

static void parse_shape(struct parser *parser, struct gs_tensor *tensor) {
    tensor->shape = parser->shapes;
    tensor->count = 1;
    take(parser, '[');
    for (bool first = true; !gs_json_take(&parser->json, ']'); first = false) {
        if (!first) take(parser, ',');
        const uint64_t size = take_integer(parser);
        if (size > 0 && tensor->count > parser->data / size) fail_format(parser->checkpoint, "a tensor is too large");
        tensor->count *= size;
        *parser->shapes++ = size;
        tensor->axes++;
    }
}

static void parse_tensor(struct parser *parser, const char *name) {
    struct gs_checkpoint *checkpoint = parser->checkpoint;
    struct gs_tensor *tensor = &checkpoint->tensors[checkpoint->tensor_count++];
    bool has_place = false, has_shape = false;
    tensor->name = name;
    take(parser, '{');
    for (bool first = true; !gs_json_take(&parser->json, '}'); first = false) {
        if (!first) take(parser, ',');
        const char *key = take_string(parser);
        take(parser, ':');
        if (strcmp(key, "dtype") == 0) {
            tensor->type = take_string(parser);
        } else if (strcmp(key, "shape") == 0 && !has_shape) {
            parse_shape(parser, tensor);
            has_shape = true;
        } else if (strcmp(key, "data_offsets") == 0) {
            take(parser, '[');
            tensor->begin = take_integer(parser);
            take(parser, ',');
            tensor->end = take_integer(parser);
            take(parser, ']');
            has_place = true;
        } else {
            want(parser, false);
        }
    }
    want(parser, has_place && has_shape && tensor->type != NULL);
    if (tensor->end > parser->data || tensor->begin > tensor->end) fail_format(checkpoint, "a tensor lies outside the file");
    if (strcmp(tensor->type, "F32") == 0 && tensor->end - tensor->begin != 4 * tensor->count) {
        fail_format(checkpoint, "a tensor's shape and its size differ");
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct gs_tensor *)a)->name, ((const struct gs_tensor *)b)->name);
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct gs_note *)a)->key, ((const struct gs_note *)b)->key);
}

static void sort(struct gs_checkpoint *checkpoint) {
    qsort(checkpoint->tensors, checkpoint->tensor_count, sizeof *checkpoint->tensors, by_name);
    qsort(checkpoint->notes, checkpoint->note_count, sizeof *checkpoint->notes, by_key);
    for (size_t i = 1; i < checkpoint->tensor_count; i++) {
        if (by_name(&checkpoint->tensors[i - 1], &checkpoint->tensors[i]) == 0) fail_format(checkpoint, "a name occurs twice");
    }
    for (size_t i = 1; i < checkpoint->note_count; i++) {
        if (by_key(&checkpoint->notes[i - 1], &checkpoint->notes[i]) == 0) fail_format(checkpoint, "a key occurs twice");
    }
}

/* Every tensor, note and size of an axis has at least one character of its own in the header. */
static void parse(struct gs_checkpoint *checkpoint, const char *header, size_t length, uint64_t data) {
    struct parser parser = {.checkpoint = checkpoint, .json = {header, header + length}, .data = data};
    size_t colons = 0, commas = 0;
    for (size_t i = 0; i < length; i++) {
        colons += header[i] == ':';
        commas += header[i] == ',';
    }
    parser.room = gs_arena_take(&checkpoint->arena, length + 1, 1, "a checkpoint's header");
    parser.shapes = gs_arena_take(&checkpoint->arena, commas + colons + 1, sizeof(uint64_t), "a checkpoint's header");
    checkpoint->tensors = gs_arena_take(&checkpoint->arena, colons + 1, sizeof(struct gs_tensor), "a checkpoint's header");
    checkpoint->notes = gs_arena_take(&checkpoint->arena, colons + 1, sizeof(struct gs_note), "a checkpoint's header");
    take(&parser, '{');
    bool noted = false;
    for (bool first = true; !gs_json_take(&parser.json, '}'); first = false) {
        if (!first) take(&parser, ',');
        const char *name = take_string(&parser);
        take(&parser, ':');
        if (strcmp(name, "__metadata__") == 0) {
            want(&parser, !noted);
            parse_notes(&parser);
            noted = true;
        } else {
            parse_tensor(&parser, name);
        }
    }
    want(&parser, gs_json_ends(&parser.json));
}

static int by_place(const void *a, const void *b) {
    const struct gs_tensor *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* Every byte of the data belongs to one tensor. Leaves the tensors in the order of their places. */
static void check_places(const struct gs_checkpoint *checkpoint, uint64_t data) {
    uint64_t end = 0;
    qsort(checkpoint->tensors, checkpoint->tensor_count, sizeof *checkpoint->tensors, by_place);
    for (size_t i = 0; i < checkpoint->tensor_count; i++) {
        const struct gs_tensor *tensor = &checkpoint->tensors[i];
        if (tensor->begin < end) fail_format(checkpoint, "its tensors overlap");
        if (tensor->begin > end) fail_format(checkpoint, "there are bytes between its tensors");
        end = tensor->end;
    }
    if (end < data) fail_format(checkpoint, "there are bytes behind its tensors");
}

struct gs_checkpoint gs_checkpoint_open(const char *path) {
    struct gs_checkpoint checkpoint = {.path = path, .file = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat status;
    uint64_t length;
    if (checkpoint.file < 0 || fstat(checkpoint.file, &status) != 0) gs_fail("%s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode)) gs_fail("%s: is no file", path);
    if (status.st_size < 8) fail_format(&checkpoint, "it is too short");
    read_all(&checkpoint, 0, &length, sizeof length);
    if (length > GS_LONGEST_HEADER || length > (uint64_t)status.st_size - 8) {
        fail_format(&checkpoint, "it is shorter than its header says");
    }
    char *header = gs_arena_take(&checkpoint.arena, (size_t)length + 1, 1, "a checkpoint's header");
    read_all(&checkpoint, 8, header, (size_t)length);
    const uint64_t data = (uint64_t)status.st_size - 8 - length;
    checkpoint.data = 8 + length;
    checkpoint.size = checkpoint.data + data;
    parse(&checkpoint, header, (size_t)length, data);
    check_places(&checkpoint, data);
    for (size_t i = 0; i < checkpoint.tensor_count; i++) {
        checkpoint.tensors[i].begin += checkpoint.data;
        checkpoint.tensors[i].end += checkpoint.data;
    }
    sort(&checkpoint);
    return checkpoint;
}

void gs_checkpoint_close(struct gs_checkpoint *checkpoint) {
    close(checkpoint->file);
    gs_arena_free(&checkpoint->arena);
}

struct gs_tensor *gs_checkpoint_tensor(const struct gs_checkpoint *checkpoint, const char *name) {
    const struct gs_tensor key = {.name = name};
    return bsearch(&key, checkpoint->tensors, checkpoint->tensor_count, sizeof key, by_name);
}

const char *gs_checkpoint_note(const struct gs_checkpoint *checkpoint, const char *key) {
    const struct gs_note wanted = {.key = key};
    struct gs_note *note = bsearch(&wanted, checkpoint->notes, checkpoint->note_count, sizeof wanted, by_key);
    if (note == NULL) return NULL;
    note->used = true;
    return note->value;
}

void gs_checkpoint_read(const struct gs_checkpoint *checkpoint, struct gs_tensor *tensor, float *out) {
    if (strcmp(tensor->type, "F32") != 0) {
        gs_fail("%s: %s holds numbers of type %s, not F32", checkpoint->path, tensor->name, tensor->type);
    }
    tensor->used = true;
    read_all(checkpoint, tensor->begin, out, (size_t)tensor->count * 4);
    for (uint64_t i = 0; i < tensor->count; i++) {
        if (out[i] - out[i] == 0.0f) continue;
        gs_fail("%s: %s holds %s", checkpoint->path, tensor->name,
                out[i] != out[i] ? "NaN" : out[i] > 0.0f ? "infinity" : "minus infinity");
    }
}

void gs_checkpoint_data_digest(const struct gs_checkpoint *checkpoint, char hex[GS_SHA256_HEX]) {
    struct gs_sha256 hash;
    unsigned char some[1 << 14];
    gs_sha256_start(&hash);
    for (uint64_t place = checkpoint->data; place < checkpoint->size;) {
        const uint64_t left = checkpoint->size - place;
        const size_t size = left < sizeof some ? (size_t)left : sizeof some;
        read_all(checkpoint, place, some, size);
        gs_sha256_add(&hash, some, size);
        place += size;
    }
    gs_sha256_finish(&hash, hex);
}
