/* gs_evaluate.h -- the level driver: one word over all tiles of a batch, for the whole population or the mean weights.
 *
 * Run and epoch levels are computed once for all tiles and kept, while they fit the hoist limit together; past it they
 * are computed again for every tile that needs them, with the same bits. Pairs are then shared out among the workers;
 * where pairs are few, a pair's rows are too, in whole blocks of the batch sum. Scores go by member. */
#ifndef GS_EVALUATE_H
#define GS_EVALUATE_H

#include "gs_arena.h"
#include "gs_dataset.h"
#include "gs_member.h"
#include "gs_model.h"
#include "gs_pool.h"
#include "gs_program.h"

struct gs_scratch;
struct gs_rollout;

/* What has been reduced, of one member or, one after the other, both of a pair: the totals, and what later passes see. */
struct gs_sums {
    double *totals;
    float *reduced;
};

struct gs_evaluator {
    const struct gs_model *model;
    const struct gs_entry *entry;
    struct gs_passes passes; /* the entry's; of one pass where it names its functions one by one */
    size_t reductions;       /* values of a row that are reduced over the batch */
    struct gs_pool *pool;
    struct gs_dataset data; /* without tiles where rows are only places (EPISODES) */
    size_t pairs;           /* 0: the mean weights only */
    bool antithetic;        /* two members a pair */
    struct gs_noise_store *store;
    float *run, *epoch;     /* [tile_count][..], NULL where recomputed or empty */
    size_t run_stride, epoch_stride;
    bool hoisted;           /* run and epoch slices are kept */
    struct gs_slot *center; /* slots of the mean weights */
    struct gs_scratch *scratch; /* one a worker */
    size_t blocks;          /* of GS_BLOCK_ROWS rows */
    double *block_sums;     /* for work that is split by blocks */
    void *counters;         /* parts of a pair that are not finished */
    struct gs_sums *pair_sums; /* of pairs that are split; the first also of the mean weights, for PREDICT */
    struct gs_sums outer;   /* reductions of the run and epoch levels */
    double *outer_blocks;   /* [blocks][reductions] */
    float *kept;            /* what passes over the members leave for later ones, a pair and tile; NULL: made again */
    size_t tile_stride;     /* of a tile in it: the pair's slice, then for each member kept_stride */
    size_t kept_stride;
    size_t most_parts;
    float loop_limit;       /* LOOP-LIMIT */
    uint64_t seed;          /* SEED */
    struct gs_rollout *rollout; /* evaluates the population instead, where it is there (gs_rollout.h) */
    uint64_t draw_epoch;    /* that random words draw for: the global one, UINT64_MAX outside training */
};

/* An evaluator of `entry` over `data`, for `pairs` pairs (members, without ANTITHETIC) whose noise goes to `store`.
 * Memory is the arena's. */
struct gs_evaluator gs_evaluator_make(struct gs_arena *arena, const struct gs_model *model, const struct gs_entry *entry,
                                      struct gs_pool *pool, struct gs_dataset data, size_t pairs, bool antithetic,
                                      struct gs_noise_store *store, uint64_t hoist_limit);

/* The passes of an entry; where it names its functions one by one, each level in one, reduced at the end of the members'. */
struct gs_passes gs_evaluate_passes(struct gs_arena *arena, const struct gs_entry *entry);

/* Floats of scratch that a root's functions need with all that they call. */
size_t gs_evaluate_scratch(const struct gs_instance *instance);

/* Computes the run level: once, and after the rows have changed, before anything else (gs_levels.c). */
void gs_evaluate_run(struct gs_evaluator *evaluator);

/* Computes the epoch level: after theta has changed, before anything else. */
void gs_evaluate_epoch(struct gs_evaluator *evaluator);

/* scores[pairs] or [2 pairs]: the word's value for every member. */
void gs_evaluate_population(struct gs_evaluator *evaluator, struct gs_draw draw, double *scores);

/* The word's value for the mean weights. */
double gs_evaluate_center(struct gs_evaluator *evaluator);

/* Computes what the word reduces over the batch with the mean weights, for gs_evaluate_tile. */
void gs_evaluate_reductions(struct gs_evaluator *evaluator);

/* The word's values for the rows of one tile with the mean weights, [values][lanes], valid until the worker's next
 * call. Only from the thread that made the evaluator, or from a task of its pool. */
const float *gs_evaluate_tile(struct gs_evaluator *evaluator, size_t worker, size_t tile);

#endif
