/* gs_levels.h -- one tile through the levels of a word, and the levels that are known before the members are.
 *
 * A word goes through the rows once for every pass of every level: run and epoch here, members in gs_evaluate.c. What is
 * reduced at the end of a pass is summed as gs_batch_sum.h says, by blocks of rows, so no worker enters its bits. */
#ifndef GS_LEVELS_H
#define GS_LEVELS_H

#include "gs_batch_sum.h"
#include "gs_evaluate.h"

/* The memory of one worker. */
struct gs_scratch {
    struct gs_slot *plus, *minus;   /* slots of the pair's members */
    float *noise;                   /* for pairs that the store does not keep */
    float *plus_weights, *minus_weights; /* w + sE, w - sE of those that are materialised */
    float *run, *epoch, *pair;      /* one tile's slices */
    float *kept;                    /* [2][kept_stride]: what a member's pass leaves for the next, of one tile */
    float *call, *out;
    double *partials;    /* [2][reductions][GS_PARTIALS] */
    double *block;       /* [2][reductions] of one block */
    struct gs_sums sums; /* of the pair it works on */
    char padding[64];
};

/* The context of a tile for the member with these slots; of the mean weights, until `member` is set. */
struct gs_tile_context gs_levels_context(const struct gs_evaluator *evaluator, size_t tile, const struct gs_slot *slots);

/* The tile of the data rows; NULL without data. */
const float *gs_levels_row(const struct gs_evaluator *evaluator, size_t tile);

/* Passes `from` up to `to` of a level over one tile. */
void gs_levels_call(const struct gs_evaluator *evaluator, struct gs_scratch *scratch,
                    const struct gs_tile_context *context, const struct gs_level_passes *level, size_t from, size_t to,
                    float *run, float *epoch, float *pair, const float *row);

/* The hoisted slices of a tile: the kept ones, or the worker's, computed now. */
void gs_levels_slices(const struct gs_evaluator *evaluator, struct gs_scratch *scratch, size_t tile, float **run,
                      float **epoch);

enum gs_batch_op gs_levels_op(const struct gs_evaluator *evaluator, size_t k);

/* Adds the values in the worker's `out` to the partial results of what `pass` reduces, [reductions][GS_PARTIALS]. */
void gs_levels_add(const struct gs_evaluator *evaluator, const struct gs_scratch *scratch,
                   const struct gs_tile_context *context, const struct gs_pass *pass, double *partials);

#endif
