/* gs_outputs.h -- what a run is to write, looked at before it writes anything. */
#ifndef GS_OUTPUTS_H
#define GS_OUTPUTS_H

#include "gs_options.h"

/* Ends the program with a message if two words would write one file, if a file that the run reads would be overwritten, or if
 * METRICS-FILE's or PREDICT's file could not be written: before hours of work, not after. A PREDICT may write what only later
 * stages read. */
void gs_outputs_check(const struct gs_program *program, const struct gs_options *options);

#endif
