/* gs_options.c -- argv to settings; main thread, at the start. */
#include "gs_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_fail.h"
#include "gs_help.h"

#define GS_HOIST_LIMIT (256u << 20)

/* What is being read: one option and its value, which may be the next argument. */
struct cursor {
    const struct gs_program *program;
    struct gs_options *options;
    char **next, **end;
    char name[128];    /* without the dashes */
    const char *value; /* NULL if none was given with `=` */
};

/* --what where there is one, else --what-1, --what-2, ... */
static void name_option(const char *what, size_t count, size_t index, char *text, size_t size) {
    if (count == 1) {
        snprintf(text, size, "--%s", what);
    } else {
        snprintf(text, size, "--%s-%zu", what, index + 1);
    }
}

void gs_options_data_name(const struct gs_program *program, size_t index, char *text, size_t size) {
    name_option("data", program->data_file_count, index, text, size);
}

void gs_options_table_name(const struct gs_program *program, size_t index, char *text, size_t size) {
    name_option("table", program->table_count, index, text, size);
}

/* The letters of a settings word as an option has them: lower case, without `!` and a leading point. */
static void normalise(const char *word, char *text, size_t size) {
    size_t n = 0;
    for (const char *p = word[0] == '.' ? word + 1 : word; *p != '\0' && n + 1 < size; p++) {
        if (*p != '!') text[n++] = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    }
    text[n] = '\0';
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein distance; texts are cut at 63 letters. */
static size_t distance(const char *a, const char *b) {
    size_t row[64], n = least(strlen(a), 63), m = least(strlen(b), 63);
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t above = row[j];
            row[j] = least(least(above, row[j - 1]) + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[m];
}

static void consider(const char *name, const char *candidate, const char **best, size_t *nearest) {
    const size_t d = distance(name, candidate);
    if (d < *nearest) {
        *nearest = d;
        *best = candidate;
    }
}

static const char *const other_options[] = {"set", "hoist-limit", "tiles", "stop-at-epoch", "resume-changed", "profile-file", "help", "describe"};

/* What other programs call an option, and what it is here. */
static const char *const other_names[][2] = {
    {"optimizer", "--sgd-updates, --sgdm-updates, --rmsprop-updates, --adam-updates or --muon-updates choose it"},
    {"lr", "the step size is --alpha"},
    {"learning-rate", "the step size is --alpha"},
    {"threads", "threads are counted by --workers"},
    {"output", "weights are written by --save-model"},
    {"checkpoint", "a run is saved by --save-model-all and continued by --resume-model"},
    {"resume", "a run is continued by --resume-model"},
};

static _Noreturn void fail_unknown_option(const char *name) {
    char letters[128];
    const char *best = "data";
    normalise(name, letters, sizeof letters);
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
        if (strcmp(letters, other_names[i][0]) == 0) gs_fail_usage("unknown option --%s: %s", name, other_names[i][1]);
    }
    size_t nearest = distance(letters, best);
    for (size_t i = 0; i < gs_setting_word_count; i++) consider(letters, gs_setting_words[i].option, &best, &nearest);
    for (size_t i = 0; i < sizeof other_options / sizeof *other_options; i++) {
        consider(letters, other_options[i], &best, &nearest);
    }
    gs_fail_usage("unknown option --%s: did you mean --%s?", name, best);
}

static _Noreturn void fail_unknown_setting(const char *name) {
    char letters[128];
    const char *best = "";
    size_t nearest = SIZE_MAX;
    normalise(name, letters, sizeof letters);
    for (size_t i = 0; i < gs_setting_word_count; i++) {
        const size_t d = distance(letters, gs_setting_words[i].option);
        if (d < nearest) best = gs_setting_words[i].word;
        if (d < nearest) nearest = d;
    }
    gs_fail_usage("unknown setting %s: did you mean %s?", name, best);
}

static const struct gs_setting_word *find_word(const char *name) {
    char letters[128];
    normalise(name, letters, sizeof letters);
    for (size_t i = 0; i < gs_setting_word_count; i++) {
        if (strcmp(letters, gs_setting_words[i].option) == 0) return &gs_setting_words[i];
    }
    return NULL;
}

static const char *take_value(struct cursor *cursor, const char *range) {
    if (cursor->value != NULL) return cursor->value;
    if (cursor->next == cursor->end) gs_fail_usage("option --%s wants a value: %s", cursor->name, range);
    return *cursor->next++;
}

/* Applies a word with its value (NULL: none given) to the stages first ... end - 1. */
static void apply_word(const struct cursor *cursor, const struct gs_setting_word *word, const char *value,
                       const char *shown, size_t first, size_t end) {
    for (size_t s = first; s < end; s++) {
        struct gs_settings *settings = &cursor->options->settings[s];
        const struct gs_setting *fixed = word->fixes < 0 ? NULL : &gs_setting_table[word->fixes];
        if (fixed != NULL) gs_setting_fix(fixed, word->value, settings);
        const struct gs_setting *taken = word->takes < 0 ? NULL : &gs_setting_table[word->takes];
        if (taken == NULL && fixed != NULL && fixed->kind == GS_SETTING_FLAG && value != NULL) taken = fixed;
        if (taken == NULL && value != NULL) gs_fail_usage("%s takes no value, but %s was given", shown, value);
        if (taken == NULL) continue;
        if (!gs_setting_read(taken, value, settings)) {
            char limit[64];
            gs_setting_limit(taken, value, limit, sizeof limit);
            gs_fail_usage("%s: `%s` is not allowed, wanted %s%s%s", shown, value, taken->range, limit,
                          taken->has_off ? ", or off" : "");
        }
    }
}

/* --set NAME=V, --set K:NAME=V, --set NAME */
static void apply_set(const struct cursor *cursor, const char *text) {
    const size_t stages = cursor->program->stage_count;
    size_t first = 0, end = stages;
    const char *name = text;
    const char *colon = strchr(text, ':'), *equals = strchr(text, '=');
    if (colon != NULL && (equals == NULL || colon < equals)) {
        char number[32];
        uint64_t stage;
        snprintf(number, sizeof number, "%.*s", (int)(colon - text), text);
        if (!gs_read_integer(number, &stage) || stage < 1 || stage > stages) {
            gs_fail_usage("--set %s: there is no stage %s, stages are 1 to %zu", text, number, stages);
        }
        first = (size_t)stage - 1;
        end = first + 1;
        name = colon + 1;
    }
    char word_name[128];
    const size_t length = equals == NULL ? strlen(name) : (size_t)(equals - name);
    snprintf(word_name, sizeof word_name, "%.*s", (int)least(length, sizeof word_name - 1), name);
    if (length == 0) gs_fail_usage("--set %s names no setting, wanted NAME=V or STAGE:NAME=V", text);
    const struct gs_setting_word *word = find_word(word_name);
    if (word == NULL) fail_unknown_setting(word_name);
    if (word->takes >= 0 && equals == NULL) {
        gs_fail_usage("--set %s wants a value: %s=V, %s", text, word->word, gs_setting_table[word->takes].range);
    }
    char shown[160];
    snprintf(shown, sizeof shown, "--set %s", word->word);
    apply_word(cursor, word, equals == NULL ? NULL : equals + 1, shown, first, end);
}

/* True if the option names one of the `count` files of a kind, `what` in options and `noun` in messages. */
static bool apply_file(struct cursor *cursor, const char *what, const char *noun, size_t count, const char **paths) {
    const size_t length = strlen(what);
    const char *number = cursor->name + length;
    if (strncmp(cursor->name, what, length) != 0 || (*number != '\0' && *number != '-')) return false;
    for (size_t k = 0; k < count; k++) {
        char name[32];
        name_option(what, count, k, name, sizeof name);
        const bool only = count == 1 && strcmp(number, "-1") == 0;
        if (strcmp(name + 2, cursor->name) != 0 && !only) continue;
        paths[k] = take_value(cursor, "a file");
        return true;
    }
    /* Stages that all read one file read another one together. */
    bool one = *number == '\0' && count > 1;
    for (size_t k = 1; k < count && one; k++) one = strcmp(paths[0], paths[k]) == 0;
    if (one) {
        const char *path = take_value(cursor, "a file");
        for (size_t k = 0; k < count; k++) paths[k] = path;
        return true;
    }
    if (count == 0) gs_fail_usage("option --%s: the program reads no %s", cursor->name, noun);
    if (count == 1) gs_fail_usage("option --%s: the program reads 1 %s, named by --%s", cursor->name, noun, what);
    gs_fail_usage("option --%s: the program reads %zu %ss, named by --%s-1, --%s-2, ...", cursor->name, count, noun,
                  what, what);
}

static uint64_t take_integer(struct cursor *cursor, const char *range) {
    uint64_t x;
    const char *text = take_value(cursor, range);
    if (!gs_read_integer(text, &x)) gs_fail_usage("--%s: `%s` is not allowed, wanted %s", cursor->name, text, range);
    return x;
}

static enum gs_tiles take_tiles(struct cursor *cursor) {
    static const char *const names[] = {"auto", "rows", "members"}; /* as enum gs_tiles has them */
    const char *text = take_value(cursor, "auto, rows or members");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) return (enum gs_tiles)i;
    }
    gs_fail_usage("--%s: `%s` is not allowed, wanted auto, rows or members", cursor->name, text);
}

