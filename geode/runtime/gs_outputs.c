/* gs_outputs.c -- which files a run writes and reads, by where their names lead; main thread, at the start. */
#define _XOPEN_SOURCE 700 /* realpath, access */
#include "gs_outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gs_fail.h"
#include "gs_replace.h"
#include "gs_state.h"
#include "gs_text.h"

enum writer { SAVE_MODEL, SAVE_MODEL_ALL, METRICS_FILE, PREDICT, PROFILE_FILE };
static const char *const writer_names[] = {"SAVE-MODEL", "SAVE-MODEL-ALL", "METRICS-FILE", "PREDICT", "--profile-file"};

/* A name and what it leads to. */
struct file {
    char *name, *place;
    bool exists, regular;
    dev_t device;
    ino_t inode;
};

struct output {
    enum writer writer;
    size_t stage;
    struct file file;
};

struct outputs {
    struct output *all;
    size_t count;
};

static char *copy(const char *text) {
    char *made = strdup(text);
    if (made == NULL) gs_fail("out of memory: the name %s", text);
    return made;
}

/* The folder that holds `path`, with its last slash, or `./`; the caller frees it. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = copy(slash == NULL ? "./" : path);
    if (slash != NULL) folder[slash - path + 1] = '\0';
    return folder;
}

/* The one name of the file that `path` leads to, also where there is none yet. */
static char *place_of(const char *path) {
    char *real = realpath(path, NULL);
    if (real != NULL) return real;
    char *folder = folder_of(path);
    char *real_folder = realpath(folder, NULL);
    free(folder);
    if (real_folder == NULL) return copy(path);
    const char *slash = strrchr(path, '/');
    struct gs_text text = {0};
    gs_text_add(&text, "%s/%s", real_folder, slash == NULL ? path : slash + 1);
    free(real_folder);
    return text.data;
}

static struct file look_at(const char *path) {
    struct stat status;
    struct file file = {.name = copy(path), .place = place_of(path), .exists = stat(path, &status) == 0};
    if (!file.exists) return file;
    file.regular = S_ISREG(status.st_mode);
    file.device = status.st_dev;
    file.inode = status.st_ino;
    return file;
}

static void forget(struct file *file) {
    free(file->name);
    free(file->place);
}

/* True if both are one file. What is written to a terminal or a pipe overwrites nothing. */
static bool same(const struct file *a, const struct file *b) {
    if ((a->exists && !a->regular) || (b->exists && !b->regular)) return false;
    if (a->exists && b->exists && a->device == b->device && a->inode == b->inode) return true;
    return strcmp(a->place, b->place) == 0;
}

static void add(struct outputs *outputs, enum writer writer, size_t stage, const char *path) {
    if (path == NULL) return;
    for (size_t i = 0; i < outputs->count; i++) {
        const struct output *earlier = &outputs->all[i];
        if (earlier->writer == writer && strcmp(earlier->file.name, path) == 0) return;
    }
    const size_t count = outputs->count + 1;
    struct output *all = realloc(outputs->all, count * sizeof *all);
    if (all == NULL) gs_fail("out of memory: the names of %zu files", count);
    all[count - 1] = (struct output){writer, stage, look_at(path)};
    *outputs = (struct outputs){all, count};
}

/* A file with the name under which it is written. */
static void add_whole(struct outputs *outputs, enum writer writer, size_t stage, const char *path) {
    if (path == NULL) return;
    struct gs_text unfinished = gs_replace_unfinished(path);
    add(outputs, writer, stage, path);
    add(outputs, writer, stage, unfinished.data);
    gs_text_free(&unfinished);
}

static void add_model(struct outputs *outputs, size_t stage, const char *path) {
    static const char *const kinds[] = {"weights", "member"};
    add_whole(outputs, SAVE_MODEL, stage, path);
    for (size_t i = 0; path != NULL && i < 2; i++) {
        struct gs_text best = gs_state_path_of_best(path, kinds[i]);
        add_whole(outputs, SAVE_MODEL, stage, best.data);
        gs_text_free(&best);
    }
}

