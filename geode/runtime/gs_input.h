/* gs_input.h -- the files that a program reads: the rows of a stage, and tables. */
#ifndef GS_INPUT_H
#define GS_INPUT_H

#include "gs_program.h"
#include "gs_rows.h"

/* The rows of a data file, which lies at `path`; the caller closes them. Ends the program with a message if they are not
 * what the program says; `option` is the option that names another file. */
struct gs_rows gs_input_rows(const struct gs_data_file *data, const char *path, const char *option);

/* The numbers of a table, [floats], from the CSV or npy file at `path`. A line of a CSV holds the numbers of the last
 * axis, of several last axes or of one element. Ends the program with a message if it has another shape or count. */
void gs_input_table(const struct gs_table_file *table, const char *path, const char *option, float *out);

#endif
