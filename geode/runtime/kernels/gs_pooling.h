/* gs_pooling.h -- MAXPOOL and AVGPOOL, lane by lane: windows of k x k over a value [c][h][w]. */
#ifndef GS_POOLING_H
#define GS_POOLING_H

#include "gs_view.h"

/* out [c][h/k][w/k]: the largest of each window of k x k, a NaN in it giving NaN. */
GS_INLINE void gs_maxpool(size_t lanes, struct gs_view out, struct gs_view x, size_t c, size_t h, size_t width, size_t k) {
    for (size_t e = 0; e < c * (h / k) * (width / k); e++) {
        const size_t column = e % (width / k), row = e / (width / k) % (h / k), channel = e / ((width / k) * (h / k));
        for (size_t l = 0; l < lanes; l++) {
            float most = -__builtin_inff();
            for (size_t tap = 0; tap < k * k; tap++) {
                const size_t place = (channel * h + row * k + tap / k) * width + column * k + tap % k;
                const float value = gs_get(x, place, l);
                most = most > value || most != most ? most : value;
            }
            gs_put_number(out, e, l, most);
        }
    }
}

/* out [c][h/k][w/k]: the mean of each window, its sum one chain from +0. */
GS_INLINE void gs_avgpool(size_t lanes, struct gs_view out, struct gs_view x, size_t c, size_t h, size_t width, size_t k) {
    for (size_t e = 0; e < c * (h / k) * (width / k); e++) {
        const size_t column = e % (width / k), row = e / (width / k) % (h / k), channel = e / ((width / k) * (h / k));
        for (size_t l = 0; l < lanes; l++) {
            float sum = 0.0f;
            for (size_t tap = 0; tap < k * k; tap++) {
                sum += gs_get(x, (channel * h + row * k + tap / k) * width + column * k + tap % k, l);
            }
            gs_put_number(out, e, l, sum / (float)(k * k));
        }
    }
}

#endif