static struct outputs outputs_of(const struct gs_program *program, const struct gs_options *options) {
    struct outputs outputs = {0};
    for (size_t s = 0; s < program->stage_count; s++) {
        const struct gs_settings *settings = &options->settings[s];
        const char *predicted = program->stages[s].kind == GS_STAGE_PREDICT ? program->stages[s].predict_path : NULL;
        (predicted != NULL && gs_replace_possible(predicted) ? add_whole : add)(&outputs, PREDICT, s, predicted);
        if (program->stages[s].kind != GS_STAGE_TRAIN) continue;
        add_model(&outputs, s, settings->save_model);
        add_whole(&outputs, SAVE_MODEL_ALL, s, settings->save_model_all);
        add(&outputs, METRICS_FILE, s, settings->metrics_file);
    }
    add(&outputs, PROFILE_FILE, 0, options->profile_file);
    return outputs;
}

static void check_apart(const struct outputs *outputs) {
    for (size_t i = 0; i < outputs->count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct output *a = &outputs->all[k], *b = &outputs->all[i];
            if (a->writer == b->writer || !same(&a->file, &b->file)) continue;
            gs_fail_usage("%s and %s would both write %s", writer_names[a->writer], writer_names[b->writer], b->file.name);
        }
    }
}

/* True if a file that the run reads is lost to it or to the next run when `output` is written. */
static bool overwrites(const struct gs_program *program, const struct output *output, size_t data) {
    if (output->writer != PREDICT) return true;
    for (size_t s = 0; s <= output->stage; s++) {
        if (program->stages[s].data == (int32_t)data) return true;
    }
    return false;
}

static void check_input(const struct outputs *outputs, const struct gs_program *program, const char *path, size_t data) {
    if (path == NULL) return;
    struct file input = look_at(path);
    for (size_t i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->all[i];
        if (!same(&input, &output->file) || (data != SIZE_MAX && !overwrites(program, output, data))) continue;
        gs_fail_usage("%s is a data file of this run: %s would overwrite it", output->file.name,
                      writer_names[output->writer]);
    }
    forget(&input);
}

/* A checkpoint may take the place of the one that the run goes on from; nothing else may. */
static void check_resumed(const struct outputs *outputs, const char *path) {
    if (path == NULL) return;
    struct file input = look_at(path);
    for (size_t i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->all[i];
        if (output->writer == SAVE_MODEL || output->writer == SAVE_MODEL_ALL || !same(&input, &output->file)) continue;
        gs_fail_usage("%s is what RESUME-MODEL names: %s would overwrite it", output->file.name,
                      writer_names[output->writer]);
    }
    forget(&input);
}

/* Why the file can't be written, as an errno; 0 if it can. */
static int obstacle(const struct file *file) {
    struct stat status;
    if (file->exists) {
        if (stat(file->name, &status) == 0 && S_ISDIR(status.st_mode)) return EISDIR;
        return access(file->name, W_OK) == 0 ? 0 : errno;
    }
    char *folder = folder_of(file->name);
    const int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return error;
}

/* Ends the program if another run holds the lock of a METRICS-FILE: later, where this one opens it, it may have trained for
 * hours. */
static void check_free(const struct file *file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int opened = file->exists && file->regular ? open(file->name, O_WRONLY | O_CLOEXEC) : -1;
    if (opened < 0) return;
    if (fcntl(opened, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK) {
        gs_fail("%s: another run writes it\n  help: --metrics-file FILE names another file", file->name);
    }
    close(opened);
}

static void check_writable(const struct output *output) {
    const int error = obstacle(&output->file);
    if (error == 0) return;
    gs_fail("%s: can't be written: %s%s", output->file.name, strerror(error),
            output->writer == METRICS_FILE ? "\n  help: --metrics-file FILE names another file" : "");
}

void gs_outputs_check(const struct gs_program *program, const struct gs_options *options) {
    struct outputs outputs = outputs_of(program, options);
    check_apart(&outputs);
    for (size_t d = 0; d < program->data_file_count; d++) check_input(&outputs, program, options->data_paths[d], d);
    for (size_t t = 0; t < program->table_count; t++) {
        check_input(&outputs, program, options->table_paths[t], SIZE_MAX);
    }
    for (size_t s = 0; s < program->stage_count; s++) check_resumed(&outputs, options->settings[s].resume_model);
    for (size_t i = 0; i < outputs.count; i++) {
        struct output *output = &outputs.all[i];
        if (output->writer == METRICS_FILE || output->writer == PREDICT) check_writable(output);
        if (output->writer == METRICS_FILE) check_free(&output->file);
        forget(&output->file);
    }
    free(outputs.all);
}
