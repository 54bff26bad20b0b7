/* gs_metrics_file.c -- opening METRICS-FILE: anew, at its end, or cut back to where a resumed run goes on; main thread. */
#define _POSIX_C_SOURCE 200809L /* getline, ftruncate, fdopen */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "gs_fail.h"
#include "gs_fingerprint.h"
#include "gs_metrics.h"
#include "gs_text.h"

void gs_metrics_begin(FILE *file, const struct gs_run *run, size_t stage) {
    const struct gs_program *program = run->program;
    struct gs_text text = {0};
    char model[GS_SHA256_HEX], whole[GS_SHA256_HEX];
    gs_fingerprint_model(program, model);
    gs_fingerprint_run(run, whole);
    gs_text_add(&text, "{\"program\":");
    gs_text_add_json(&text, program->name);
    gs_text_add(&text, ",\"stage\":%zu,\"word\":", stage + 1);
    gs_text_add_json(&text, program->stages[stage].entry->word);
    gs_text_add(&text, ",\"model\":\"%s\",\"run\":\"%s\",\"settings\":{", model, whole);
    for (size_t i = 0; i < gs_setting_count; i++) {
        char value[1024];
        gs_setting_print(&gs_setting_table[i], &run->options.settings[stage], value, sizeof value);
        gs_text_add(&text, "%s\"%s\":", i == 0 ? "" : ",", gs_setting_table[i].option);
        gs_text_add_json(&text, value);
    }
    fprintf(file, "%s}}\n", text.data);
    gs_text_free(&text);
    const char *path = run->options.settings[stage].metrics_file;
    if (fflush(file) != 0 || ferror(file)) gs_fail("%s: %s", path, strerror(errno));
}

/* The integer behind `key` in a line; false if it is not there. */
static bool find_integer(const char *line, const char *key, uint64_t *value) {
    const char *place = strstr(line, key);
    if (place == NULL) return false;
    *value = strtoull(place + strlen(key), NULL, 10);
    return true;
}

/* True for a line that the resumed run has not come to: it stands in stage number `stage`, after `epochs` epochs. */
static bool is_later(const char *line, size_t stage, uint64_t epochs) {
    uint64_t value;
    if (strncmp(line, "{\"program\":", 11) == 0) return !find_integer(line, ",\"stage\":", &value) || value > stage + 1;
    if (strncmp(line, "{\"epoch\":", 9) == 0) return !find_integer(line, "{\"epoch\":", &value) || value >= epochs;
    return !find_integer(line, "\"at\":", &value) || value >= epochs;
}

/* Leaves the lines up to where the run goes on; true if the header of its stage is among them. */
static bool cut(FILE *file, const char *path, size_t stage, uint64_t epochs) {
    char *line = NULL;
    size_t room = 0;
    off_t kept = 0;
    bool header = false;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0; kept += length) {
        uint64_t value;
        if (kept == 0 && strncmp(line, "{\"program\":", 11) != 0) gs_fail("%s: is no file of metrics", path);
        if (line[length - 1] != '\n' || is_later(line, stage, epochs)) break;
        header = header || (find_integer(line, ",\"stage\":", &value) && value == stage + 1);
    }
    free(line);
    if (fflush(file) != 0 || ftruncate(fileno(file), kept) != 0 || fseeko(file, 0, SEEK_END) != 0) {
        gs_fail("%s: can't be cut where the run goes on: %s", path, strerror(errno));
    }
    return header;
}

/* Opens an ordinary file for this process alone, and empties it unless it is to go on. The lock goes with the process, however
 * that ends. A file system without locks is taken as it is. */
static FILE *open_locked(const char *path, bool reads, bool emptied) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(path, (reads ? O_RDWR : O_WRONLY) | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return NULL;
    if (fcntl(file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        gs_fail("%s: another run writes it\n  help: --metrics-file FILE names another file", path);
    }
    if ((emptied && ftruncate(file, 0) != 0) || lseek(file, 0, reads ? SEEK_SET : SEEK_END) < 0) return NULL;
    return fdopen(file, reads ? "r+" : "w");
}

FILE *gs_metrics_open(const struct gs_run *run, size_t stage, bool begun) {
    const char *path = run->options.settings[stage].metrics_file;
    struct stat status; /* what is no ordinary file, or not there yet, has no lines to go on from */
    const bool exists = stat(path, &status) == 0, ordinary = exists && S_ISREG(status.st_mode);
    const bool goes_on = run->resumed && run->progress.stage == stage && ordinary;
    FILE *file = ordinary || !exists ? open_locked(path, goes_on, !goes_on && !begun) : fopen(path, begun ? "a" : "w");
    if (file == NULL) gs_fail("%s: %s\n  help: --metrics-file FILE names another file", path, strerror(errno));
    const bool has_header = goes_on && cut(file, path, stage, run->epoch);
    if (!has_header) gs_metrics_begin(file, run, stage);
    return file;
}