static void apply_option(struct cursor *cursor) {
    const struct gs_setting_word *word = find_word(cursor->name);
    if (word != NULL && strcmp(word->option, cursor->name) == 0) {
        char shown[160];
        const char *value = cursor->value;
        const bool flag = word->fixes >= 0 && gs_setting_table[word->fixes].kind == GS_SETTING_FLAG;
        const bool given = cursor->next < cursor->end && strncmp(*cursor->next, "--", 2) != 0;
        if (word->takes >= 0 || (flag && given)) {
            value = take_value(cursor, gs_setting_table[flag ? word->fixes : word->takes].range);
        }
        snprintf(shown, sizeof shown, "--%s", cursor->name);
        apply_word(cursor, word, value, shown, 0, cursor->program->stage_count);
    } else if (strcmp(cursor->name, "set") == 0) {
        apply_set(cursor, take_value(cursor, "NAME=V"));
    } else if (strcmp(cursor->name, "hoist-limit") == 0) {
        cursor->options->hoist_limit = take_integer(cursor, "a number of bytes");
    } else if (strcmp(cursor->name, "tiles") == 0) {
        cursor->options->tiles = take_tiles(cursor);
    } else if (strcmp(cursor->name, "stop-at-epoch") == 0) {
        cursor->options->stop_at_epoch = take_integer(cursor, "a number of epochs");
    } else if (strcmp(cursor->name, "resume-changed") == 0) {
        cursor->options->resume_changed = take_value(cursor, "names with commas between");
    } else if (strcmp(cursor->name, "profile-file") == 0) {
        cursor->options->profile_file = take_value(cursor, "a file to write");
    } else if (strcmp(cursor->name, "help") == 0) {
        gs_help_print(cursor->program);
        exit(0);
    } else if (strcmp(cursor->name, "describe") == 0) {
        gs_describe_print(cursor->program);
        exit(0);
    } else if (!apply_file(cursor, "data", "data file", cursor->program->data_file_count, cursor->options->data_paths) &&
               !apply_file(cursor, "table", "table", cursor->program->table_count, cursor->options->table_paths)) {
        fail_unknown_option(cursor->name);
    }
}

