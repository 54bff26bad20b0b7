/* gs_weights.c -- names and shapes against the program's; main thread. */
#include "gs_weights.h"

#include <inttypes.h>
#include <string.h>

#include "gs_fail.h"

#define GS_SHOWN 8 /* differences in a message */

void gs_differ(struct gs_differences *differences, const char *what, const char *in_file, const char *now) {
    if (differences->count++ >= GS_SHOWN) return;
    gs_text_add(&differences->text, "\n  %s: %s in the file, %s now", what, in_file, now);
}

void gs_differences_fail(struct gs_differences *differences, const char *message, const char *help) {
    if (differences->count > GS_SHOWN) gs_text_add(&differences->text, "\n  and %zu more", differences->count - GS_SHOWN);
    gs_fail("%s: %s%s%s%s", differences->path, message, differences->text.data, help[0] == '\0' ? "" : "\n  help: ", help);
}

static void add_shape(struct gs_text *text, size_t axes, const uint64_t *shape) {
    gs_text_add(text, "%s", axes == 0 ? "a scalar" : "");
    for (size_t a = 0; a < axes; a++) gs_text_add(text, "%s%" PRIu64, a == 0 ? "" : ":", shape[a]);
}

static bool same_shape(const struct gs_tensor *tensor, const struct gs_parameter *parameter) {
    if (tensor->axes != parameter->axes) return false;
    return tensor->axes == 0 || memcmp(tensor->shape, parameter->shape, tensor->axes * sizeof *tensor->shape) == 0;
}

/* False for what a state's file holds beside the weights. */
static bool is_weight(const char *name, bool state) {
    return !state || (strncmp(name, "best/", 5) != 0 && strncmp(name, "optimizer/", 10) != 0);
}

static bool ends_in_name(const char *text, const char *name) {
    const size_t length = strlen(text), wanted = strlen(name);
    return length > wanted && text[length - wanted - 1] == '/' && strcmp(text + length - wanted, name) == 0;
}

/* The parameter's tensor, or NULL; `several` if more than one name ends in it. */
static struct gs_tensor *find(const struct gs_checkpoint *file, const char *name, bool state, bool *several) {
    struct gs_tensor *found = gs_checkpoint_tensor(file, name);
    *several = false;
    if (found != NULL) return found;
    for (size_t i = 0; i < file->tensor_count; i++) {
        struct gs_tensor *tensor = &file->tensors[i];
        if (!is_weight(tensor->name, state) || !ends_in_name(tensor->name, name)) continue;
        *several = found != NULL;
        found = tensor;
    }
    return *several ? NULL : found;
}

/* The path of words shared by several calls has a `=` in it. */
static bool tied(const char *name) { return name[0] == '=' || strstr(name, "/=") != NULL; }

void gs_weights_check(const struct gs_checkpoint *file, const struct gs_program *program, bool state, bool exact) {
    struct gs_differences differences = {.path = file->path};
    bool ties = false;
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        struct gs_text now = {0}, then = {0};
        bool several;
        struct gs_tensor *tensor = find(file, parameter->name, state, &several);
        add_shape(&now, parameter->axes, parameter->shape);
        if (tensor == NULL) {
            gs_differ(&differences, parameter->name, several ? "several that end in it" : "missing", now.data);
            ties = ties || tied(parameter->name);
        } else {
            tensor->used = true;
            add_shape(&then, tensor->axes, tensor->shape);
            if (!same_shape(tensor, parameter)) gs_differ(&differences, parameter->name, then.data, now.data);
        }
        gs_text_free(&now);
        gs_text_free(&then);
    }
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct gs_tensor *tensor = &file->tensors[i];
        if (tensor->used || !is_weight(tensor->name, state) || !(exact || differences.count > 0)) continue;
        struct gs_text then = {0};
        add_shape(&then, tensor->axes, tensor->shape);
        gs_differ(&differences, tensor->name, then.data, "missing");
        ties = ties || tied(tensor->name);
        gs_text_free(&then);
    }
    if (differences.count == 0) return;
    const char *help = "a name with = is of a word whose calls share their weights (SHARED or ~); the file and the program "
                       "don't share the same";
    gs_differences_fail(&differences, "its parameters are not those of this program", ties ? help : "");
}

static void read_into(const struct gs_checkpoint *file, const struct gs_parameter *parameter, struct gs_tensor *tensor,
                      const char *name, float *out) {
    if (tensor == NULL || !same_shape(tensor, parameter)) {
        gs_fail("%s: is no whole state: %s is missing or has another shape", file->path, name);
    }
    gs_checkpoint_read(file, tensor, out);
}

void gs_weights_read_one(const struct gs_checkpoint *file, const struct gs_parameter *parameter, const char *prefix,
                         float *out) {
    struct gs_text name = {0};
    gs_text_add(&name, "%s%s", prefix, parameter->name);
    read_into(file, parameter, gs_checkpoint_tensor(file, name.data), name.data, out);
    gs_text_free(&name);
}

void gs_weights_read(const struct gs_checkpoint *file, const struct gs_program *program, bool state, const char *prefix,
                     float *theta) {
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        float *out = theta + parameter->offset;
        bool several;
        if (prefix[0] == '\0') {
            read_into(file, parameter, find(file, parameter->name, state, &several), parameter->name, out);
        } else {
            gs_weights_read_one(file, parameter, prefix, out);
        }
    }
}
