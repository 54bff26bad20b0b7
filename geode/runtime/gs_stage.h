/* gs_stage.h -- the data of a stage, and the stages EVALUATE and PREDICT. */
#ifndef GS_STAGE_H
#define GS_STAGE_H

#include "gs_es.h"

/* The rows that a stage may use, as tiles in run->rows, which the caller frees after the stage; with EPISODES nothing but
 * their number. Ends the program if the file is missing or malformed or has too few rows. */
struct gs_dataset gs_stage_data(struct gs_run *run, const struct gs_stage *stage);

/* Prints `evaluate word=NAME value=V rows=N`: the word's value with the mean weights. */
void gs_stage_evaluate(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool);

/* Writes the word's values with the mean weights, a CSV line a row, to the stage's file. */
void gs_stage_predict(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool);

#endif
