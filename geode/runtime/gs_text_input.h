/* gs_text_input.h -- a file's bytes as rows of numbers. */
#ifndef GS_TEXT_INPUT_H
#define GS_TEXT_INPUT_H

#include "gs_rows.h"

/* The bytes of a file, each a number 0 ... 255, in windows of `width` that don't overlap; a short last one is dropped.
 * Takes the file over. Ends the program with a message if there is no whole window. */
struct gs_rows gs_text_rows(struct gs_file file, size_t width);

#endif
