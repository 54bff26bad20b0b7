/* gs_update.h -- the estimate to new weights: decay, clipping and the optimizers. */
#ifndef GS_UPDATE_H
#define GS_UPDATE_H

#include "gs_arena.h"
#include "gs_model.h"
#include "gs_muon.h"
#include "gs_pool.h"
#include "gs_settings.h"

/* An optimizer's state stays while stages follow that use the same optimizer. */
struct gs_optimizer_state {
    enum gs_optimizer kind;
    float *first;   /* packed: SGDM v, MUON M, ADAM m */
    float *second;  /* packed: RMSPROP q, ADAM v */
    uint64_t steps; /* ADAM: updates done */
};

/* The state of one parameter that a checkpoint keeps: the tensor `prefix`NAME. */
struct gs_optimizer_part {
    const char *prefix;
    float *data; /* m n entries, row-major */
    bool squares; /* a mean of squares, which no number of is negative */
};

/* The numbers of one update, rounded to float32 once. */
struct gs_update_factors {
    float decay; /* alpha lambda */
    float alpha;
    float beta, kept; /* SGDM, MUON, RMSPROP: beta and 1 - beta */
    float epsilon;
    float beta1, kept1, beta2, kept2, correction1, correction2; /* ADAM */
};

/* Those of an update with step size `alpha`, where state->steps counts it already. */
struct gs_update_factors gs_update_factors(const struct gs_settings *settings, const struct gs_optimizer_state *state,
                                           double alpha);

/* MUON: alpha kappa sqrt(max(m, n)). */
float gs_muon_factor(const struct gs_settings *settings, const struct gs_parameter *parameter, double alpha);

/* True if parameter p is a matrix that MUON updates. */
bool gs_update_by_muon(const struct gs_model *model, enum gs_optimizer kind, size_t p);

struct gs_updater {
    struct gs_model *model;
    struct gs_pool *pool;
    struct gs_optimizer_state *state;
    struct gs_blocks blocks;
    double *block_sums;
    float **old;      /* by worker: a block's weights before the update */
    float *direction; /* packed: MUON's O */
    struct gs_muon muon;
};

/* Fresh state for `kind`: memory of the arena, all zeros. */
struct gs_optimizer_state gs_optimizer_state_make(struct gs_arena *arena, const struct gs_model *model,
                                                  enum gs_optimizer kind);

/* What there is to keep of parameter p, none to two parts, in `parts`; returns how many. */
size_t gs_optimizer_parts(const struct gs_optimizer_state *state, const struct gs_model *model, size_t p,
                          struct gs_optimizer_part parts[2]);

struct gs_updater gs_updater_make(struct gs_arena *arena, struct gs_model *model, struct gs_pool *pool,
                                  struct gs_optimizer_state *state);

/* The Euclidean norm of a packed vector in float64: sums of blocks of 4096 entries, parameters in order. */
double gs_update_norm(const struct gs_updater *updater, const float *packed);

/* One update of the model's weights with step size `alpha` (of this epoch) and the estimate, whose norm is `norm`;
 * returns the norm of the change. Clipping changes the estimate in place. */
double gs_update(struct gs_updater *updater, const struct gs_settings *settings, double alpha, float *estimate,
                 double norm);

#endif
