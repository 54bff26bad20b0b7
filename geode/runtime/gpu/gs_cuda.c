/* gs_cuda.c -- the GPU through CUDA, from plain C: the driver and NVRTC found by dlopen, no SDK.
 *
 * The kernels are compiled when the program starts, for the device that is there, without fused multiply-adds that nobody
 * wrote. Launches go to one stream, which runs them in order; copies wait for it. GEODE_CUDA_EMULATOR names a library that
 * takes the place of both, for tests. Statuses: 3 without a device, 5 where the device fails. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gs_fail.h"
#include "gs_gpu.h"

#define GS_OUT_OF_MEMORY 2   /* CUDA_ERROR_OUT_OF_MEMORY */
#define GS_MAJOR 75          /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, and …_MINOR */
#define GS_MINOR 76

typedef unsigned long long gs_cuda_pointer;

static struct {
#define GS_DRIVER(name, types) int(*name) types;
#define GS_NVRTC(name, types) int(*name) types;
#include "gs_cuda_calls.h"
#undef GS_DRIVER
#undef GS_NVRTC
} cuda;

struct gs_gpu {
    int device;
    char name[256];
    void *context, *module;
    gs_cuda_pointer buffers[GS_ROLES];
    void *functions[GS_MOST_KERNELS];
    struct gs_kernel_names kernels;
};

static const char *const help = "help: a program for TARGET-CUDA needs an NVIDIA GPU, its driver, and NVRTC of the CUDA toolkit; "
                                "TARGET-CPU runs anywhere";

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) gs_fail_status(GS_EXIT_NO_DEVICE, "CUDA has no %s: it is too old\n  %s", name, help);
    return symbol;
}

