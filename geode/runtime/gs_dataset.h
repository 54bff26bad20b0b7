/* gs_dataset.h -- the rows of a data file as lane tiles. */
#ifndef GS_DATASET_H
#define GS_DATASET_H

#include <stddef.h>
#include <stdint.h>

#include "gs_arena.h"
#include "gs_rows.h"

/* Tile t holds rows t * lanes ...: element k of lane l stands at tiles[t * stride + k * lanes + l]. Lanes behind the
 * last row hold copies of it, so that no lane ever computes with something that is not data. */
struct gs_dataset {
    const float *tiles;
    size_t stride; /* floats from one tile to the next */
    size_t tile_count;
    size_t lanes;
    uint64_t rows;
};

/* Lays rows first ... first + rows - 1 of `table` out in tiles, in memory of the arena. */
struct gs_dataset gs_dataset_tile(struct gs_arena *arena, const struct gs_rows *table, uint64_t first, uint64_t rows,
                                  size_t lanes);

#endif
