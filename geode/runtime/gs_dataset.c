/* gs_dataset.c -- row-major table to lane tiles, once, at load; the arena owns the tiles. */
#include "gs_dataset.h"

struct gs_dataset gs_dataset_tile(struct gs_arena *arena, const float *table, size_t row_floats, uint64_t first,
                                  uint64_t rows, size_t lanes) {
    const size_t count = (size_t)((rows + lanes - 1) / lanes);
    const size_t stride = gs_padded(row_floats * lanes);
    float *tiles = gs_arena_take(arena, count * stride, sizeof *tiles, "the data");
    for (size_t t = 0; t < count; t++) {
        for (size_t l = 0; l < lanes; l++) {
            const uint64_t place = (uint64_t)t * lanes + l;
            const float *row = table + (size_t)(first + (place < rows ? place : rows - 1)) * row_floats;
            float *lane = tiles + t * stride + l;
            for (size_t k = 0; k < row_floats; k++) lane[k * lanes] = row[k];
        }
    }
    return (struct gs_dataset){.tiles = tiles, .stride = stride, .tile_count = count, .lanes = lanes, .rows = rows};
}
