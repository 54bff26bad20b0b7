/* gs_rows.h -- rows of numbers as a file holds them, and each of them as float32. */
#ifndef GS_ROWS_H
#define GS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gs_file.h"

enum gs_number {
    GS_NUMBER_U1, GS_NUMBER_U2, GS_NUMBER_U4, GS_NUMBER_U8, GS_NUMBER_I1, GS_NUMBER_I2, GS_NUMBER_I4, GS_NUMBER_I8,
    GS_NUMBER_F2, GS_NUMBER_F4, GS_NUMBER_F8, GS_NUMBER_BOOL
};

/* rows * width numbers, row-major; they need not be aligned. */
struct gs_rows {
    struct gs_file file;     /* whose bytes they are */
    const unsigned char *at; /* the first number */
    enum gs_number type;
    bool swapped; /* their bytes are in the other order than this machine's */
    uint64_t rows;
    size_t width;
};

/* Bytes of one number. */
size_t gs_number_size(enum gs_number type);

/* Row `row` as float32, each number rounded once. Ends the program with the place of the first one that is NaN,
 * infinite or beyond float32. */
void gs_rows_read(const struct gs_rows *rows, uint64_t row, float *out);

void gs_rows_close(struct gs_rows *rows);

#endif
