/* gs_outer.h -- the estimate of a wide matrix under low-rank noise: a product of two thin matrices.
 *
 * The sum over the pairs of d A B' is left times right with one column of left and one row of right, a link, for each
 * pair and number of the rank. Both are drawn once, some pairs at a time, by all workers, and multiplied at the speed of
 * layers. Every entry is the chain that gs_estimate.h tells of. */
#ifndef GS_OUTER_H
#define GS_OUTER_H

#include "gs_arena.h"
#include "gs_member.h"
#include "gs_model.h"
#include "gs_pool.h"

#define GS_CHUNK_PAIRS 1024 /* a chain's length (engine.md, "Estimate") */

struct gs_outer {
    const struct gs_model *model;
    struct gs_pool *pool;
    const struct gs_noise_store *store;
    size_t pairs;
    float *left, *right; /* of the pairs that are taken at a time */
    float *partial;      /* sums of a chunk that is not taken at once */
    float **room;        /* by worker, for drawing */
    size_t room_floats;  /* of left and right together */
};

/* True if parameter p is estimated here rather than patch by patch: where the sum is worth several jobs of the pool. */
bool gs_outer_takes(const struct gs_model *model, size_t p, size_t pairs);

/* Room for all parameters that gs_outer_takes. */
struct gs_outer gs_outer_make(struct gs_arena *arena, const struct gs_model *model, struct gs_pool *pool,
                              const struct gs_noise_store *store, size_t pairs);

/* out[m][n] = scale times the sum over the pairs of coefficients[pair] A B' of parameter p. */
void gs_outer_estimate(const struct gs_outer *outer, size_t p, struct gs_draw draw, const float *coefficients,
                       float scale, float *out);

#endif
