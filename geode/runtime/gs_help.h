/* gs_help.h -- what a compiled program says about itself: --help, --describe and the `settings` line. */
#ifndef GS_HELP_H
#define GS_HELP_H

#include "gs_program.h"

/* All options, grouped, one line each: name, compiled-in value, help, allowed values, unit. */
void gs_help_print(const struct gs_program *program);

/* ABI, lanes, stages, data files and parameters, one `key=value` line each. */
void gs_describe_print(const struct gs_program *program);

/* `settings stage=1 kind=train word=OBJECTIVE epochs=200 ...` of a stage's settings in effect. */
void gs_settings_line_print(const struct gs_program *program, size_t stage, const struct gs_settings *settings);

#endif
