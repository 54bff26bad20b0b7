/* gs_npy.h -- arrays that NumPy has saved. */
#ifndef GS_NPY_H
#define GS_NPY_H

#include "gs_rows.h"

/* True if the file begins as an npy file does. */
bool gs_npy_begins(const struct gs_file *file);

/* The numbers of an npy file (versions 1 to 3): booleans, integers of 1 to 8 bytes, reals of 2, 4 or 8, in either byte
 * order, in C order. Its array must have shape [axes], where sizes of 0 are free: the first axis are the rows. Takes the
 * file over, and ends the program with a message if it is not such an array; `wanted` says which is. */
struct gs_rows gs_npy_rows(struct gs_file file, size_t axes, const uint64_t *shape, const char *wanted);

#endif
