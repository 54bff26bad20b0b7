/* gs_file.c -- called once a file, from the main thread, before training. */
#define _POSIX_C_SOURCE 200809L /* fstat, mmap */
#include "gs_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gs_fail.h"

static _Noreturn void fail_missing(const char *path, const char *option, int error) {
    char directory[4096];
    if (getcwd(directory, sizeof directory) == NULL) strcpy(directory, "unknown");
    gs_fail("%s: %s\n  the path is taken from the working directory, %s\n  help: %s FILE names another file", path,
            strerror(error), directory, option);
}

/* An open file; *expected are the bytes that an ordinary file has, 0 where that isn't known. */
static int open_file(const char *path, const char *option, size_t *expected) {
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) fail_missing(path, option, errno);
    if (fstat(file, &status) != 0) gs_fail("%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode)) fail_missing(path, option, EISDIR);
    if (S_ISCHR(status.st_mode) && !isatty(file)) {
        gs_fail("%s: is a device, which may have no end; a file or a pipe was wanted\n  help: %s FILE names another file", path,
                option);
    }
    *expected = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    return file;
}

static struct gs_file read_whole(const char *path, int file, size_t expected) {
    size_t room = expected + 1, used = 0;
    char *bytes = malloc(room + GS_FILE_MARGIN);
    for (;;) {
        if (bytes == NULL) gs_fail("%s: out of memory: %zu bytes", path, room);
        const size_t left = room - used;
        const ssize_t done = read(file, bytes + used, left < 1u << 30 ? left : 1u << 30);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) gs_fail("%s: %s", path, strerror(errno));
        if (done == 0) break;
        used += (size_t)done;
        if (used < room) continue;
        room = room < 1 << 16 ? 1 << 16 : 2 * room;
        char *more = realloc(bytes, room + GS_FILE_MARGIN);
        if (more == NULL) free(bytes);
        bytes = more;
    }
    close(file);
    memset(bytes + used, 0, GS_FILE_MARGIN);
    return (struct gs_file){.path = path, .bytes = (const unsigned char *)bytes, .size = used};
}

struct gs_file gs_file_read(const char *path, const char *option) {
    size_t expected;
    const int file = open_file(path, option, &expected);
    return read_whole(path, file, expected);
}

struct gs_file gs_file_map(const char *path, const char *option) {
    size_t expected;
    const int file = open_file(path, option, &expected);
    void *bytes = expected == 0 ? MAP_FAILED : mmap(NULL, expected, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) return read_whole(path, file, expected);
    close(file);
    return (struct gs_file){.path = path, .bytes = bytes, .size = expected, .mapped = true};
}

void gs_file_close(struct gs_file *file) {
    if (file->mapped) {
        munmap((void *)(size_t)file->bytes, file->size);
    } else {
        free((void *)(size_t)file->bytes);
    }
    *file = (struct gs_file){0};
}
