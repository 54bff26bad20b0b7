/* gs_view.h -- how kernels over whole values see an operand, per lane or the same for all rows. */
#ifndef GS_VIEW_H
#define GS_VIEW_H

#include "../gs_tile.h"

/* Number e of lane l is p[e * element + l * lane]. */
struct gs_view {
    float *p;
    size_t element, lane;
};

/* Operands are only read through their views; results are written through theirs. */
GS_INLINE struct gs_view gs_lane_view(const float *p) { return (struct gs_view){(float *)(uintptr_t)p, GS_LANES, 1}; }
GS_INLINE struct gs_view gs_uniform_view(const float *p) { return (struct gs_view){(float *)(uintptr_t)p, 1, 0}; }

GS_INLINE float gs_get(struct gs_view x, size_t element, size_t lane) { return x.p[element * x.element + lane * x.lane]; }
GS_INLINE void gs_put_number(struct gs_view x, size_t element, size_t lane, float value) {
    x.p[element * x.element + lane * x.lane] = value;
}

/* Lanes l ... l + GS_VEC - 1 of number e. */
GS_INLINE gs_vec gs_view_vector(struct gs_view x, size_t e, size_t l) {
    return x.lane == 0 ? gs_set(x.p[e * x.element]) : gs_load(x.p + e * x.element + l);
}

#endif
