/* gs_checkpoint.h -- safetensors files: 8 bytes of header length, a JSON header with sorted keys, raw data.
 *
 * Everything is little-endian float32, a tensor's bytes right behind those of the one before. What is written is a function of the tensors and notes alone. */
#ifndef GS_CHECKPOINT_H
#define GS_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gs_arena.h"
#include "gs_sha256.h"
#include "gs_text.h"

/* An entry of the header's __metadata__. */
struct gs_note {
    const char *key, *value;
    bool used; /* of a file that is read: somebody has asked for it */
};

struct gs_tensor {
    const char *name;
    size_t axes;
    const uint64_t *shape;
    uint64_t count;    /* entries */
    const float *data; /* when writing: row-major */
    uint64_t begin, end; /* when reading: place in the file */
    const char *type;  /* when reading: F32, F64, ...; only F32 can be read */
    bool used;
};

/* --- writing */

/* Ends the program with a message if no file could be written at `path`: called before hours of work, not after. */
void gs_checkpoint_check(const char *path);

/* Writes the file as a whole or not at all (gs_replace.h). Sorts the tensors and notes. Ends the program with a message if
 * that fails, or if two tensors have one name; then what was at `path` before is still there. */
void gs_checkpoint_write(const char *path, struct gs_tensor *tensors, size_t tensor_count, struct gs_note *notes,
                         size_t note_count);

/* SHA-256 of the data that gs_checkpoint_write will write; sorts the tensors. */
void gs_checkpoint_digest(struct gs_tensor *tensors, size_t tensor_count, char hex[GS_SHA256_HEX]);

/* SHA-256 of the keys and values of all notes but `header`, which is for this digest, and of the names and shapes of the
 * tensors; sorts both. */
void gs_checkpoint_header_digest(struct gs_tensor *tensors, size_t tensor_count, struct gs_note *notes, size_t note_count,
                                 char hex[GS_SHA256_HEX]);

/* --- reading */

struct gs_checkpoint {
    const char *path;
    int file;
    uint64_t data, size; /* where in the file the tensors' data begins, and where the file ends */
    struct gs_tensor *tensors; /* sorted by name */
    size_t tensor_count;
    struct gs_note *notes; /* sorted by key */
    size_t note_count;
    struct gs_arena arena;
};

/* Opens a file and reads its header. Ends the program with a message if it is missing or no safetensors file. */
struct gs_checkpoint gs_checkpoint_open(const char *path);

void gs_checkpoint_close(struct gs_checkpoint *checkpoint);

/* The tensor of that name, or NULL. */
struct gs_tensor *gs_checkpoint_tensor(const struct gs_checkpoint *checkpoint, const char *name);

/* The value of the note, marked as used, or NULL. */
const char *gs_checkpoint_note(const struct gs_checkpoint *checkpoint, const char *key);

/* Reads all entries of a tensor and marks it as used. Ends the program with a message if they aren't float32, or not finite. */
void gs_checkpoint_read(const struct gs_checkpoint *checkpoint, struct gs_tensor *tensor, float *out);

/* SHA-256 of all data in the file. */
void gs_checkpoint_data_digest(const struct gs_checkpoint *checkpoint, char hex[GS_SHA256_HEX]);

#endif
