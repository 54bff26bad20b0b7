/* gs_view.h -- how kernels over whole values see an operand: ../kernels/gs_view.h for threads of one lane each. */
#ifndef GS_VIEW_H
#define GS_VIEW_H

#include "gs_tile.h"

/* Number e is p[e * element]. */
struct gs_view {
    GS_GLOBAL float *p;
    uint element;
};

GS_INLINE struct gs_view gs_view_of(GS_GLOBAL const float *p, uint element) {
    struct gs_view view;
    view.p = (GS_GLOBAL float *)p; /* operands are only read through theirs */
    view.element = element;
    return view;
}

GS_INLINE float gs_get(struct gs_view x, uint element, uint lane) { return x.p[(element + lane) * x.element]; }
GS_INLINE void gs_put_number(struct gs_view x, uint element, uint lane, float value) {
    x.p[(element + lane) * x.element] = value;
}

#endif
