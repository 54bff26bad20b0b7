/* gs_metal.c -- the GPU through Metal, from plain C.
 *
 * Buffers are shared with the processor, so reading and writing are copies. One serial encoder a batch: Metal runs its
 * dispatches in order. What a method whose name begins with new, alloc or copy returns is ours to release; the rest belongs
 * to the batch's autorelease pool. Elsewhere than on a Mac the emulator named by GEODE_METAL_EMULATOR takes Metal's place,
 * and its device says so in its name. Statuses: 3 without a device, 5 where the device fails. */
#include "gs_gpu.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gs_fail.h"
#include "gs_metal_calls.h"

#define GS_COMPLETED 4ul /* MTLCommandBufferStatusCompleted */

struct gs_objc gs_objc;

struct gs_gpu {
    void *device, *queue, *library;
    void *buffers[GS_ROLES];
    size_t lengths[GS_ROLES];
    void *pipelines[GS_MOST_KERNELS];
    struct gs_kernel_names kernels;
    void *pool, *commands, *encoder; /* of the batch */
};

static void *find(void *library, const char *name, const char **missing) {
    void *symbol = library == NULL ? NULL : dlsym(library, name);
    if (symbol == NULL && *missing == NULL) *missing = name;
    return symbol;
}

const char *gs_objc_load(const char *emulator) {
    const char *missing = NULL;
#ifdef __APPLE__
    (void)emulator;
    void *objc = dlopen("/usr/lib/libobjc.A.dylib", RTLD_NOW | RTLD_GLOBAL);
    dlopen("/System/Library/Frameworks/Foundation.framework/Foundation", RTLD_NOW | RTLD_GLOBAL);
    dlopen("/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", RTLD_NOW | RTLD_GLOBAL);
    void *metal = dlopen("/System/Library/Frameworks/Metal.framework/Metal", RTLD_NOW | RTLD_GLOBAL);
#else
    if (emulator == NULL) return "Metal (this is no Mac, and GEODE_METAL_EMULATOR names no emulator)";
    void *objc = dlopen(emulator, RTLD_NOW | RTLD_GLOBAL), *metal = objc;
#endif
    if (objc == NULL || metal == NULL) return dlerror();
#define GS_OBJC objc
#define GS_METAL metal
#define GS_SYMBOL(member, library, name, result, types)                                                                \
    {                                                                                                                  \
        void *symbol = find(library, name, &missing);                                                                  \
        memcpy(&gs_objc.member, &symbol, sizeof symbol);                                                               \
    }
#include "gs_metal_selectors.h"
#undef GS_SYMBOL
    return missing;
}

static const char *message_of(void *error) {
    return error == NULL ? "no reason was given" : mtl_text(mtl_message(error));
}

/* The first device; the default one alone may be missing where there is no window server, as under ssh. */
static void *find_device(void) {
    void *all = gs_objc.all_devices();
    if (all != NULL && mtl_count(all) > 0) {
        void *device = mtl_retain(mtl_item(all, 0));
        mtl_release(all);
        return device;
    }
    return gs_objc.default_device();
}

static void *compile(void *device, const struct gs_gpu_text *text) {
    void *options = mtl_new_options(), *error = NULL;
    if (gs_responds(options, "setMathMode:")) { /* from macOS 15 on */
        mtl_set_math_mode(options, 0); /* safe */
    } else {
        mtl_set_fast_math(options, 0);
    }
    char *source = gs_gpu_source(text);
    void *library = mtl_new_library(device, mtl_string(source), options, &error);
    free(source);
    mtl_release(options);
    if (library == NULL) {
        gs_fail_status(GS_EXIT_DEVICE, "Metal refused the kernels, which is a fault of Geode: %s", message_of(error));
    }
    return library;
}

static struct gs_gpu *metal_open(const struct gs_gpu_text *text) {
    const char *missing = gs_objc_load(getenv("GEODE_METAL_EMULATOR"));
    if (missing != NULL) {
        gs_fail_status(GS_EXIT_NO_DEVICE, "cannot load %s\n  help: a program for TARGET-APPLE-METAL runs on a Mac; elsewhere "
                       "`geode run --emulate` runs it without a GPU", missing);
    }
    struct gs_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) gs_fail("no memory for the device");
    void *pool = gs_objc.push_pool();
    gpu->device = find_device();
    if (gpu->device == NULL) gs_fail_status(GS_EXIT_NO_DEVICE, "this Mac has no GPU that Metal can use");
    if (!mtl_unified(gpu->device) && getenv("GEODE_METAL_ANY") == NULL) {
        gs_fail_status(GS_EXIT_NO_DEVICE, "%s has memory of its own, which is not supported\n  help: GEODE_METAL_ANY=1 tries it "
                       "nevertheless", mtl_text(mtl_name(gpu->device)));
    }
    gpu->library = compile(gpu->device, text);
    gpu->queue = mtl_new_queue(gpu->device);
    gs_objc.pop_pool(pool);
    return gpu;
}