struct gs_options gs_options_read(const struct gs_program *program, int argc, char **argv) {
    struct gs_options options = {.hoist_limit = GS_HOIST_LIMIT, .stop_at_epoch = UINT64_MAX};
    options.settings = calloc(program->stage_count + 1, sizeof *options.settings);
    options.data_paths = calloc(program->data_file_count + 1, sizeof *options.data_paths);
    options.table_paths = calloc(program->table_count + 1, sizeof *options.table_paths);
    if (options.settings == NULL || options.data_paths == NULL || options.table_paths == NULL) gs_fail("out of memory: the settings");
    if (program->stage_count > 0) {
        memcpy(options.settings, program->settings, program->stage_count * sizeof *options.settings);
    }
    for (size_t k = 0; k < program->data_file_count; k++) options.data_paths[k] = program->data_files[k].path;
    for (size_t k = 0; k < program->table_count; k++) options.table_paths[k] = program->tables[k].path;
    struct cursor cursor = {.program = program, .options = &options, .next = argv + 1, .end = argv + argc};
    while (cursor.next < cursor.end) {
        const char *argument = *cursor.next++;
        if (strncmp(argument, "--", 2) != 0 || argument[2] == '\0') {
            gs_fail_usage("`%s` is no option: options begin with --", argument);
        }
        const char *equals = strchr(argument, '=');
        const size_t length = equals == NULL ? strlen(argument + 2) : (size_t)(equals - argument) - 2;
        snprintf(cursor.name, sizeof cursor.name, "%.*s", (int)least(length, sizeof cursor.name - 1), argument + 2);
        cursor.value = equals == NULL ? NULL : equals + 1;
        apply_option(&cursor);
    }
    for (size_t s = 0; s < program->stage_count; s++) {
        char message[256];
        if (gs_settings_check(&options.settings[s], message, sizeof message) == NULL) continue;
        if (program->stage_count == 1) gs_fail_usage("%s", message);
        gs_fail_usage("stage %zu: %s", s + 1, message);
    }
    return options;
}

void gs_options_free(struct gs_options *options) {
    free(options->settings);
    free(options->data_paths);
    free(options->table_paths);
    *options = (struct gs_options){0};
}
