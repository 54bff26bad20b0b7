/* gs_member.h -- the weights of a member of the population as they are, noise and all. */
#ifndef GS_MEMBER_H
#define GS_MEMBER_H

#include "gs_model.h"
#include "gs_settings.h"

/* How the members of one epoch differ from the mean weights. */
struct gs_draw {
    uint64_t seed;
    uint64_t epoch; /* of the noise: the global epoch divided by NOISE-REUSE */
    double sigma;
};

/* Puts parameter p's part of a pair's noise into the slots of the pair's members, + and -; `minus` may be NULL. */
void gs_member_slots(const struct gs_model *model, double sigma, size_t p, const float *noise, struct gs_slot *plus,
                     struct gs_slot *minus);

/* out[m][n]: the member's weights of parameter p whose noise is in `slot`, each entry fma(ss, e, w), with low-rank noise
 * e[i,j] the chain of fma(A[i,q], B[j,q], e) from +0 over q. */
void gs_member_parameter(const struct gs_model *model, size_t p, const struct gs_slot *slot, float *out);

/* All of a member's weights, laid out as theta; `minus` for the second member of a pair, `noise` has room for a pair's. */
void gs_member_weights(const struct gs_model *model, struct gs_draw draw, uint64_t pair, bool minus, float *noise,
                       float *weights);

#endif
