/* gs_lanes.h -- tiles whose lanes are rows of different members: what of a member a lane holds, and how it gets there.
 *
 * All that units read of a member is its vector: for every parameter that is trained, as far as its forms need them,
 * perturbed weights, noise or factors, and s sigma. A tile holds the vectors of its lanes as [floats][lanes]. */
#ifndef GS_LANES_H
#define GS_LANES_H

#include "gs_arena.h"
#include "gs_model.h"

/* Where the parts of a parameter stand in a member's vector; GS_NOT_TRAINED where there is no such part. */
struct gs_vector_place {
    size_t wp, e, a, b, ss;
};

struct gs_vector_layout {
    const struct gs_model *model;
    struct gs_vector_place *places; /* by parameter */
    size_t floats;                  /* length of a vector */
};

struct gs_vector_layout gs_vector_layout_make(struct gs_arena *arena, const struct gs_model *model);

/* The vector of a member whose noise is in `slots` (those of the mean weights apart from e, a, b and ss). */
void gs_vector_write(const struct gs_vector_layout *layout, const struct gs_slot *slots, float *vector);

/* A tile. What it has no use for is NULL. */
struct gs_lanes {
    struct gs_slot *slots;
    float *weights;     /* [floats][lanes] */
    float *run, *epoch; /* slices */
    float *state;       /* what a rollout's parts hand on, [elements][lanes] */
    uint64_t *rows, *members;
};

/* The elements that copying a lane moves. */
struct gs_lane_sizes {
    size_t lanes;
    size_t weights, state; /* elements */
    const struct gs_members_form *form;
};

/* A tile of the entry's form; without `weights` it has no room for its members' vectors. */
struct gs_lanes gs_lanes_make(struct gs_arena *arena, const struct gs_vector_layout *layout,
                              const struct gs_entry *entry, size_t lanes, bool weights);

/* Lane l becomes one of the member with this vector. */
void gs_lanes_put_vector(const struct gs_lanes *tile, const struct gs_lane_sizes *sizes, size_t l, const float *vector);

/* Lane l gets the slices of lane `from` of a tile of rows. */
void gs_lanes_put_slices(const struct gs_lanes *tile, const struct gs_lane_sizes *sizes, size_t l, const float *run,
                         const float *epoch, size_t from);

/* Lane l of `to` becomes lane k of `from`, as far as both tiles and the flags say. */
void gs_lanes_copy(const struct gs_lanes *to, size_t l, const struct gs_lanes *from, size_t k,
                   const struct gs_lane_sizes *sizes, bool weights, bool slices);

#endif
