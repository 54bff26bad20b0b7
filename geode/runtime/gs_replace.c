/* gs_replace.c -- a file under another name, its lock, its rename; main thread. */
#define _XOPEN_SOURCE 700   /* fdopen, fsync, O_DIRECTORY, O_NOFOLLOW, realpath */
#define _DARWIN_C_SOURCE   /* O_NOFOLLOW on macOS */
#include "gs_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gs_fail.h"

/* It is always the same, so that a process that was killed leaves one at most. */
struct gs_text gs_replace_unfinished(const char *path) {
    struct gs_text name = {0};
    gs_text_add(&name, "%s.unfinished", path);
    return name;
}

/* Opens it empty, for this process alone: waits while another run writes it. The lock goes with the process, however that
 * ends. A file system without locks is taken as it is. */
static int open_unfinished(const char *name) {
    for (;;) {
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        struct stat mine, there;
        const int file = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0) return file;
        while (fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR) continue;
        const bool taken = stat(name, &there) != 0 || fstat(file, &mine) != 0 || mine.st_ino != there.st_ino;
        if (!taken && ftruncate(file, 0) == 0) return file;
        const int error = errno;
        close(file);
        errno = error;
        if (!taken) return -1;
    }
}

/* The file that a path leads to, so that a link is followed and not replaced; the path itself where there is none yet.
 * The caller frees it. */
static char *target_of(const char *path) {
    char *real = realpath(path, NULL);
    if (real == NULL) real = strdup(path);
    if (real == NULL) gs_fail("out of memory: the name %s", path);
    return real;
}

/* Makes the new name of a file in its directory last. */
static void sync_directory(const char *target) {
    const char *slash = strrchr(target, '/');
    struct gs_text folder = {0};
    gs_text_add(&folder, "%.*s", slash == NULL ? 1 : (int)(slash - target) + 1, slash == NULL ? "." : target);
    const int directory = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: a file system that keeps no order of its own. */
    if (directory < 0 || (fsync(directory) != 0 && errno != EINVAL)) {
        gs_fail("%s: can't be synced: %s", folder.data, strerror(errno));
    }
    close(directory);
    gs_text_free(&folder);
}

/* Closes the file, with which its lock ends. */
static void forget(struct gs_replacement *replacement) {
    if (replacement->stream != NULL) fclose(replacement->stream);
    else if (replacement->file >= 0) close(replacement->file);
    gs_text_free(&replacement->unfinished);
    free(replacement->target);
    *replacement = (struct gs_replacement){.path = replacement->path, .file = -1};
}

bool gs_replace_possible(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 ? !S_ISREG(status.st_mode) : lstat(path, &status) == 0) return false;
    char *target = target_of(path);
    char *slash = strrchr(target, '/');
    if (slash != NULL) slash[1] = '\0';
    const bool writable = access(slash == NULL ? "." : target, W_OK | X_OK) == 0;
    free(target);
    return writable;
}

struct gs_replacement gs_replace_begin(const char *path) {
    char *target = target_of(path);
    struct gs_text unfinished = gs_replace_unfinished(target);
    const int file = open_unfinished(unfinished.data);
    return (struct gs_replacement){path, target, unfinished, file, NULL};
}

FILE *gs_replace_stream(struct gs_replacement *replacement) {
    replacement->stream = fdopen(replacement->file, "w");
    return replacement->stream;
}

bool gs_replace_finish(struct gs_replacement *replacement) {
    if (replacement->stream != NULL && fflush(replacement->stream) != 0) return false;
    if (fsync(replacement->file) != 0 || rename(replacement->unfinished.data, replacement->target) != 0) return false;
    sync_directory(replacement->target);
    forget(replacement); /* not before: the lock ends with it */
    return true;
}

void gs_replace_drop(struct gs_replacement *replacement) {
    const int error = errno;
    if (replacement->file >= 0) unlink(replacement->unfinished.data);
    forget(replacement);
    errno = error;
}
