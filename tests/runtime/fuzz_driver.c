/* fuzz_driver.c -- reads many broken files in one process; for tests/harness/fuzz.py.
 *
 * usage: fuzz_driver PATH < pack
 * A pack is, file by file, a letter, four bytes of length (little-endian) and the bytes, which are written to PATH and read
 * from there: c a CSV of 3 columns, n an npy file of rows r:2:3, t a table r:2:2, s what --resume-model names. Prints a
 * line a file: "ok CRC" with the CRC-32 of its numbers as float32 (0 for s), or the first line of the refusal. */
#define _GNU_SOURCE /* close_range */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gs_fail.h"
#include "gs_input.h"
#include "gs_state.h"
#include "stages.c"

/* --- gs_fail.c, but for the end of the process */

static jmp_buf refused;
static char message[1 << 16];

void gs_fail_name(const char *name) { (void)name; }

static void keep(const char *format, va_list arguments) {
    vsnprintf(message, sizeof message, format, arguments);
    message[strcspn(message, "\n")] = '\0';
}

void gs_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
}

void gs_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
    longjmp(refused, 1);
}

void gs_fail_status(int status, const char *format, ...) {
    va_list arguments;
    (void)status;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
    longjmp(refused, 1);
}

void gs_fail_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
    longjmp(refused, 1);
}

/* --- reading */

static uint32_t crc_of(const float *row, size_t count, uint32_t crc) {
    for (size_t k = 0; k < count; k++) {
        uint32_t bits;
        memcpy(&bits, &row[k], sizeof bits);
        if (row[k] != row[k]) bits = 0x7fc00000u; /* every NaN is one */
        for (int i = 0; i < 4; i++) {
            crc ^= bits >> 8 * i & 255u;
            for (int b = 0; b < 8; b++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
        }
    }
    return crc;
}

static uint32_t read_rows(enum gs_data_kind kind, const char *path) {
    const struct gs_data_file csv = {.path = path, .kind = GS_DATA_CSV, .axes = 1, .shape = {3}, .row_floats = 3};
    const struct gs_data_file npy = {.path = path, .kind = GS_DATA_NPY, .axes = 2, .shape = {2, 3}, .row_floats = 6};
    struct gs_rows rows = gs_input_rows(kind == GS_DATA_CSV ? &csv : &npy, path, "--data");
    uint32_t crc = ~0u;
    float row[6];
    for (uint64_t r = 0; r < rows.rows; r++) {
        gs_rows_read(&rows, r, row);
        crc = crc_of(row, rows.width, crc);
    }
    gs_rows_close(&rows);
    return ~crc;
}

static uint32_t read_table(const char *path) {
    const struct gs_table_file table = {.path = path, .axes = 2, .shape = {2, 2}, .floats = 4};
    float numbers[4];
    gs_input_table(&table, path, "--table", numbers);
    return ~crc_of(numbers, 4, ~0u);
}

static uint32_t resume(char *path) {
    char *arguments[] = {"fuzz", "--epochs", "2", "--population", "2", "--resume-model", path};
    struct gs_run run = {.program = &gs_program};
    run.options = gs_options_read(&gs_program, 7, arguments);
    run.model = gs_model_make(&run.arena, &gs_program, 3);
    gs_state_prepare(&run);
    gs_state_resume(&run, path);
    gs_arena_free(&run.arena);
    gs_options_free(&run.options);
    return 0;
}

static void read_one(char kind, char *path) {
    if (setjmp(refused) != 0) {
        puts(message);
        close_range(3, ~0u, 0); /* what it had opened */
        return;
    }
    const uint32_t crc = kind == 'c'   ? read_rows(GS_DATA_CSV, path)
                         : kind == 'n' ? read_rows(GS_DATA_NPY, path)
                         : kind == 't' ? read_table(path)
                                       : resume(path);
    printf("ok %08" PRIx32 "\n", crc);
}

int main(int argc, char **argv) {
    unsigned char head[5];
    if (argc != 2) return 2;
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        const size_t size = (size_t)head[1] | (size_t)head[2] << 8 | (size_t)head[3] << 16 | (size_t)head[4] << 24;
        unsigned char *data = malloc(size + 1);
        if (data == NULL || fread(data, 1, size, stdin) != size) return 2;
        FILE *file = fopen(argv[1], "wb");
        if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) return 2;
        free(data);
        read_one((char)head[0], argv[1]);
        fflush(stdout);
    }
    return 0;
}
