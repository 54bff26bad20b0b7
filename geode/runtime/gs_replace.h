/* gs_replace.h -- a file that takes the place of an earlier one when it is whole, and not before.
 *
 * It is written as `PATH.unfinished` beside the file that `path` leads to, and renamed when it is on the disk. Of runs that
 * write to one path each waits until the other's file is whole. */
#ifndef GS_REPLACE_H
#define GS_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

#include "gs_text.h"

struct gs_replacement {
    const char *path;          /* as it was named; kept by pointer */
    char *target;              /* where that leads */
    struct gs_text unfinished; /* what is written until it is whole */
    int file;                  /* below 0: can't be opened, errno says why */
    FILE *stream;              /* the same file, once it was asked for */
};

/* The name under which the file is written until it is whole. */
struct gs_text gs_replace_unfinished(const char *path);

/* True if a file at `path` can be replaced: it leads to an ordinary file or to none, in a folder that can be written to. A
 * pipe, a terminal, a file in a folder of somebody else's is written as it is. */
bool gs_replace_possible(const char *path);

/* Opens the unfinished file, empty, for this process alone. */
struct gs_replacement gs_replace_begin(const char *path);

/* The file as a stream; NULL, with errno, if there is no memory. */
FILE *gs_replace_stream(struct gs_replacement *replacement);

/* Puts the file on the disk and in its place, and closes it. False, with errno, if that fails. */
bool gs_replace_finish(struct gs_replacement *replacement);

/* Removes the unfinished file, if it was opened, and forgets it: after a failure, whose errno stays, or a trial. */
void gs_replace_drop(struct gs_replacement *replacement);

#endif
