/* gs_activation.h -- activations over one vector of lanes, with the choices of geode-arith-1. */
#ifndef GS_ACTIVATION_H
#define GS_ACTIVATION_H

#include "../gs_tile.h"

/* (x <= 0) ? +0 : x; a NaN stays. */
GS_INLINE gs_vec gs_relu(gs_vec x) { return gs_from_bits(~gs_le(x, gs_set(0.0f)) & gs_bits(x)); }

#endif
