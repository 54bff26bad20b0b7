/* gs_csv.h -- rows of numbers from a text file. */
#ifndef GS_CSV_H
#define GS_CSV_H

#include "gs_rows.h"

/* The numbers of a CSV file, read by gs_file_read, whose rows have `width` numbers separated by commas; 0: as many as its first row.
 *
 * A first line without a number is skipped, names in quotes with commas and line ends in it included. Blanks around a
 * field, double quotes around a number, CRLF line ends, a byte order mark and blank lines are allowed. A field is a
 * decimal number (no nan, inf or hexadecimal), rounded to float32 once; one beyond float32 is an error. Takes the file
 * over. Ends the program with the place of the first thing that is wrong. There is at least one row. */
struct gs_rows gs_csv_rows(struct gs_file file, size_t width);

#endif
