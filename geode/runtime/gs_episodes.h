/* gs_episodes.h -- the rows of the population's members as one sequence that workers take from, and the scores that come
 * of their values.
 *
 * A worker takes whole pairs, whichever is next, and hands out their rows in order: all of the first member, then all of
 * the second. Values come back in any order; they are kept by row until a member has all of its own, so that the order
 * changes no bit. How many pairs may be under way at once is bounded, whatever the population. */
#ifndef GS_EPISODES_H
#define GS_EPISODES_H

#include "gs_evaluate.h"
#include "gs_lanes.h"

/* A pair some of whose rows are not over. */
struct gs_open_pair {
    size_t pair;
    size_t left[2];            /* rows of each member whose values are missing */
    float *values;             /* [members][outputs][rows] */
    struct gs_open_pair *next; /* of those that are free */
};

struct gs_episode {
    struct gs_open_pair *open;
    size_t side; /* 0 or 1: which member of the pair */
    size_t row;
    uint64_t member;
    const float *vector; /* the member's; valid until `vectors` further pairs have been taken */
};

/* What one worker has taken. */
struct gs_episodes {
    struct gs_slot *plus, *minus; /* slots of the pair that was taken last */
    float *noise;
    float *vectors; /* [vectors][2][floats], by turns */
    size_t taken;   /* pairs so far */
    struct gs_open_pair *free, *last;
    size_t side, row; /* that come next, of `last` */
    double *sums;     /* [outputs][GS_PARTIALS] */
    double *totals;   /* [outputs] */
    float *call;      /* scratch of what follows the reductions */
};

/* What the workers share in one pass over the population. */
struct gs_episodes_pass {
    const struct gs_evaluator *evaluator;
    const struct gs_vector_layout *layout;
    struct gs_draw draw;
    size_t vectors; /* pairs whose vectors a worker keeps */
    void *next;     /* the next pair that nobody has taken: an atomic_size_t */
    double *scores;
};

/* A worker's part, with room for `open` pairs under way. */
struct gs_episodes gs_episodes_make(struct gs_arena *arena, const struct gs_evaluator *evaluator,
                                    const struct gs_vector_layout *layout, size_t vectors, size_t open);

/* The next row, or false: none is left, or no room for another pair (`full`). */
bool gs_episodes_next(struct gs_episodes *episodes, const struct gs_episodes_pass *pass, struct gs_episode *episode,
                      bool *full);

/* Takes in a row's values, value k at out[k * stride]. */
void gs_episodes_take(struct gs_episodes *episodes, const struct gs_episodes_pass *pass,
                      const struct gs_episode *episode, const float *out, size_t stride);

/* Rows of pairs that nobody has taken yet. */
size_t gs_episodes_left(const struct gs_episodes_pass *pass);

#endif
