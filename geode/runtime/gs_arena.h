/* gs_arena.h -- aligned memory that is taken at the start of a run and given back together at its end.
 *
 * One thread allocates, before the workers start on it; nothing is allocated while training. */
#ifndef GS_ARENA_H
#define GS_ARENA_H

#include <stddef.h>

#define GS_ALIGN 64 /* bytes: a cache line, and the widest vector */

struct gs_arena_block;

struct gs_arena {
    struct gs_arena_block *blocks;
    size_t bytes; /* asked for so far, rounded up to GS_ALIGN */
};

/* Memory for `count` items of `size` bytes, zeroed, aligned to GS_ALIGN, never NULL. Ends the program with a message
 * that names `what` if there is not that much. */
void *gs_arena_take(struct gs_arena *arena, size_t count, size_t size, const char *what);

/* Gives all of it back. */
void gs_arena_free(struct gs_arena *arena);

/* The least multiple of 16 floats that holds `floats`: the stride of a run of aligned arrays. */
static inline size_t gs_padded(size_t floats) { return (floats + 15) / 16 * 16; }

#endif
