/* gs_random.h -- RAND, RANDN, MEMBER-RANDN and EPISODE: what differs from row to row without data.
 *
 * A value's stream has the key (stream of the call site, seed; epoch, place of the row in the batch), its element is how
 * often the row has drawn there before; MEMBER-RANDN mixes the member into the place. So all members see equal luck. */
#ifndef GS_RANDOM_H
#define GS_RANDOM_H

#include "gs_program.h"

enum gs_draw_kind { GS_DRAW_UNIFORM, GS_DRAW_NORMAL, GS_DRAW_MEMBER };

/* out[lanes] = a draw of call site `site` for every lane; `counts` are the earlier draws there, count l at
 * counts[l * stride] (stride 0: the same for all rows). */
void gs_draw_rows(const struct gs_tile_context *tile, enum gs_draw_kind kind, size_t site, size_t lanes,
                  const float *counts, size_t stride, float *out);

/* out[lanes] = the place of each lane's row in the batch, from 0. */
void gs_episode_rows(const struct gs_tile_context *tile, size_t lanes, float *out);

#endif
