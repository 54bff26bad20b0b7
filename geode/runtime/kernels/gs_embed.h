/* gs_embed.h -- EMBED: rows of a table, one for every number of an operand. */
#ifndef GS_EMBED_H
#define GS_EMBED_H

#include "gs_index.h"

/* out[e][width] = table[floor(index[e])], NaN where that is outside: table [height][width], index [count]. */
GS_INLINE void gs_embed(size_t lanes, struct gs_view out, struct gs_view table, struct gs_view index, size_t count,
                        size_t height, size_t width) {
    for (size_t e = 0; e < count; e++) {
        for (size_t l = 0; l < lanes; l++) {
            const int64_t at = gs_place(gs_get(index, e, l), height);
            const size_t first = at < 0 ? 0 : (size_t)at * width;
            for (size_t i = 0; i < width; i++) {
                gs_put_number(out, e * width + i, l, at < 0 ? __builtin_nanf("") : gs_get(table, first + i, l));
            }
        }
    }
}

#endif
