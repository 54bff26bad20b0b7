/* gs_arena.c -- a list of aligned blocks; the arena owns them, callers keep plain pointers. */
#include "gs_arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "gs_fail.h"

struct gs_arena_block {
    struct gs_arena_block *next;
    void *taken;                                                  /* what the C library gave */
    char padding[GS_ALIGN - 2 * sizeof(struct gs_arena_block *)]; /* what follows stays aligned */
};

void *gs_arena_take(struct gs_arena *arena, size_t count, size_t size, const char *what) {
    const size_t room = SIZE_MAX - 2 * sizeof(struct gs_arena_block) - GS_ALIGN;
    if (size != 0 && count > room / size) gs_fail("out of memory: %zu items of %zu bytes for %s", count, size, what);
    const size_t bytes = (count * size + GS_ALIGN - 1) / GS_ALIGN * GS_ALIGN;
    /* calloc takes pages that are zeros as they are, so that what is never used costs nothing. */
    char *const taken = calloc(1, sizeof(struct gs_arena_block) + bytes + GS_ALIGN);
    if (taken == NULL) gs_fail("out of memory: %zu bytes for %s", bytes, what);
    struct gs_arena_block *block = (void *)(taken + (GS_ALIGN - (uintptr_t)taken % GS_ALIGN) % GS_ALIGN);
    block->taken = taken;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->bytes += bytes;
    return block + 1;
}

void gs_arena_free(struct gs_arena *arena) {
    while (arena->blocks != NULL) {
        struct gs_arena_block *next = arena->blocks->next;
        free(arena->blocks->taken);
        arena->blocks = next;
    }
    arena->bytes = 0;
}
