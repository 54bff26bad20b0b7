/* gs_file.h -- a data file's bytes, mapped or read whole. */
#ifndef GS_FILE_H
#define GS_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct gs_file {
    const char *path;
    const unsigned char *bytes; /* not NULL */
    size_t size;
    bool mapped;
};

/* The bytes of the file at `path`, mapped where that can be done. Ends the program with a message if the file can't be
 * read; `option` is the option that names another file. */
struct gs_file gs_file_map(const char *path, const char *option);

#define GS_FILE_MARGIN 16

/* The same, read into memory, with GS_FILE_MARGIN bytes '\0' behind the last one. */
struct gs_file gs_file_read(const char *path, const char *option);

void gs_file_close(struct gs_file *file);

#endif
