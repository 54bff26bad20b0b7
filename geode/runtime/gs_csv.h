/* gs_csv.h -- rows of numbers from a text file. */
#ifndef GS_CSV_H
#define GS_CSV_H

#include <stddef.h>
#include <stdint.h>

/* Reads the CSV file at `path`, whose rows have `row_floats` numbers separated by commas.
 *
 * A first line that is not numbers is skipped; blanks around a field, CRLF line ends, a byte order mark and empty lines
 * at the end are allowed. A field is a decimal number (no nan, inf or hexadecimal), rounded to float32 once; one beyond
 * float32 is an error. Ends the program with the place of the first thing that is wrong; `option` is the option that
 * names another file, for the message about a missing one.
 *
 * Gives rows * row_floats floats, row-major, which the caller frees, and the number of rows (at least 1). */
float *gs_csv_read(const char *path, const char *option, size_t row_floats, uint64_t *rows);

#endif
