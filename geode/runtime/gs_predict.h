/* gs_predict.h -- a word's values for every row, as text. */
#ifndef GS_PREDICT_H
#define GS_PREDICT_H

#include <stdbool.h>
#include <stdio.h>

#include "gs_arena.h"
#include "gs_evaluate.h"

/* Writes a line for each row of the evaluator's data, with the mean weights: `outputs` numbers apart by commas. Workers
 * compute and write tiles as text, which go to the file in order. False, with errno, if the file can't be written. */
bool gs_predict_write(struct gs_evaluator *evaluator, struct gs_arena *arena, size_t outputs, FILE *file);

#endif
