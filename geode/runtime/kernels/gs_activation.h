/* gs_activation.h -- activations over one vector of lanes, with the choices of geode-arith-1. A NaN stays a NaN. */
#ifndef GS_ACTIVATION_H
#define GS_ACTIVATION_H

#include "../gs_math.h"
#include "../gs_tile.h"

/* (x <= 0) ? +0 : x. */
GS_INLINE gs_vec gs_relu(gs_vec x) { return gs_from_bits(~gs_le(x, gs_set(0.0f)) & gs_bits(x)); }

/* (x <= 0) ? 0.01 x : x. */
GS_INLINE gs_vec gs_leaky_relu(gs_vec x) {
    return gs_select(gs_le(x, gs_set(0.0f)), gs_mul(gs_set(0.01f), x), x);
}

/* (x <= 0) ? e^x - 1 : x. Near 0 the difference is taken as tanh(x/2) (e^x + 1), which cancels nothing. */
GS_INLINE gs_vec gs_elu(gs_vec x) {
    const gs_vec low = gs_mul(gs_tanh(gs_mul(gs_set(0.5f), x)), gs_add(gs_exp(x), gs_set(1.0f)));
    return gs_select(gs_le(x, gs_set(0.0f)), low, x);
}

/* 1 / (1 + e^-x); where e^-x is infinite that is 0. */
GS_INLINE gs_vec gs_sigmoid(gs_vec x) {
    return gs_div(gs_set(1.0f), gs_add(gs_set(1.0f), gs_exp(gs_negate(x))));
}

GS_INLINE gs_vec gs_silu(gs_vec x) { return gs_div(x, gs_add(gs_set(1.0f), gs_exp(gs_negate(x)))); }

/* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */
GS_INLINE gs_vec gs_gelu(gs_vec x) {
    const gs_vec cube = gs_mul(gs_mul(gs_set(0.044715f), gs_mul(x, x)), x);
    const gs_vec t = gs_tanh(gs_mul(gs_set(0x1.988454p-1f), gs_add(x, cube)));
    return gs_mul(gs_mul(gs_set(0.5f), x), gs_add(gs_set(1.0f), t));
}

/* ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|). With w = 1 + u rounded, ln(w) u / (w - 1) corrects the rounding of w. */
GS_INLINE gs_vec gs_softplus(gs_vec x) {
    const gs_vec one = gs_set(1.0f);
    const gs_vec u = gs_exp(gs_negate(gs_abs(x)));
    const gs_vec w = gs_add(one, u);
    const gs_vec log = gs_div(gs_mul(gs_ln(w), u), gs_sub(w, one));
    return gs_add(gs_relu(x), gs_select(gs_eq(w, one), u, log));
}

#endif
