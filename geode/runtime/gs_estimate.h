/* gs_estimate.h -- the estimate g = 1/(N sigma) sum of u_i s_i E_i from the members' weights u.
 *
 * Low-rank noise adds the outer products of its factors; no E is built. */
#ifndef GS_ESTIMATE_H
#define GS_ESTIMATE_H

#include "gs_arena.h"
#include "gs_evaluate.h"
#include "gs_model.h"
#include "gs_outer.h"
#include "gs_pool.h"

/* A block of entries of one trained parameter: rows x columns of a matrix under low-rank noise, else one row of entries. */
struct gs_patch {
    size_t parameter, row, rows, column, columns;
};

struct gs_estimator {
    const struct gs_model *model;
    struct gs_pool *pool;
    const struct gs_noise_store *store;
    size_t pairs;
    bool antithetic;
    struct gs_outer outer;
    struct gs_patch *patches;
    size_t patch_count;
    float *coefficients; /* [pairs] */
    float **room;        /* by worker: the sums of a patch, and noise that is drawn again for it */
};

/* An estimator for `pairs` pairs (members, without ANTITHETIC) whose first ones have their noise in `store`. */
struct gs_estimator gs_estimator_make(struct gs_arena *arena, const struct gs_model *model, struct gs_pool *pool,
                                      const struct gs_noise_store *store, size_t pairs, bool antithetic);

/* estimate[packed_floats] from weights[members]; `draw` is that of the evaluation. Every entry is one float32 FMA chain
 * over the pairs (and the rank inside), restarted every 1024 pairs and the chunks added in order; workers share out the
 * entries. */
void gs_estimate(const struct gs_estimator *estimator, struct gs_draw draw, const double *weights, float *estimate);

#endif
