/* gs_batch_sum.h -- sums over the rows of a batch in float64, in an order that no tile width changes.
 *
 * Rows in blocks of 960; in a block eight partial sums by row mod 8, each in row order from +0, combined
 * ((0+4)+(2+6))+((1+5)+(3+7)); blocks added in order from +0. */
#ifndef GS_BATCH_SUM_H
#define GS_BATCH_SUM_H

#include <stddef.h>

#define GS_BLOCK_ROWS 960 /* a multiple of every tile width, and of 8 */
#define GS_PARTIALS 8

/* Adds a tile's rows to the partial sums of one output: out[lanes], of which `live` are rows. The tile's first row is
 * a multiple of `lanes` within its block, `row` its place there. `lanes` is 1 or a multiple of 8. */
static inline void gs_batch_add(double *partial, const float *out, size_t lanes, size_t live, size_t row) {
    if (live == lanes && lanes % GS_PARTIALS == 0) {
        for (size_t l = 0; l < lanes; l += GS_PARTIALS) {
            for (size_t k = 0; k < GS_PARTIALS; k++) partial[k] += (double)out[l + k];
        }
    } else {
        for (size_t l = 0; l < live; l++) partial[(row + l) % GS_PARTIALS] += (double)out[l];
    }
}

static inline double gs_batch_combine(const double *p) {
    return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

#endif
