/* gs_fingerprint.h -- what must be the same for a run to go on exactly: the program, its settings, its data. */
#ifndef GS_FINGERPRINT_H
#define GS_FINGERPRINT_H

#include "gs_checkpoint.h"
#include "gs_dataset.h"
#include "gs_run.h"

#define GS_NORMAL_VERSION "geode-normal-1"
#define GS_ARITH_VERSION "geode-arith-1"

/* SHA-256 over names and shapes of the parameters, in order (ties are in the names). */
void gs_fingerprint_model(const struct gs_program *program, char hex[GS_SHA256_HEX]);

/* SHA-256 over rows in order, their numbers as little-endian float32. */
void gs_fingerprint_rows(struct gs_dataset data, size_t row_floats, char hex[GS_SHA256_HEX]);

/* How many TRAIN stages stand before stage number `stage`; with the number of stages: how many there are. */
size_t gs_fingerprint_stage(const struct gs_program *program, size_t stage);

/* The notes of the fingerprint, in memory of the arena: `arith`, `graph`, `model`, `normal`, for TRAIN stage K and each of
 * its settings that matters `setting/K/NAME`, and `rows/K` where the rows are known. */
struct gs_note *gs_fingerprint_notes(const struct gs_run *run, struct gs_arena *arena, size_t *count);

/* SHA-256 over all of these notes: one number for the run. */
void gs_fingerprint_run(const struct gs_run *run, char hex[GS_SHA256_HEX]);

/* Ends the program with status 2 if --resume-changed names something that is no setting and not GRAPH, ROWS, ARITH or
 * NORMAL. */
void gs_fingerprint_check_names(const char *names);

/* True if --resume-changed names the part of the fingerprint: ALPHA, --alpha's `alpha`, ROWS, GRAPH, ... */
bool gs_fingerprint_accepts(const char *names, const char *part);

#endif
