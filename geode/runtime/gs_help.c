/* gs_help.c -- prints to stdout; reads constant data only. */
#include "gs_help.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gs_options.h"

static const struct gs_setting *setting_of(const struct gs_setting_word *word) {
    return &gs_setting_table[word->takes >= 0 ? word->takes : word->fixes];
}

/* The values of all stages, as one where they agree. */
static void print_values(const struct gs_program *program, const struct gs_setting *setting, char *text, size_t size) {
    size_t used = 0;
    char last[64] = "";
    text[0] = '\0';
    for (size_t s = 0; s < program->stage_count; s++) {
        char value[64];
        gs_setting_print(setting, &program->settings[s], value, sizeof value);
        if (s > 0 && strcmp(value, last) == 0) continue;
        memcpy(last, value, sizeof last);
        const int n = snprintf(text + used, size - used, "%s%s", s == 0 ? "" : ", ", value);
        if (n < 0 || (size_t)n >= size - used) return;
        used += (size_t)n;
    }
}

static void print_word(const struct gs_program *program, const struct gs_setting_word *word) {
    const struct gs_setting *setting = setting_of(word);
    char option[64], value[128];
    const char *placeholder = setting->kind == GS_SETTING_TEXT ? "FILE" : setting->kind == GS_SETTING_REAL ? "X" : "N";
    snprintf(option, sizeof option, "--%s%s%s", word->option, word->takes >= 0 ? " " : "",
             word->takes >= 0 ? placeholder : "");
    print_values(program, setting, value, sizeof value);
    if (word->takes < 0 && setting->kind == GS_SETTING_CHOICE) {
        const bool chosen = strcmp(value, setting->values[word->value]) == 0;
        printf("  %-24s %-12s %s\n", option, chosen ? "in use" : "", word->help);
        return;
    }
    const bool number = setting->kind == GS_SETTING_INTEGER || setting->kind == GS_SETTING_REAL;
    printf("  %-24s %-12s %s%s%s%s%s%s\n", option, value, word->help, number ? " [" : "", number ? setting->range : "",
           setting->unit[0] != '\0' ? "; " : "", setting->unit, number ? "]" : "");
}

void gs_help_print(const struct gs_program *program) {
    printf("%s: a program that trains itself by evolution strategies\n", program->name);
    printf("\noptions, with the values that are compiled in; --x V and --x=V are the same, the last one wins\n");
    const char *group = "";
    for (size_t i = 0; i < gs_setting_count; i++) { /* settings of a group stand together in the table */
        for (size_t w = 0; w < gs_setting_word_count; w++) {
            if (setting_of(&gs_setting_words[w]) != &gs_setting_table[i]) continue;
            if (strcmp(gs_setting_table[i].group, group) != 0) printf("\n%s\n", gs_setting_table[i].group);
            group = gs_setting_table[i].group;
            print_word(program, &gs_setting_words[w]);
        }
    }
    printf("\nrun\n");
    for (size_t k = 0; k < program->data_file_count; k++) {
        char name[32], option[48];
        gs_options_data_name(program, k, name, sizeof name);
        snprintf(option, sizeof option, "%s FILE", name);
        printf("  %-24s %-12s data file, from the working directory\n", option, program->data_files[k].path);
    }
    for (size_t k = 0; k < program->table_count; k++) {
        char name[32], option[48];
        gs_options_table_name(program, k, name, sizeof name);
        snprintf(option, sizeof option, "%s FILE", name);
        printf("  %-24s %-12s table, from the working directory\n", option, program->tables[k].path);
    }
    printf("  %-24s %-12s set any setting; --set 2:NAME=V for the second stage alone\n", "--set NAME=V", "");
    printf("  %-24s %-12s most memory for values computed once [bytes]\n", "--hoist-limit N", "268435456");
    printf("  %-24s %-12s lanes of a tile, without data: rows of one member or of many\n", "--tiles auto|rows|members", "auto");
    printf("  %-24s %-12s end after this many epochs [epochs]\n", "--stop-at-epoch N", "off");
    printf("  %-24s %-12s go on from a state although these differ: ALPHA,ROWS\n", "--resume-changed NAMES", "none");
    printf("  %-24s %-12s write where the time goes, a JSON line a stage\n", "--profile-file FILE", "none");
    printf("  %-24s %-12s this text\n", "--help", "");
    printf("  %-24s %-12s ABI, lanes, stages, data files and parameters\n", "--describe", "");
}

static const char *const stage_kinds[] = {"train", "evaluate", "predict"};
static const char *const data_kinds[] = {[GS_DATA_CSV] = "csv", [GS_DATA_NPY] = "npy", [GS_DATA_TEXT] = "text"};

void gs_describe_print(const struct gs_program *program) {
    printf("program name=%s abi=%" PRIu32 " lanes=%" PRIu32 "\n", program->name, program->abi, program->lanes);
    for (size_t s = 0; s < program->stage_count; s++) {
        gs_settings_line_print(program, s, &program->settings[s]);
    }
    for (size_t k = 0; k < program->data_file_count; k++) {
        const struct gs_data_file *file = &program->data_files[k];
        printf("data kind=%s row=r", data_kinds[file->kind]);
        for (uint32_t a = 0; a < file->axes; a++) printf(":%" PRIu64, file->shape[a]);
        printf(" file=%s\n", file->path);
    }
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        printf("parameter name=%s shape=", parameter->name);
        for (uint32_t a = 0; a < parameter->axes; a++) printf("%s%" PRIu64, a == 0 ? "" : ":", parameter->shape[a]);
        printf(" trainable=%d\n", parameter->trainable);
    }
}

void gs_settings_line_print(const struct gs_program *program, size_t stage, const struct gs_settings *settings) {
    const struct gs_stage *record = &program->stages[stage];
    printf("settings stage=%zu kind=%s word=%s", stage + 1, stage_kinds[record->kind], record->entry->word);
    for (size_t i = 0; i < gs_setting_count; i++) {
        char value[1024];
        gs_setting_print(&gs_setting_table[i], settings, value, sizeof value);
        printf(" %s=%s", gs_setting_table[i].option, value);
    }
    putchar('\n');
}