static const char *metal_device(const struct gs_gpu *gpu) { return mtl_text(mtl_name(gpu->device)); }

static size_t metal_kernel(struct gs_gpu *gpu, const char *name) {
    const size_t known = gpu->kernels.count, number = gs_kernel_number(&gpu->kernels, name);
    if (number < known) return number;
    void *pool = gs_objc.push_pool(), *error = NULL;
    void *function = mtl_new_function(gpu->library, mtl_string(name));
    if (function == NULL) gs_fail_status(GS_EXIT_DEVICE, "the kernels have no %s, which is a fault of Geode", name);
    void *pipeline = mtl_new_pipeline(gpu->device, function, &error);
    if (pipeline == NULL) gs_fail_status(GS_EXIT_DEVICE, "Metal refused the kernel %s: %s", name, message_of(error));
    if (mtl_most_threads(pipeline) < GS_GROUP) { /* it would silently not run */
        gs_fail_status(GS_EXIT_DEVICE, "the kernel %s needs groups of %d threads, this device runs %lu", name, GS_GROUP,
                       mtl_most_threads(pipeline));
    }
    mtl_release(function);
    gs_objc.pop_pool(pool);
    gpu->pipelines[number] = pipeline;
    return number;
}

static void metal_allocate(struct gs_gpu *gpu, enum gs_role role, size_t bytes) {
    const size_t most = mtl_most_bytes(gpu->device);
    if (gpu->buffers[role] != NULL) mtl_release(gpu->buffers[role]);
    gpu->buffers[role] = bytes > most ? NULL : mtl_new_buffer(gpu->device, bytes, 0);
    gpu->lengths[role] = bytes;
    if (gpu->buffers[role] != NULL) return;
    if (bytes > most) {
        gs_fail_status(GS_EXIT_NO_DEVICE, "%s need a buffer of %zu bytes; the device has at most %zu at a time\n  help: a smaller "
                       "model, batch or POPULATION", gs_role_names[role], bytes, most);
    }
    gs_fail_status(GS_EXIT_NO_DEVICE, "%s need a buffer of %zu bytes, for which there is no memory left\n  help: a smaller model, "
                   "batch or POPULATION", gs_role_names[role], bytes);
}

static void metal_write(struct gs_gpu *gpu, enum gs_role role, size_t offset, const void *from, size_t bytes) {
    if (bytes > 0) memcpy((char *)mtl_contents(gpu->buffers[role]) + offset, from, bytes);
}

static void metal_read(struct gs_gpu *gpu, enum gs_role role, size_t offset, void *to, size_t bytes) {
    if (bytes > 0) memcpy(to, (const char *)mtl_contents(gpu->buffers[role]) + offset, bytes);
}

static void metal_begin(struct gs_gpu *gpu) {
    gpu->pool = gs_objc.push_pool();
    gpu->commands = mtl_command_buffer(gpu->queue);
    gpu->encoder = mtl_encoder(gpu->commands);
    for (size_t role = 0; role < GS_ROLES; role++) mtl_set_buffer(gpu->encoder, gpu->buffers[role], 0, role + 1);
}

static void metal_dispatch(struct gs_gpu *gpu, size_t kernel, size_t groups, const struct gs_args *args) {
    mtl_set_pipeline(gpu->encoder, gpu->pipelines[kernel]);
    mtl_set_bytes(gpu->encoder, args, sizeof *args, 0);
    mtl_dispatch(gpu->encoder, (struct gs_mtl_size){groups, 1, 1}, (struct gs_mtl_size){GS_GROUP, 1, 1});
}

static void metal_finish(struct gs_gpu *gpu, const char *what) {
    mtl_end(gpu->encoder);
    mtl_commit(gpu->commands);
    mtl_wait(gpu->commands);
    if (mtl_status(gpu->commands) != GS_COMPLETED) {
        gs_fail_status(GS_EXIT_DEVICE, "%s: the device stopped: %s", what, message_of(mtl_error(gpu->commands)));
    }
    gs_objc.pop_pool(gpu->pool);
}

static void metal_close(struct gs_gpu *gpu) {
    for (size_t role = 0; role < GS_ROLES; role++) {
        if (gpu->buffers[role] != NULL) mtl_release(gpu->buffers[role]);
    }
    for (size_t k = 0; k < gpu->kernels.count; k++) mtl_release(gpu->pipelines[k]);
    mtl_release(gpu->library);
    mtl_release(gpu->queue);
    mtl_release(gpu->device);
    free(gpu);
}

const struct gs_gpu_api gs_metal_api = {
    .name = "Metal", .open = metal_open, .device = metal_device, .kernel = metal_kernel, .allocate = metal_allocate,
    .write = metal_write, .read = metal_read, .begin = metal_begin, .dispatch = metal_dispatch, .finish = metal_finish,
    .close = metal_close};
