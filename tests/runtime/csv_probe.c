/* csv_probe.c -- reads a CSV file and prints its numbers, a row a line, in %a; for test_csv.py.
 *
 * usage: csv_probe FILE NUMBERS_A_ROW */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gs_csv.h"
#include "gs_fail.h"

int main(int argc, char **argv) {
    uint64_t rows;
    if (argc != 3) return 2;
    const size_t width = strtoul(argv[2], NULL, 10);
    gs_fail_name("probe");
    float *table = gs_csv_read(argv[1], "--data", width, &rows);
    for (uint64_t r = 0; r < rows; r++) {
        for (size_t k = 0; k < width; k++) printf("%a ", (double)table[r * width + k]);
        putchar('\n');
    }
    free(table);
    return 0;
}
