/* gs_batch_sum.h -- reductions over the rows of a batch in float64, in an order that no tile width changes.
 *
 * Rows in blocks of 960; in a block eight partial results by row mod 8, each in row order from the operation's first value
 * (+0 for a sum), combined ((0+4)+(2+6))+((1+5)+(3+7)); blocks taken in order, from the first value too. */
#ifndef GS_BATCH_SUM_H
#define GS_BATCH_SUM_H

#include <stddef.h>

#include "gs_program.h"

#define GS_BLOCK_ROWS 960 /* a multiple of every tile width, and of 8 */
#define GS_PARTIALS 8

/* What an operation starts from. */
static inline double gs_batch_first(enum gs_batch_op op) {
    switch (op) {
    case GS_BATCH_PRODUCT: return 1.0;
    case GS_BATCH_MAX: return -__builtin_inf();
    case GS_BATCH_MIN: return __builtin_inf();
    default: return 0.0;
    }
}

/* a op b; of MAX and MIN a NaN on either side is the result. */
static inline double gs_batch_apply(enum gs_batch_op op, double a, double b) {
    switch (op) {
    case GS_BATCH_PRODUCT: return a * b;
    case GS_BATCH_MAX: return a > b || a != a ? a : b;
    case GS_BATCH_MIN: return a < b || a != a ? a : b;
    default: return a + b;
    }
}

/* Adds a tile's rows to the partial results of one output: out[lanes], of which `live` are rows. The tile's first row is
 * a multiple of `lanes` within its block, `row` its place there. `lanes` is 1 or a multiple of 8. */
static inline void gs_batch_add(enum gs_batch_op op, double *partial, const float *out, size_t lanes, size_t live,
                                size_t row) {
    if ((op == GS_BATCH_SUM || op == GS_BATCH_MEAN) && live == lanes && lanes % GS_PARTIALS == 0) {
        for (size_t l = 0; l < lanes; l += GS_PARTIALS) {
            for (size_t k = 0; k < GS_PARTIALS; k++) partial[k] += (double)out[l + k];
        }
        return;
    }
    for (size_t l = 0; l < live; l++) {
        double *mine = &partial[(row + l) % GS_PARTIALS];
        *mine = gs_batch_apply(op, *mine, (double)out[l]);
    }
}

/* What the words behind a reduction see of its result over `rows` rows. */
static inline float gs_batch_result(enum gs_batch_op op, double total, uint64_t rows) {
    return (float)(op == GS_BATCH_MEAN ? total / (double)rows : total);
}

static inline double gs_batch_combine(enum gs_batch_op op, const double *p) {
    const double even = gs_batch_apply(op, gs_batch_apply(op, p[0], p[4]), gs_batch_apply(op, p[2], p[6]));
    const double odd = gs_batch_apply(op, gs_batch_apply(op, p[1], p[5]), gs_batch_apply(op, p[3], p[7]));
    return gs_batch_apply(op, even, odd);
}

#endif
