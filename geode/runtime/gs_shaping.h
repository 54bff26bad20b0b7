/* gs_shaping.h -- scores to weights. */
#ifndef GS_SHAPING_H
#define GS_SHAPING_H

#include <stddef.h>
#include <stdint.h>

#include "gs_arena.h"
#include "gs_settings.h"

struct gs_shaper {
    enum gs_shaping mode;
    bool antithetic;    /* members 2k and 2k + 1 are a pair */
    size_t n;           /* members */
    double *utility;    /* UTILITY: by rank from the best */
    uint32_t *order;    /* members sorted by fitness, the worst first */
    uint32_t *merged;   /* the other half of the merge sort */
};

/* A shaper for n members, with memory of the arena that takes ~ 8 (16 for UTILITY) bytes a member. */
struct gs_shaper gs_shaper_make(struct gs_arena *arena, enum gs_shaping mode, bool antithetic, size_t n);

/* fitness[n], higher is better, NaN for a member that failed; weights[n]. Some fitness is not NaN. */
void gs_shape(const struct gs_shaper *shaper, const double *fitness, double *weights);

#endif
