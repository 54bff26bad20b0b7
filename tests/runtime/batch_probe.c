/* batch_probe.c -- the batch sum of the floats on stdin, tile by tile, for test_batch_sum.py.
 *
 * usage: batch_probe LANES: for every length n that stdin holds (a uint32, then n floats) one line with the sum in %a. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gs_batch_sum.h"

static double sum(const float *rows, size_t count, size_t lanes) {
    double total = 0.0;
    for (size_t block = 0; block < count; block += GS_BLOCK_ROWS) {
        double partials[GS_PARTIALS] = {0.0};
        for (size_t row = 0; row < GS_BLOCK_ROWS && block + row < count; row += lanes) {
            const size_t left = count - block - row;
            gs_batch_add(GS_BATCH_SUM, partials, rows + block + row, lanes, left < lanes ? left : lanes, row);
        }
        total += gs_batch_combine(GS_BATCH_SUM, partials);
    }
    return total;
}

int main(int argc, char **argv) {
    uint32_t count;
    if (argc != 2) return 2;
    const size_t lanes = strtoul(argv[1], NULL, 10);
    while (fread(&count, sizeof count, 1, stdin) == 1) {
        float *rows = calloc(count + lanes, sizeof *rows);
        if (rows == NULL || fread(rows, sizeof *rows, count, stdin) != count) return 1;
        printf("%a\n", sum(rows, count, lanes));
        free(rows);
    }
    return 0;
}
