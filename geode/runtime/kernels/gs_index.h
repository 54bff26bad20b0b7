/* gs_index.h -- AT, PUT and SLICE where the place is known only at run time, lane by lane.
 *
 * A place is floored; one outside the axis, or NaN, gives NaN (AT, and each element of a SLICE on its own) or changes
 * nothing (PUT). `lanes` is 1 for a result that all rows share. All loops have literal bounds in generated code.
 */
#ifndef GS_INDEX_H
#define GS_INDEX_H

#include "gs_view.h"

/* The place that `x` names among `count`, or -1. */
GS_INLINE int64_t gs_place(float x, size_t count) {
    if (!(x >= 0.0f) || !(x < (float)count)) return -1;
    return (int64_t)x; /* x is at least 0: cutting off is flooring */
}

/* out[block] = x[place]: x [count][block]. */
GS_INLINE void gs_at(size_t lanes, struct gs_view out, struct gs_view x, struct gs_view place, size_t count, size_t block) {
    for (size_t l = 0; l < lanes; l++) {
        const int64_t at = gs_place(gs_get(place, 0, l), count);
        const size_t first = at < 0 ? 0 : (size_t)at * block;
        for (size_t e = 0; e < block; e++) {
            gs_put_number(out, e, l, at < 0 ? __builtin_nanf("") : gs_get(x, first + e, l));
        }
    }
}

/* out = x with value[block] in its place: x, out [count][block]. */
GS_INLINE void gs_put(size_t lanes, struct gs_view out, struct gs_view x, struct gs_view value, struct gs_view place,
                      size_t count, size_t block) {
    for (size_t e = 0; e < count * block; e++) {
        for (size_t l = 0; l < lanes; l++) gs_put_number(out, e, l, gs_get(x, e, l));
    }
    for (size_t l = 0; l < lanes; l++) {
        const int64_t at = gs_place(gs_get(place, 0, l), count);
        if (at < 0) continue;
        for (size_t e = 0; e < block; e++) gs_put_number(out, (size_t)at * block + e, l, gs_get(value, e, l));
    }
}

/* out[r][length] = x[r][start ... start + length): x [rows][count]. */
GS_INLINE void gs_slice(size_t lanes, struct gs_view out, struct gs_view x, struct gs_view start, size_t rows, size_t count,
                        size_t length) {
    for (size_t l = 0; l < lanes; l++) {
        const float from = gs_get(start, 0, l);
        /* Beyond these bounds every element is outside, and the sum below could leave the range of int64_t. */
        const int usable = from >= -(float)length && from < (float)count;
        const int64_t cut = usable ? (int64_t)from : 0;
        const int64_t first = usable && (float)cut > from ? cut - 1 : cut;
        for (size_t e = 0; e < length; e++) {
            const int64_t at = first + (int64_t)e;
            const int inside = usable && at >= 0 && at < (int64_t)count;
            for (size_t r = 0; r < rows; r++) {
                const float value = inside ? gs_get(x, r * count + (size_t)at, l) : __builtin_nanf("");
                gs_put_number(out, r * length + e, l, value);
            }
        }
    }
}

#endif
