/* gs_options.h -- the command line of a compiled program. */
#ifndef GS_OPTIONS_H
#define GS_OPTIONS_H

#include "gs_program.h"

/* What the lanes of a tile are, where a program can have either: rows of one member, or of many. */
enum gs_tiles { GS_TILES_AUTO, GS_TILES_ROWS, GS_TILES_MEMBERS };

struct gs_options {
    struct gs_settings *settings; /* one a stage: compiled-in values, overwritten by options */
    const char **data_paths;      /* one a data file */
    const char **table_paths;     /* one a table */
    uint64_t hoist_limit;         /* bytes */
    enum gs_tiles tiles;
    const char *resume_changed;   /* names of differences that a resumed run may have, with commas; or NULL */
    const char *profile_file;   /* where the run tells where its time goes, or NULL */
    uint64_t stop_at_epoch;       /* end after this many epochs; UINT64_MAX: never */
};

/* Reads the command line. Ends the program with status 2 on anything unknown or out of range, with status 0 after
 * --help and --describe. gs_options_free gives back what the options hold. */
struct gs_options gs_options_read(const struct gs_program *program, int argc, char **argv);

void gs_options_free(struct gs_options *options);

/* The option that names data file `index`: --data where there is one, else --data-1, --data-2, ... */
void gs_options_data_name(const struct gs_program *program, size_t index, char *text, size_t size);

/* The same of table `index`: --table, or --table-1, --table-2, ... */
void gs_options_table_name(const struct gs_program *program, size_t index, char *text, size_t size);

#endif
