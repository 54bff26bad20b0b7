/* gs_matmul.h -- MATMUL and OUTER within a row. */
#ifndef GS_MATMUL_H
#define GS_MATMUL_H

#include "gs_view.h"

/* out[t][n] = Σ_k x[t][k] y[k][n], one FMA chain over k ascending from +0. */
GS_INLINE void gs_matmul(size_t lanes, struct gs_view out, struct gs_view x, struct gs_view y, size_t t, size_t k, size_t n) {
    for (size_t i = 0; i < t; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t l = 0; l < lanes; l++) gs_put_number(out, i * n + j, l, 0.0f);
            for (size_t c = 0; c < k; c++) {
                for (size_t l = 0; l < lanes; l++) {
                    const float sum = gs_get(out, i * n + j, l);
                    gs_put_number(out, i * n + j, l, __builtin_fmaf(gs_get(x, i * k + c, l), gs_get(y, c * n + j, l), sum));
                }
            }
        }
    }
}

#endif
