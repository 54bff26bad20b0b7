/* gs_random.c -- RAND, RANDN, MEMBER-RANDN and EPISODE, one lane at a time.
 *
 * Called by units and pure: everything comes from the tile's context. Lanes past the last row draw like that row, whose
 * copies they are. */
#include "gs_random.h"

#include "gs_noise.h"

static uint64_t row_of(const struct gs_tile_context *tile, size_t lane) {
    if (tile->rows != NULL) return tile->rows[lane];
    return tile->first_row + (lane < tile->live ? lane : tile->live - 1);
}

void gs_draw_rows(const struct gs_tile_context *tile, enum gs_draw_kind kind, size_t site, size_t lanes,
                  const float *counts, size_t stride, float *out) {
    for (size_t l = 0; l < lanes; l++) {
        const uint64_t row = row_of(tile, l);
        const uint64_t member = tile->members == NULL ? tile->member : tile->members[l];
        const uint64_t place = kind == GS_DRAW_MEMBER ? gs_splitmix64(row) ^ member : row;
        const uint64_t key = gs_stream_key(tile->streams[site], tile->seed, tile->epoch, place);
        const uint64_t element = (uint64_t)counts[l * stride];
        if (kind == GS_DRAW_UNIFORM) {
            uint32_t word;
            gs_words(key, element, 1, &word);
            out[l] = (float)(word >> 8) * 0x1p-24f;
        } else {
            gs_normals(key, element, 1, &out[l]);
        }
    }
}

void gs_episode_rows(const struct gs_tile_context *tile, size_t lanes, float *out) {
    for (size_t l = 0; l < lanes; l++) out[l] = (float)row_of(tile, l);
}