/* The first of the libraries that is there; the list ends with NULL. */
static void *open_library(const char *what, const char *const *names) {
    const char *emulator = getenv("GEODE_CUDA_EMULATOR");
    void *library = emulator != NULL ? dlopen(emulator, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (emulator != NULL && library == NULL) gs_fail_status(GS_EXIT_NO_DEVICE, "%s", dlerror());
    for (; library == NULL && *names != NULL; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) gs_fail_status(GS_EXIT_NO_DEVICE, "cannot load %s\n  %s", what, help);
    return library;
}

static void load(void) {
    static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const char *const compilers[] = {"libnvrtc.so",    "libnvrtc.so.13",   "libnvrtc.so.12",
                                            "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so", NULL};
    void *driver = open_library("the NVIDIA driver (libcuda.so.1)", drivers);
    void *compiler = open_library("CUDA's compiler NVRTC (libnvrtc.so)", compilers);
    void *symbol;
#define GS_DRIVER(name, types)                                                                                         \
    symbol = find(driver, #name);                                                                                      \
    memcpy(&cuda.name, &symbol, sizeof symbol);
#define GS_NVRTC(name, types)                                                                                          \
    symbol = find(compiler, #name);                                                                                    \
    memcpy(&cuda.name, &symbol, sizeof symbol);
#include "gs_cuda_calls.h"
#undef GS_DRIVER
#undef GS_NVRTC
}

static const char *message_of(int error) {
    const char *text = NULL;
    if (cuda.cuGetErrorString(error, &text) != 0 || text == NULL) return "an unknown error";
    return text;
}

static void check(int error, const char *what) {
    if (error != 0) gs_fail_status(GS_EXIT_DEVICE, "%s: the device failed: %s", what, message_of(error));
}

/* The kernels as machine code of this device; the caller frees it. */
static char *compile(const struct gs_gpu *gpu, const struct gs_gpu_text *text) {
    int major, minor;
    check(cuda.cuDeviceGetAttribute(&major, GS_MAJOR, gpu->device), "the device's kind");
    check(cuda.cuDeviceGetAttribute(&minor, GS_MINOR, gpu->device), "the device's kind");
    char architecture[40];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", major, minor);
    const char *const options[] = {architecture, "--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true",
                                   "--prec-sqrt=true"};
    void *program = NULL;
    char *source = gs_gpu_source(text);
    size_t size = 0;
    int error = cuda.nvrtcCreateProgram(&program, source, "kernels.cu", 0, NULL, NULL);
    if (error == 0) error = cuda.nvrtcCompileProgram(program, (int)(sizeof options / sizeof *options), options);
    if (error != 0) {
        char *log = NULL;
        if (program != NULL && cuda.nvrtcGetProgramLogSize(program, &size) == 0) log = calloc(size + 1, 1);
        if (log != NULL) cuda.nvrtcGetProgramLog(program, log);
        gs_fail_status(GS_EXIT_DEVICE, "NVRTC refused the kernels for %s, which is a fault of Geode or an old CUDA: %s",
                       architecture, log == NULL ? "no reason was given" : log);
    }
    if (cuda.nvrtcGetCUBINSize(program, &size) != 0) gs_fail_status(GS_EXIT_DEVICE, "NVRTC made no code");
    char *image = malloc(size);
    if (image == NULL) gs_fail("no memory for the kernels");
    if (cuda.nvrtcGetCUBIN(program, image) != 0) gs_fail_status(GS_EXIT_DEVICE, "NVRTC made no code");
    cuda.nvrtcDestroyProgram(&program);
    free(source);
    return image;
}

static struct gs_gpu *cuda_open(const struct gs_gpu_text *text) {
    load();
    struct gs_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) gs_fail("no memory for the device");
    int count = 0, error = cuda.cuInit(0);
    if (error == 0) error = cuda.cuDeviceGetCount(&count);
    if (error != 0) gs_fail_status(GS_EXIT_NO_DEVICE, "CUDA does not start: %s\n  %s", message_of(error), help);
    if (count == 0) gs_fail_status(GS_EXIT_NO_DEVICE, "no GPU that CUDA can use\n  %s", help);
    check(cuda.cuDeviceGet(&gpu->device, 0), "the device");
    check(cuda.cuDeviceGetName(gpu->name, (int)sizeof gpu->name, gpu->device), "the device's name");
    check(cuda.cuDevicePrimaryCtxRetain(&gpu->context, gpu->device), "the device's context");
    check(cuda.cuCtxSetCurrent(gpu->context), "the device's context");
    char *image = compile(gpu, text);
    check(cuda.cuModuleLoadData(&gpu->module, image), "the kernels");
    free(image);
    return gpu;
}

static const char *cuda_device(const struct gs_gpu *gpu) { return gpu->name; }

static size_t cuda_kernel(struct gs_gpu *gpu, const char *name) {
    const size_t known = gpu->kernels.count, number = gs_kernel_number(&gpu->kernels, name);
    if (number == known) check(cuda.cuModuleGetFunction(&gpu->functions[number], gpu->module, name), name);
    return number;
}

static void cuda_allocate(struct gs_gpu *gpu, enum gs_role role, size_t bytes) {
    if (gpu->buffers[role] != 0) check(cuda.cuMemFree_v2(gpu->buffers[role]), "a buffer");
    const int error = cuda.cuMemAlloc_v2(&gpu->buffers[role], bytes);
    if (error == GS_OUT_OF_MEMORY) {
        size_t left = 0, total = 0;
        cuda.cuMemGetInfo_v2(&left, &total);
        gs_fail_status(GS_EXIT_NO_DEVICE, "%s need a buffer of %zu bytes; the device has %zu left of %zu\n  help: a smaller "
                       "model, batch or POPULATION", gs_role_names[role], bytes, left, total);
    }
    check(error, gs_role_names[role]);
}

static void cuda_write(struct gs_gpu *gpu, enum gs_role role, size_t offset, const void *from, size_t bytes) {
    if (bytes > 0) check(cuda.cuMemcpyHtoD_v2(gpu->buffers[role] + offset, from, bytes), gs_role_names[role]);
}

static void cuda_read(struct gs_gpu *gpu, enum gs_role role, size_t offset, void *to, size_t bytes) {
    if (bytes > 0) check(cuda.cuMemcpyDtoH_v2(to, gpu->buffers[role] + offset, bytes), gs_role_names[role]);
}

static void cuda_begin(struct gs_gpu *gpu) { (void)gpu; }

static void cuda_dispatch(struct gs_gpu *gpu, size_t kernel, size_t groups, const struct gs_args *args) {
    struct gs_args given = *args;
    void *parameters[1 + GS_ROLES] = {&given};
    for (size_t role = 0; role < GS_ROLES; role++) parameters[1 + role] = &gpu->buffers[role];
    check(cuda.cuLaunchKernel(gpu->functions[kernel], (unsigned)groups, 1, 1, GS_GROUP, 1, 1, 0, NULL, parameters, NULL),
          "a kernel");
}

static void cuda_finish(struct gs_gpu *gpu, const char *what) {
    (void)gpu;
    check(cuda.cuCtxSynchronize(), what);
}

static void cuda_close(struct gs_gpu *gpu) {
    for (size_t role = 0; role < GS_ROLES; role++) {
        if (gpu->buffers[role] != 0) cuda.cuMemFree_v2(gpu->buffers[role]);
    }
    cuda.cuModuleUnload(gpu->module);
    cuda.cuDevicePrimaryCtxRelease_v2(gpu->device);
    free(gpu);
}

const struct gs_gpu_api gs_cuda_api = {
    .name = "CUDA", .open = cuda_open, .device = cuda_device, .kernel = cuda_kernel, .allocate = cuda_allocate,
    .write = cuda_write, .read = cuda_read, .begin = cuda_begin, .dispatch = cuda_dispatch, .finish = cuda_finish,
    .close = cuda_close};
