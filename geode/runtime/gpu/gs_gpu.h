/* gs_gpu.h -- what training needs of a GPU: buffers, kernels, and dispatches that run in order; one table per API.
 *
 * Every function either works or ends the program with a message. All kernels take the same arguments: `struct gs_args`
 * at place 0 and the buffers of all roles behind it, so that a dispatch is a kernel, a number of groups and the
 * arguments. A group has GS_GROUP threads. Main thread only. */
#ifndef GS_GPU_H
#define GS_GPU_H

#include <stddef.h>
#include <stdint.h>

#include "gs_args.h"

/* Buffers by what they hold; role r is buffer r + 1 of every kernel. */
enum gs_role {
    GS_ROLE_DATA,   /* floats: the rows in tiles */
    GS_ROLE_STATE,  /* floats: weights, optimizer, estimate */
    GS_ROLE_NOISE,  /* floats: of the pairs at work, then zeros */
    GS_ROLE_OWN,    /* floats: weights of the members at work */
    GS_ROLE_SLICES, /* floats: run and epoch levels by tile */
    GS_ROLE_WORK,   /* floats: scratch by tile at work */
    GS_ROLE_OUTS,   /* floats: row values by member at work */
    GS_ROLE_SCORES, /* float64: scores, weights, sums */
    GS_ROLE_TABLE,  /* words: parameters and blocks */
    GS_ROLES
};

extern const char *const gs_role_names[GS_ROLES]; /* for messages, in the plural */

/* The kernels' text, as the compiler emitted it: lines of source. */
struct gs_gpu_text {
    const char *const *lines;
    size_t line_count;
};

struct gs_gpu; /* an open device */

#define GS_MOST_KERNELS 1024
#define GS_KERNEL_NAME 48 /* bytes */

/* The kernels that a device was asked for, by number. */
struct gs_kernel_names {
    char names[GS_MOST_KERNELS][GS_KERNEL_NAME];
    size_t count;
};

/* The number of `name`; names->count where it is new, and then it is noted and has that number. */
size_t gs_kernel_number(struct gs_kernel_names *names, const char *name);

struct gs_gpu_api {
    const char *name;
    /* Opens the device and compiles the text. */
    struct gs_gpu *(*open)(const struct gs_gpu_text *text);
    /* The device's name, for people. */
    const char *(*device)(const struct gs_gpu *gpu);
    /* The number of the kernel `name`, for dispatch. */
    size_t (*kernel)(struct gs_gpu *gpu, const char *name);
    /* Gives a role a buffer of `bytes` (more than 0); what it holds is not defined. The one before it is given back. */
    void (*allocate)(struct gs_gpu *gpu, enum gs_role role, size_t bytes);
    /* Copies to and from a buffer; not between begin and finish. */
    void (*write)(struct gs_gpu *gpu, enum gs_role role, size_t offset, const void *from, size_t bytes);
    void (*read)(struct gs_gpu *gpu, enum gs_role role, size_t offset, void *to, size_t bytes);
    /* A batch: dispatches between begin and finish run in their order, each after the one before; finish waits. `what` is
     * for the message, should the device fail. */
    void (*begin)(struct gs_gpu *gpu);
    void (*dispatch)(struct gs_gpu *gpu, size_t kernel, size_t groups, const struct gs_args *args);
    void (*finish)(struct gs_gpu *gpu, const char *what);
    void (*close)(struct gs_gpu *gpu);
};

extern const struct gs_gpu_api gs_metal_api;
extern const struct gs_gpu_api gs_cuda_api;

/* The text's lines as one string; the caller frees it. */
char *gs_gpu_source(const struct gs_gpu_text *text);

#endif
