/* gs_es.h -- evolution strategies: the epochs of a TRAIN stage. */
#ifndef GS_ES_H
#define GS_ES_H

#include "gs_dataset.h"
#include "gs_pool.h"
#include "gs_run.h"

/* Trains stage number `stage` on `data`, all of it each epoch or, with BATCH, the next rows of a shuffle; from where it
 * stands if the run is resumed there. Saves what the settings say. True if the stage ended by itself, false if a signal or
 * --stop-at-epoch asked for the end of the run. */
bool gs_es_train(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool);

/* SIGINT, SIGTERM and SIGHUP ask for the end of the run after the epoch; a second one ends it at once, as does the first where
 * no epoch runs, with status 128 + its number. */
void gs_es_catch_signals(void);

/* The signal that asked for the end, or 0. */
int gs_es_signal(void);

#endif
