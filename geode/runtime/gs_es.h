/* gs_es.h -- evolution strategies: the epochs of a TRAIN stage. */
#ifndef GS_ES_H
#define GS_ES_H

#include <stdio.h>

#include "gs_dataset.h"
#include "gs_model.h"
#include "gs_options.h"
#include "gs_pool.h"
#include "gs_update.h"

/* What goes on from stage to stage. */
struct gs_run {
    const struct gs_program *program;
    struct gs_options options;
    struct gs_arena arena; /* parameters and optimizer state: what outlives a stage */
    struct gs_arena rows;  /* the data of the current stage */
    struct gs_model model;
    struct gs_optimizer_state optimizer;
    bool has_optimizer;
    uint64_t epoch; /* epochs done, through all stages */
    uint64_t pass;  /* passes over shuffled data begun, through all stages */
    double start;   /* gs_cpu_seconds() at the program's start */
    FILE *metrics;  /* METRICS-FILE, or NULL */
    const char *metrics_path;
};

/* Trains stage number `stage` on `data`, all of it each epoch or, with BATCH, the next rows of a shuffle. True if the stage ended by itself, false if a signal or --stop-at-epoch asked
 * for the end of the run. */
bool gs_es_train(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool);

/* SIGINT and SIGTERM ask for the end of the run after the epoch; a second one ends it at once. */
void gs_es_catch_signals(void);

/* The signal that asked for the end, or 0. */
int gs_es_signal(void);

#endif
