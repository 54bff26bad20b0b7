/* gs_rollout.h -- a word without data over the population, in tiles whose lanes are rows of different members.
 *
 * The second way of what gs_evaluate.h does, for programs of few weights and few rows (EPISODES): with the same bits.
 * Where the word's time is in one loop, the loop is here: a lane that has left it is given the next row of the next
 * member at once, so that no lane waits for the longest. */
#ifndef GS_ROLLOUT_H
#define GS_ROLLOUT_H

#include "gs_arena.h"
#include "gs_evaluate.h"
#include "gs_options.h"

struct gs_rollout;

/* What it takes to evaluate the population of `evaluator` in this way, memory of the arena; NULL where the word has no
 * such form, `tiles` says no, or (GS_TILES_AUTO) tiles of one member are faster. */
struct gs_rollout *gs_rollout_make(struct gs_arena *arena, const struct gs_evaluator *evaluator, enum gs_tiles tiles);

/* scores[pairs] or [2 pairs], after gs_evaluate_epoch. */
void gs_rollout_population(struct gs_rollout *rollout, const struct gs_evaluator *evaluator, struct gs_draw draw,
                           double *scores);

#endif
