/* gs_gpu.c -- what all APIs share. */
#include "gs_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "../gs_fail.h"

_Static_assert(sizeof(struct gs_args) <= 4096, "Metal takes at most 4096 bytes of arguments");
_Static_assert(sizeof(struct gs_args) % 4 == 0, "arguments are words");

const char *const gs_role_names[GS_ROLES] = {"the rows", "the weights", "the noise", "the members' weights",
                                             "values kept by row", "scratch", "the rows' results", "the scores",
                                             "the parameter table"};

size_t gs_kernel_number(struct gs_kernel_names *names, const char *name) {
    for (size_t k = 0; k < names->count; k++) {
        if (strcmp(names->names[k], name) == 0) return k;
    }
    if (names->count == GS_MOST_KERNELS || strlen(name) >= GS_KERNEL_NAME) {
        gs_fail("more than %d kernels", GS_MOST_KERNELS);
    }
    strcpy(names->names[names->count], name);
    return names->count++;
}

char *gs_gpu_source(const struct gs_gpu_text *text) {
    size_t length = 1;
    for (size_t i = 0; i < text->line_count; i++) length += strlen(text->lines[i]) + 1;
    char *source = malloc(length), *end = source;
    if (source == NULL) gs_fail("no memory for the kernels");
    for (size_t i = 0; i < text->line_count; i++) {
        const size_t bytes = strlen(text->lines[i]);
        memcpy(end, text->lines[i], bytes);
        end += bytes;
        *end++ = '\n';
    }
    *end = '\0';
    return source;
}
