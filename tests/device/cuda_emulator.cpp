/* cuda_emulator.cpp -- CUDA's driver and NVRTC without a GPU: kernels compiled as C++, their threads run as fibres.
 *
 * For tests of the host and of the emitted CUDA text on machines without a device; speaks the list in gs_cuda_calls.h.
 * Device memory is filled with NaN and ends at a page that nothing may touch. Launches run at once, a block after another. */
#include "emulator.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>

typedef unsigned long long gs_cuda_pointer;

namespace emulator {
unsigned long setting(const char *name, unsigned long otherwise) {
    const char *value = std::getenv(name);
    return value != nullptr ? std::strtoul(value, nullptr, 10) : otherwise;
}
} // namespace emulator

namespace {

const char *const shim = R"(
#include <cstddef>
#include <cstdint>
#include <utility>
#include <type_traits>
extern "C" void geode_barrier();
extern "C" void *geode_threadgroup(int place, std::size_t bytes, std::size_t declared);
struct geode_place { unsigned x, y, z; };
struct geode_lane { geode_place in_grid, in_group, group, group_size, grid_size; unsigned index; void **buffers; };
static thread_local geode_place blockIdx, threadIdx;
#define __global__
#define __device__
#define __constant__ const
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(n)
#define __syncthreads() geode_barrier()
static inline float __int_as_float(int x) { float y; __builtin_memcpy(&y, &x, 4); return y; }
static inline int __float_as_int(float x) { int y; __builtin_memcpy(&y, &x, 4); return y; }
static inline double __longlong_as_double(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline long long __double_as_longlong(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double sqrt(double x) { return __builtin_sqrt(x); }
template <class... A, std::size_t... I> inline void geode_call(void (*f)(A...), void **p, std::index_sequence<I...>) {
    f(*(std::remove_const_t<A> *)p[I]...);
}
template <class... A> inline void geode_enter(void (*f)(A...), const geode_lane *lane) {
    blockIdx = lane->group;
    threadIdx = lane->in_group;
    geode_call(f, lane->buffers, std::index_sequence_for<A...>{});
}
)";

struct Program {
    std::string text, image, log;
};

struct Memory {
    char *map;
    std::size_t mapped;
};
std::map<gs_cuda_pointer, Memory> memories;
bool failed;

std::string read_file(const std::string &path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string with_wrappers(const std::string &source) {
    const std::regex shared(R"(__shared__ (\w+) (\w+)(\[\d+\]);)");
    const std::regex kernel(R"(extern "C" __global__ void __launch_bounds__\(256\) (\w+)\()");
    std::string text = shim + std::regex_replace(source, shared,
        "typedef $1 $2_type$3; $2_type &$2 = *($2_type *)geode_threadgroup(__COUNTER__, sizeof($2_type), sizeof($2_type));");
    for (std::sregex_iterator at(source.begin(), source.end(), kernel), end; at != end; ++at) {
        const std::string name = (*at)[1];
        text += "extern \"C\" void geode_one_" + name + "(const geode_lane *lane) { geode_enter(" + name + ", lane); }\n";
    }
    return text;
}

} // namespace

extern "C" {

int nvrtcCreateProgram(void **program, const char *source, const char *, int, const char *const *, const char *const *) {
    Program *made = new Program;
    made->text = source;
    *program = made;
    return 0;
}

int nvrtcCompileProgram(void *given, int count, const char *const *options) {
    Program *program = static_cast<Program *>(given);
    bool unfused = false;
    for (int i = 0; i < count; i++) unfused = unfused || std::strcmp(options[i], "--fmad=false") == 0;
    std::string folder = "/tmp/geode-cuda-XXXXXX";
    if (!unfused || mkdtemp(&folder[0]) == nullptr) {
        program->log = unfused ? "no folder for temporary files" : "multiply-adds may be fused";
        return 6;
    }
    std::ofstream(folder + "/k.cpp") << with_wrappers(program->text);
    program->image = folder + "/k.so";
    const std::string command = "g++ -std=c++17 -O2 -march=native -ffp-contract=off -fno-math-errno -fPIC -shared -w -o " +
                                program->image + " " + folder + "/k.cpp 2> " + folder + "/log";
    const int error = std::system(command.c_str()) == 0 ? 0 : 6;
    program->log = read_file(folder + "/log");
    unlink((folder + "/k.cpp").c_str());
    unlink((folder + "/log").c_str());
    return error;
}

int nvrtcGetProgramLogSize(void *program, std::size_t *size) {
    *size = static_cast<Program *>(program)->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void *program, char *log) {
    std::strcpy(log, static_cast<Program *>(program)->log.c_str());
    return 0;
}
int nvrtcGetCUBINSize(void *program, std::size_t *size) {
    *size = static_cast<Program *>(program)->image.size() + 1;
    return 0;
}
int nvrtcGetCUBIN(void *program, char *image) {
    std::strcpy(image, static_cast<Program *>(program)->image.c_str());
    return 0;
}
int nvrtcDestroyProgram(void **program) {
    delete static_cast<Program *>(*program);
    *program = nullptr;
    return 0;
}

/* The kernels find what they call in this library, however the host has opened it. */
int cuInit(unsigned) {
    Dl_info self;
    if (dladdr(reinterpret_cast<void *>(cuInit), &self) == 0) return 1;
    return dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL) == nullptr ? 1 : 0;
}
int cuDeviceGetCount(int *count) {
    *count = static_cast<int>(emulator::setting("GEODE_EMULATOR_DEVICES", 1));
    return 0;
}
int cuDeviceGet(int *device, int) {
    *device = 0;
    return 0;
}
int cuDeviceGetName(char *name, int length, int) {
    std::snprintf(name, static_cast<std::size_t>(length), "emulation of CUDA by Geode, no GPU");
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
    *value = attribute == 75 ? 9 : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
    *context = &memories;
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
    if (!memories.empty()) std::fputs("emulator: device memory is left\n", stderr);
    return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize(void) { return failed ? 719 : 0; }
int cuModuleLoadData(void **module, const void *image) {
    const std::string path = static_cast<const char *>(image);
    *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    unlink(path.c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
    return *module == nullptr ? 200 : 0;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    emulator::Kernel *kernel = new emulator::Kernel;
    kernel->name = name;
    kernel->fibres = true;
    kernel->one = reinterpret_cast<emulator::Kernel_entry *>(dlsym(module, (std::string("geode_one_") + name).c_str()));
    *function = kernel;
    return kernel->one == nullptr ? 500 : 0;
}
int cuMemGetInfo_v2(std::size_t *left, std::size_t *total) {
    *left = *total = emulator::setting("GEODE_EMULATOR_MOST_BYTES", 1ul << 33);
    return 0;
}
int cuMemAlloc_v2(gs_cuda_pointer *pointer, std::size_t bytes) {
    if (bytes == 0) return 1;
    if (bytes > emulator::setting("GEODE_EMULATOR_MOST_BYTES", 1ul << 33)) return 2;
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), rounded = (bytes + 7) / 8 * 8;
    const std::size_t mapped = (rounded + page - 1) / page * page + page;
    void *map = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return 2;
    char *start = static_cast<char *>(map) + mapped - page - rounded;
    for (std::size_t i = 0; i + 4 <= rounded; i += 4) {
        const std::uint32_t nan = 0x7fc0beef;
        std::memcpy(start + i, &nan, sizeof nan);
    }
    mprotect(static_cast<char *>(map) + mapped - page, page, PROT_NONE);
    *pointer = reinterpret_cast<gs_cuda_pointer>(start);
    memories[*pointer] = {static_cast<char *>(map), mapped};
    return 0;
}
int cuMemFree_v2(gs_cuda_pointer pointer) {
    const auto found = memories.find(pointer);
    if (found == memories.end()) return 1;
    munmap(found->second.map, found->second.mapped);
    memories.erase(found);
    return 0;
}
int cuMemcpyHtoD_v2(gs_cuda_pointer to, const void *from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return 0;
}
int cuMemcpyDtoH_v2(void *to, gs_cuda_pointer from, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
    return 0;
}
int cuLaunchKernel(void *function, unsigned x, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned, void *,
                   void **parameters, void **) {
    for (unsigned block = 0; block < x && !failed; block++) {
        emulator::Lane lane = {};
        lane.group_size = {threads, 1, 1};
        lane.grid_size = {x, 1, 1};
        lane.group = {block, 0, 0};
        lane.buffers = parameters;
        failed = !emulator::run_group(*static_cast<emulator::Kernel *>(function), lane, threads);
    }
    if (failed) std::fprintf(stderr, "emulator: %s\n", emulator::report().c_str());
    return failed ? 719 : 0;
}
int cuGetErrorString(int error, const char **text) {
    *text = error == 719 ? "launch failed" : error == 2 ? "out of memory" : error == 500 ? "not found" : "an error";
    return 0;
}
}
