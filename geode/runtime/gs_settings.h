/* gs_settings.h -- the settings of a stage: their records, reading a value from text, printing one, checking all.
 *
 * The struct itself and the records come from geode/settings.py (gs_settings_table.h and .c). Compiled-in values and
 * those given on the command line pass the same checks. */
#ifndef GS_SETTINGS_H
#define GS_SETTINGS_H

#include <stddef.h>

#include "gs_settings_table.h"

enum gs_setting_kind { GS_SETTING_INTEGER, GS_SETTING_REAL, GS_SETTING_FLAG, GS_SETTING_TEXT, GS_SETTING_CHOICE };

/* One field of struct gs_settings. */
struct gs_setting {
    const char *name;   /* MUON-BETA! */
    const char *option; /* muon-beta */
    enum gs_setting_kind kind;
    size_t offset;             /* of the field in struct gs_settings, in bytes */
    uint64_t least, most;      /* range of an integer */
    double minimum, maximum;   /* range of a real */
    bool above, below;         /* the minimum, the maximum is not itself allowed */
    bool fingerprint;          /* a resumed run must have the same */
    bool has_off;              /* there is a value `off` that means "not in use" */
    double off;
    const char *const *values; /* names of a choice's values, NULL at the end */
    const char *range;         /* the allowed values in words */
    const char *unit, *group, *help;
};

/* A word of the language that is also an option: --muon-updates, --alpha-decay 0.99, --epochs 3. */
struct gs_setting_word {
    const char *word;
    const char *option;
    int takes;      /* index of the setting that gets the option's value, or -1 */
    int fixes;      /* index of the setting that gets `value`, or -1 */
    unsigned value;
    const char *help;
};

extern const struct gs_setting gs_setting_table[];
extern const size_t gs_setting_count;
extern const struct gs_setting_word gs_setting_words[];
extern const size_t gs_setting_word_count;

/* The setting that is the field at `offset` of struct gs_settings. */
const struct gs_setting *gs_setting_at(size_t offset);

/* Gives the setting the value written in `text`. False, with the settings untouched, if the text is no such value or
 * out of range. A text is kept by pointer. */
bool gs_setting_read(const struct gs_setting *setting, const char *text, struct gs_settings *settings);

/* " and at most N" if `value` is a number above a limit that the range's text leaves out, else "". */
void gs_setting_limit(const struct gs_setting *setting, const char *value, char *text, size_t size);

/* Gives a choice or a flag the value number `value`. */
void gs_setting_fix(const struct gs_setting *setting, unsigned value, struct gs_settings *settings);

/* The value as text, the way it is read, in `text`, which holds `size` bytes; longer texts are cut. */
void gs_setting_print(const struct gs_setting *setting, const struct gs_settings *settings, char *text, size_t size);

/* NULL, or what is wrong with the values taken together or with one of them; the message is in `text`. */
const char *gs_settings_check(const struct gs_settings *settings, char *text, size_t size);

/* A real number in decimal, all of `text`; false if there is anything else. Correctly rounded, whatever the locale. */
bool gs_read_real(const char *text, double *value);

/* An unsigned integer in decimal, all of `text`; false if there is anything else or it passes 2^64 - 1. */
bool gs_read_integer(const char *text, uint64_t *value);

#endif
