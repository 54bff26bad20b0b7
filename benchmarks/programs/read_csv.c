/* read_csv.c -- reads a CSV file some times over and prints how long the quickest took.
 *
 * usage: read_csv FILE NUMBERS_A_ROW TIMES; the last line is JSON: seconds of one core, bytes and rows of the file */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gs_csv.h"

static double core_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    double best = 1e9;
    size_t bytes = 0;
    uint64_t rows = 0;
    for (unsigned long i = strtoul(argv[3], NULL, 10); i > 0; i--) {
        const double start = core_seconds();
        const struct gs_file file = gs_file_read(argv[1], "FILE");
        bytes = file.size;
        struct gs_rows table = gs_csv_rows(file, strtoul(argv[2], NULL, 10));
        const double taken = core_seconds() - start;
        rows = table.rows;
        gs_rows_close(&table);
        if (taken < best) best = taken;
    }
    printf("{\"seconds\": %.9g, \"bytes\": %zu, \"rows\": %" PRIu64 "}\n", best, bytes, rows);
    return 0;
}
