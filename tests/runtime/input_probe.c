/* input_probe.c -- reads a data file or table and prints its numbers, a row a line, in %a; for test_csv.py and test_npy.py.
 *
 * usage: input_probe csv|npy|text|table FILE [SIZE ...], the sizes those of a row's axes, or of the table's */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_fail.h"
#include "gs_input.h"

static void print(const float *row, size_t width) {
    for (size_t k = 0; k < width; k++) printf("%a ", (double)row[k]);
    putchar('\n');
}

static void print_rows(const struct gs_data_file *data) {
    struct gs_rows rows = gs_input_rows(data, data->path, "--data");
    float *row = malloc(rows.width * sizeof *row);
    for (uint64_t r = 0; r < rows.rows; r++) {
        gs_rows_read(&rows, r, row);
        print(row, rows.width);
    }
    free(row);
    gs_rows_close(&rows);
}

int main(int argc, char **argv) {
    struct gs_data_file data = {.kind = GS_DATA_CSV, .row_floats = 1};
    struct gs_table_file table = {.floats = 1};
    if (argc < 3 || argc > 3 + GS_MAX_AXES) return 2;
    data.path = table.path = argv[2];
    data.axes = table.axes = (uint32_t)argc - 3;
    for (int a = 3; a < argc; a++) {
        data.shape[a - 3] = table.shape[a - 3] = strtoul(argv[a], NULL, 10);
        data.row_floats *= data.shape[a - 3];
    }
    table.floats = data.row_floats;
    gs_fail_name("probe");
    if (strcmp(argv[1], "npy") == 0) data.kind = GS_DATA_NPY;
    if (strcmp(argv[1], "text") == 0) data.kind = GS_DATA_TEXT;
    if (strcmp(argv[1], "table") != 0) {
        print_rows(&data);
        return 0;
    }
    float *numbers = malloc((size_t)table.floats * sizeof *numbers);
    gs_input_table(&table, table.path, "--table", numbers);
    print(numbers, (size_t)table.floats);
    free(numbers);
    return 0;
}
