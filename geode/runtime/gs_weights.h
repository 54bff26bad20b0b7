/* gs_weights.h -- the parameters of a program found in a file of tensors, and what differs. */
#ifndef GS_WEIGHTS_H
#define GS_WEIGHTS_H

#include "gs_checkpoint.h"
#include "gs_program.h"
#include "gs_text.h"

/* Differences between a file and the program; starts as {.path = ...}. */
struct gs_differences {
    const char *path;
    struct gs_text text;
    size_t count;
};

/* Adds "what: in_file in the file, now now"; the first few are kept. */
void gs_differ(struct gs_differences *differences, const char *what, const char *in_file, const char *now);

/* Ends the program with the message, the differences and, unless it is empty, the help. */
_Noreturn void gs_differences_fail(struct gs_differences *differences, const char *message, const char *help);

/* Checks that `file` has every parameter in its shape and, if `exact`, nothing else. A parameter is the tensor of its
 * name, or else the only one whose name ends in `/` and it; in a state's file (`state`) only its weights count, not those
 * of the optimizer and of the best. Ends the program with the differences. */
void gs_weights_check(const struct gs_checkpoint *file, const struct gs_program *program, bool state, bool exact);

/* Reads every parameter, `prefix` before its name, into a vector laid out as theta. Ends the program with a message if
 * one is missing or has another shape; without a prefix after gs_weights_check alone. */
void gs_weights_read(const struct gs_checkpoint *file, const struct gs_program *program, bool state, const char *prefix,
                     float *theta);

/* Reads the tensor `prefix`NAME of one parameter; ends the program with a message if it is not there in its shape. */
void gs_weights_read_one(const struct gs_checkpoint *file, const struct gs_parameter *parameter, const char *prefix,
                         float *out);

#endif
