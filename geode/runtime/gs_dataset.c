/* gs_dataset.c -- rows of a file to lane tiles, once, at load; the arena owns the tiles. */
#include "gs_dataset.h"

struct gs_dataset gs_dataset_tile(struct gs_arena *arena, const struct gs_rows *table, uint64_t first, uint64_t rows,
                                  size_t lanes) {
    const size_t width = table->width, count = (size_t)((rows + lanes - 1) / lanes);
    const size_t stride = gs_padded(width * lanes);
    float *tiles = gs_arena_take(arena, count * stride, sizeof *tiles, "the data");
    struct gs_arena passing = {0};
    float *row = gs_arena_take(&passing, width, sizeof *row, "a row of the data");
    for (size_t t = 0; t < count; t++) {
        for (size_t l = 0; l < lanes; l++) {
            const uint64_t place = (uint64_t)t * lanes + l;
            float *lane = tiles + t * stride + l;
            if (place < rows) gs_rows_read(table, first + place, row);
            for (size_t k = 0; k < width; k++) lane[k * lanes] = row[k];
        }
    }
    gs_arena_free(&passing);
    return (struct gs_dataset){.tiles = tiles, .stride = stride, .tile_count = count, .lanes = lanes, .rows = rows};
}
