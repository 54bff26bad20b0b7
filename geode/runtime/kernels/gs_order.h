/* gs_order.h -- ARGMAX, ARGMIN, SORT, ARGSORT and CUMSUM along the last axis, lane by lane.
 *
 * `lanes` is 1 for a result that all rows share; x is [rows][count]. The first of equals wins; a NaN counts as larger than
 * every number for ARGMAX and smaller for ARGMIN (the first NaN is the place found), and sorts last.
 */
#ifndef GS_ORDER_H
#define GS_ORDER_H

#include "gs_view.h"

GS_INLINE void gs_argmax(size_t lanes, struct gs_view out, struct gs_view x, size_t rows, size_t count) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            float best = gs_get(x, r * count, l);
            float place = 0.0f;
            for (size_t e = 1; e < count; e++) {
                const float value = gs_get(x, r * count + e, l);
                const int better = (value > best || value != value) && best == best;
                best = better ? value : best;
                place = better ? (float)e : place;
            }
            gs_put_number(out, r, l, place);
        }
    }
}

GS_INLINE void gs_argmin(size_t lanes, struct gs_view out, struct gs_view x, size_t rows, size_t count) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            float best = gs_get(x, r * count, l);
            float place = 0.0f;
            for (size_t e = 1; e < count; e++) {
                const float value = gs_get(x, r * count + e, l);
                const int better = (value < best || value != value) && best == best;
                best = better ? value : best;
                place = better ? (float)e : place;
            }
            gs_put_number(out, r, l, place);
        }
    }
}

/* How many elements stand before element e of row r in ascending order, equals in their order, NaN last. */
GS_INLINE size_t gs_rank(struct gs_view x, size_t r, size_t e, size_t l, size_t count) {
    const float mine = gs_get(x, r * count + e, l);
    size_t before = 0;
    for (size_t k = 0; k < count; k++) {
        const float other = gs_get(x, r * count + k, l);
        const int smaller = other < mine || (mine != mine && other == other);
        const int same = other == mine || (mine != mine && other != other);
        before += (size_t)(smaller || (same && k < e));
    }
    return before;
}

GS_INLINE void gs_sort(size_t lanes, struct gs_view out, struct gs_view x, size_t rows, size_t count) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            for (size_t e = 0; e < count; e++) {
                gs_put_number(out, r * count + gs_rank(x, r, e, l, count), l, gs_get(x, r * count + e, l));
            }
        }
    }
}

GS_INLINE void gs_argsort(size_t lanes, struct gs_view out, struct gs_view x, size_t rows, size_t count) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            for (size_t e = 0; e < count; e++) gs_put_number(out, r * count + gs_rank(x, r, e, l, count), l, (float)e);
        }
    }
}

/* Each element the sum of those up to it: one chain from +0. */
GS_INLINE void gs_cumsum(size_t lanes, struct gs_view out, struct gs_view x, size_t rows, size_t count) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            float sum = 0.0f;
            for (size_t e = 0; e < count; e++) {
                sum += gs_get(x, r * count + e, l);
                gs_put_number(out, r * count + e, l, sum);
            }
        }
    }
}

#endif
