/* gs_table.h -- the tables of a program, read once when it starts. */
#ifndef GS_TABLE_H
#define GS_TABLE_H

#include "gs_run.h"

/* Reads every table, for the run's whole life. Ends the program with a message if one of them is not what it says. */
void gs_table_load(struct gs_run *run);

/* SHA-256 over the tables that the TRAIN stages read, in the order of their places; false if there are none. */
bool gs_table_digest(const struct gs_run *run, char hex[GS_SHA256_HEX]);

#endif
