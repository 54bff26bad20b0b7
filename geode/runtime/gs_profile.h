/* gs_profile.h -- where a run's time goes, told in a file of one JSON line a stage (--profile-file).
 *
 * Phases are timed by the main thread: a mark gives the time since the mark before it to a phase, so all of them add up
 * to the stage. Workers count their own time (gs_pool.h), units theirs where they were compiled for it (gs_span.h). */
#ifndef GS_PROFILE_H
#define GS_PROFILE_H

#include <stdint.h>

#include "gs_pool.h"
#include "gs_program.h"

enum gs_phase {
    GS_PHASE_READ,       /* data files, tiles, memory */
    GS_PHASE_HOIST,      /* the run and epoch levels */
    GS_PHASE_POPULATION, /* noise and forward of all members */
    GS_PHASE_CENTER,     /* the mean weights: EVALUATE, EVALUATE-EVERY, the last score */
    GS_PHASE_SHAPE,
    GS_PHASE_ESTIMATE,
    GS_PHASE_UPDATE,
    GS_PHASE_REPORT, /* metrics, files */
    GS_PHASE_COUNT
};

/* What a stage was, for its line; epochs and population are 0 for a stage that does not train. */
struct gs_profile_stage {
    size_t number; /* from 1 */
    const char *kind;
    const struct gs_entry *entry;
    const struct gs_pool *pool;
    uint64_t rows, population, epochs;
};

/* The file, made now; NULL: none. Ends the program if it cannot be made. */
void gs_profile_to(const char *path);

/* A stage begins. */
void gs_profile_begin(void);

/* The time since the mark before belongs to `phase`. Main thread. */
void gs_profile_mark(enum gs_phase phase);

/* The stage ends: writes its line. Main thread, the pool idle. */
void gs_profile_end(const struct gs_profile_stage *stage);

#endif
