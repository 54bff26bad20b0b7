/* gs_settings.c -- values of settings from text and to text, and the checks of all of them together.
 *
 * Numbers are read by the C library's strtod, which rounds correctly; the program never calls setlocale, so the decimal
 * point is a point. */
#include "gs_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gs_read_real(const char *text, double *value) {
    const char first = text[text[0] == '-' || text[0] == '+'];
    if (!((first >= '0' && first <= '9') || first == '.') || strpbrk(text, "xX") != NULL) return false;
    char *end;
    const double x = strtod(text, &end);
    if (end == text || *end != '\0') return false;
    *value = x;
    return true;
}

bool gs_read_integer(const char *text, uint64_t *value) {
    if (text[0] < '0' || text[0] > '9') return false;
    char *end;
    errno = 0;
    const unsigned long long x = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0) return false;
    *value = x;
    return true;
}

const struct gs_setting *gs_setting_at(size_t offset) {
    size_t i = 0;
    while (gs_setting_table[i].offset != offset) i++;
    return &gs_setting_table[i];
}

static void *field_of(const struct gs_setting *setting, struct gs_settings *settings) {
    return (char *)settings + setting->offset;
}

static const void *value_of(const struct gs_setting *setting, const struct gs_settings *settings) {
    return (const char *)settings + setting->offset;
}

static bool integer_fits(const struct gs_setting *setting, uint64_t x) {
    return (x >= setting->least && x <= setting->most) || (setting->has_off && (double)x == setting->off);
}

static bool real_fits(const struct gs_setting *setting, double x) {
    if (setting->has_off && x == setting->off) return true;
    const bool low = setting->above ? x > setting->minimum : x >= setting->minimum;
    const bool high = setting->below ? x < setting->maximum : x <= setting->maximum;
    return low && high;
}

static bool read_integer(const struct gs_setting *setting, const char *text, struct gs_settings *settings) {
    uint64_t x;
    if (setting->has_off && strcmp(text, "off") == 0) {
        x = (uint64_t)setting->off;
    } else if (!gs_read_integer(text, &x) || x < setting->least || x > setting->most) {
        return false;
    }
    memcpy(field_of(setting, settings), &x, sizeof x);
    return true;
}

static bool read_real(const struct gs_setting *setting, const char *text, struct gs_settings *settings) {
    double x;
    if (setting->has_off && strcmp(text, "off") == 0) {
        x = setting->off;
    } else if (!gs_read_real(text, &x) || !real_fits(setting, x)) {
        return false;
    }
    memcpy(field_of(setting, settings), &x, sizeof x);
    return true;
}

void gs_setting_limit(const struct gs_setting *setting, const char *value, char *text, size_t size) {
    uint64_t integer;
    double real;
    text[0] = '\0';
    if (strstr(setting->range, "at most") != NULL || strstr(setting->range, "below") != NULL) return;
    if (setting->kind == GS_SETTING_INTEGER && value[0] != '\0' && strspn(value, "0123456789") == strlen(value)) {
        if (gs_read_integer(value, &integer) && integer <= setting->most) return;
        snprintf(text, size, " and at most %" PRIu64, setting->most);
    } else if (setting->kind == GS_SETTING_REAL && gs_read_real(value, &real) && real > setting->maximum) {
        snprintf(text, size, " and at most %.9g", setting->maximum);
    }
}

bool gs_setting_read(const struct gs_setting *setting, const char *text, struct gs_settings *settings) {
    switch (setting->kind) {
    case GS_SETTING_INTEGER: return read_integer(setting, text, settings);
    case GS_SETTING_REAL: return read_real(setting, text, settings);
    case GS_SETTING_TEXT:
        if (text[0] == '\0') return false;
        memcpy(field_of(setting, settings), &text, sizeof text);
        return true;
    case GS_SETTING_FLAG:
        if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) return false;
        gs_setting_fix(setting, text[0] == '1', settings);
        return true;
    case GS_SETTING_CHOICE:
        for (unsigned i = 0; setting->values[i] != NULL; i++) {
            if (strcmp(text, setting->values[i]) == 0) {
                gs_setting_fix(setting, i, settings);
                return true;
            }
        }
        return false;
    }
    return false;
}

void gs_setting_fix(const struct gs_setting *setting, unsigned value, struct gs_settings *settings) {
    _Static_assert(sizeof(enum gs_optimizer) == sizeof value, "an enum of a choice has the size of unsigned");
    if (setting->kind == GS_SETTING_FLAG) {
        const bool flag = value != 0;
        memcpy(field_of(setting, settings), &flag, sizeof flag);
    } else {
        memcpy(field_of(setting, settings), &value, sizeof value);
    }
}

void gs_setting_print(const struct gs_setting *setting, const struct gs_settings *settings, char *text, size_t size) {
    const void *field = value_of(setting, settings);
    uint64_t integer;
    double real;
    bool flag;
    unsigned choice;
    const char *string;
    switch (setting->kind) {
    case GS_SETTING_INTEGER:
        memcpy(&integer, field, sizeof integer);
        if (setting->has_off && (double)integer == setting->off) {
            snprintf(text, size, "off");
        } else {
            snprintf(text, size, "%" PRIu64, integer);
        }
        return;
    case GS_SETTING_REAL:
        memcpy(&real, field, sizeof real);
        if (setting->has_off && real == setting->off) {
            snprintf(text, size, "off");
        } else {
            snprintf(text, size, "%.9g", real);
        }
        return;
    case GS_SETTING_FLAG:
        memcpy(&flag, field, sizeof flag);
        snprintf(text, size, "%d", flag);
        return;
    case GS_SETTING_TEXT:
        memcpy(&string, field, sizeof string);
        snprintf(text, size, "%s", string == NULL ? "none" : string);
        return;
    case GS_SETTING_CHOICE:
        memcpy(&choice, field, sizeof choice);
        snprintf(text, size, "%s", setting->values[choice]);
        return;
    }
}

static bool fits(const struct gs_setting *setting, const struct gs_settings *settings) {
    const void *field = value_of(setting, settings);
    uint64_t integer;
    double real;
    unsigned choice, count = 0;
    switch (setting->kind) {
    case GS_SETTING_INTEGER: memcpy(&integer, field, sizeof integer); return integer_fits(setting, integer);
    case GS_SETTING_REAL: memcpy(&real, field, sizeof real); return real_fits(setting, real);
    case GS_SETTING_CHOICE:
        memcpy(&choice, field, sizeof choice);
        while (setting->values[count] != NULL) count++;
        return choice < count;
    case GS_SETTING_FLAG:
    case GS_SETTING_TEXT: return true;
    }
    return false;
}

const char *gs_settings_check(const struct gs_settings *settings, char *text, size_t size) {
    for (size_t i = 0; i < gs_setting_count; i++) {
        if (!fits(&gs_setting_table[i], settings)) {
            snprintf(text, size, "%s takes %s", gs_setting_table[i].name, gs_setting_table[i].range);
            return text;
        }
    }
    if (settings->sampling == GS_SAMPLING_ANTITHETIC && settings->population % 2 == 1) {
        snprintf(text, size, "ANTITHETIC needs an even POPULATION, not %" PRIu64, settings->population);
        return text;
    }
    if (settings->sampling != GS_SAMPLING_ANTITHETIC && settings->shaping == GS_SHAPING_SIGN) {
        snprintf(text, size, "SCORE-SIGN compares the two members of a pair: it needs ANTITHETIC");
        return text;
    }
    return NULL;
}
