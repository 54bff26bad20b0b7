/* gs_shuffle.h -- BATCH: the next n rows of a seeded shuffle. */
#ifndef GS_SHUFFLE_H
#define GS_SHUFFLE_H

#include <stdbool.h>

#include "gs_arena.h"
#include "gs_dataset.h"

struct gs_shuffle_entry;

/* Walks the permutation of a pass; where fewer than n rows are left, the next pass begins. */
struct gs_shuffle {
    struct gs_dataset all;   /* the rows that are shuffled */
    struct gs_dataset batch; /* the rows of the current batch, refilled in place */
    float *tiles;            /* those of `batch` */
    size_t row_floats;
    uint64_t seed;
    uint64_t pass;   /* number of the next pass */
    uint64_t cursor; /* place in the current pass */
    struct gs_shuffle_entry *order, *other;
};

/* A shuffle of `all` in batches of `rows` rows (1 ... all.rows), whose first pass has number `pass`. */
struct gs_shuffle gs_shuffle_make(struct gs_arena *arena, struct gs_dataset all, size_t row_floats, uint64_t rows,
                                  uint64_t seed, uint64_t pass);

/* Goes to `cursor` in the pass before shuffle->pass, and fills shuffle->batch with the rows before it, as it was when the
 * cursor stood there first. False, with the shuffle as it was, if no batch of that pass ends there. */
bool gs_shuffle_resume(struct gs_shuffle *shuffle, uint64_t cursor);

/* Fills shuffle->batch with the next rows. */
void gs_shuffle_next(struct gs_shuffle *shuffle);

#endif
