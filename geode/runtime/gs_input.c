/* gs_input.c -- which reader a file wants, and whether it holds what the program says; main thread, before training. */
#include "gs_input.h"

#include <inttypes.h>

#include "gs_csv.h"
#include "gs_fail.h"
#include "gs_npy.h"
#include "gs_text.h"
#include "gs_text_input.h"

/* A shape as the program writes it: r:28:28. */
static void add_shape(struct gs_text *text, uint32_t axes, const uint64_t *shape) {
    gs_text_add(text, "r");
    for (uint32_t a = 0; a < axes; a++) gs_text_add(text, ":%" PRIu64, shape[a]);
}

static struct gs_rows npy_rows(const struct gs_data_file *data, const char *path, const char *option) {
    struct gs_text wanted = {0};
    uint64_t shape[GS_MAX_AXES + 1] = {0};
    for (uint32_t a = 0; a < data->axes; a++) shape[a + 1] = data->shape[a];
    gs_text_add(&wanted, "rows of ");
    add_shape(&wanted, data->axes, data->shape);
    gs_text_add(&wanted, " along the first axis");
    const struct gs_rows rows = gs_npy_rows(gs_file_map(path, option), data->axes + 1, shape, wanted.data);
    gs_text_free(&wanted);
    return rows;
}

struct gs_rows gs_input_rows(const struct gs_data_file *data, const char *path, const char *option) {
    switch (data->kind) {
    case GS_DATA_NPY: return npy_rows(data, path, option);
    case GS_DATA_TEXT: return gs_text_rows(gs_file_map(path, option), (size_t)data->row_floats);
    case GS_DATA_CSV: break;
    }
    return gs_csv_rows(gs_file_read(path, option), (size_t)data->row_floats);
}

/* Ends the program unless a CSV has the table's count of numbers, in lines that hold whole last axes of it. */
static void check_lines(const struct gs_table_file *table, const struct gs_rows *rows, const char *shape) {
    const char *path = rows->file.path;
    if (rows->rows * rows->width != table->floats) {
        gs_fail("%s: holds %" PRIu64 " numbers in %" PRIu64 " rows of %zu, the table %s has %" PRIu64, path,
                rows->rows * rows->width, rows->rows, rows->width, shape, table->floats);
    }
    uint64_t axes = 1;
    for (uint32_t a = table->axes; a > 0 && axes != rows->width; a--) axes *= table->shape[a - 1];
    if (axes != rows->width) {
        gs_fail("%s: has rows of %zu numbers; those of the table %s have as many as its last axis", path, rows->width,
                shape);
    }
}

static struct gs_rows table_rows(const struct gs_table_file *table, const char *path, const char *option) {
    struct gs_text wanted = {0};
    struct gs_file file = gs_file_read(path, option);
    struct gs_rows rows;
    gs_text_add(&wanted, "the table ");
    add_shape(&wanted, table->axes, table->shape);
    if (gs_npy_begins(&file)) {
        rows = gs_npy_rows(file, table->axes, table->shape, wanted.data);
    } else {
        rows = gs_csv_rows(file, 0);
        check_lines(table, &rows, wanted.data + sizeof "the table " - 1);
    }
    gs_text_free(&wanted);
    return rows;
}

void gs_input_table(const struct gs_table_file *table, const char *path, const char *option, float *out) {
    struct gs_rows rows = table_rows(table, path, option);
    for (uint64_t row = 0; row < rows.rows; row++) gs_rows_read(&rows, row, out + (size_t)row * rows.width);
    gs_rows_close(&rows);
}
