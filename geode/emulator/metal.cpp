/* metal.cpp -- Metal's objects without a GPU: the methods of gs_metal_selectors.h, and the C functions that find them.
 *
 * Work is done when the host waits, never before, so a host that forgets to wait reads what was there. A new buffer holds
 * NaN and ends at a page that nothing may touch. Reference counts and autorelease pools are kept, so that what a host leaks
 * can be counted. A rule of the API that is broken ends the process with a message. */
#include "emulator.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <type_traits>

struct gs_mtl_size {
    unsigned long width, height, depth;
};

typedef void (*gs_function)(void);

namespace {

using namespace emulator;

struct Class {
    std::string name;
    std::map<std::string, gs_function> methods;
    Class *meta = nullptr;
};

struct Object {
    Class *isa;
    long count;
    virtual ~Object() {}
};

/* Objects are handed out by the address of this, the place where the runtime looks for the class. */
static_assert(std::is_polymorphic<Object>::value, "objects end by their own destructor");

std::map<std::string, Class *> &classes() {
    static std::map<std::string, Class *> all;
    return all;
}

Class *class_named(const std::string &name) {
    Class *&found = classes()[name];
    if (found == nullptr) {
        found = new Class;
        found->name = name;
        found->meta = new Class;
        found->meta->name = "class " + name;
    }
    return found;
}

std::vector<std::vector<Object *>> pools(1);
long living;

[[noreturn]] void refuse(const std::string &what) {
    std::fprintf(stderr, "emulator: %s\n", what.c_str());
    std::abort();
}

template <class T> T *make(const char *name) {
    T *object = new T();
    object->isa = class_named(name);
    object->count = 1;
    living++;
    return object;
}

template <class T> T *autoreleased(T *object) {
    pools.back().push_back(object);
    return object;
}

void let_go(Object *object) {
    if (object->count <= 0) refuse("an object of class " + object->isa->name + " is released too often");
    if (--object->count == 0) {
        living--;
        delete object;
    }
}

struct String : Object {
    std::string text;
};
struct Error : Object {
    std::string text;
};
struct Options : Object {};
struct Device : Object {};
struct Devices : Object {
    Device *device = nullptr;
    ~Devices() override { let_go(device); }
};
struct Queue : Object {};
struct Library : Object {
    Library_code *code = nullptr;
};
struct Function : Object {
    const Kernel *kernel = nullptr;
};
struct Pipeline : Object {
    const Kernel *kernel = nullptr;
};
struct Buffer : Object {
    char *map = nullptr, *start = nullptr;
    std::size_t bytes = 0, mapped = 0;
    ~Buffer() override { munmap(map, mapped); }
};
struct Dispatch {
    const Kernel *kernel = nullptr;
    void *buffers[most_buffers] = {};
    std::vector<char> bytes[most_buffers];
    gs_mtl_size groups = {0, 0, 0}, threads = {0, 0, 0};
};
struct Command_buffer;
struct Encoder : Object {
    Command_buffer *commands = nullptr;
    Dispatch next;
    bool ended = false;
};
struct Command_buffer : Object {
    std::vector<Dispatch> dispatches;
    Encoder *encoder = nullptr;
    unsigned long status = 0; /* 2 committed, 4 completed, 5 failed */
    std::string error;
};

String *new_text(const std::string &text) {
    String *string = autoreleased(make<String>("NSString"));
    string->text = text;
    return string;
}

Error *new_error(const std::string &text) {
    Error *error = autoreleased(make<Error>("NSError"));
    error->text = text;
    return error;
}

template <class T> T *as(void *object) { return static_cast<T *>(static_cast<Object *>(object)); }

/* --- running */

const Dispatch *running; /* at work, for the message below */

/* The buffer that begins last before `place`, or most_buffers. */
unsigned buffer_before(const char *place) {
    unsigned found = most_buffers;
    for (unsigned i = 0; running != nullptr && i < most_buffers; i++) {
        const char *start = static_cast<const char *>(running->buffers[i]);
        if (start == nullptr || start > place) continue;
        if (found == most_buffers || start > static_cast<const char *>(running->buffers[found])) found = i;
    }
    return found;
}

void on_fault(int signal_number, siginfo_t *information, void *) {
    const char *place = static_cast<const char *>(information->si_addr);
    const unsigned buffer = buffer_before(place);
    char text[300];
    int length = std::snprintf(text, sizeof text, "emulator: kernel %s touched memory outside its buffers",
                               running == nullptr ? "?" : running->kernel->name.c_str());
    if (buffer != most_buffers) {
        length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), ", %td bytes behind the start of buffer %u",
                                place - static_cast<const char *>(running->buffers[buffer]), buffer);
    }
    text[length++] = '\n';
    const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    (void)written;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Signals need a stack of their own: the fault may be a fibre's. */
void watch_for_faults() {
    static char stack[65536];
    stack_t alternate = {};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

bool run_dispatch(Dispatch &dispatch) {
    const gs_mtl_size &size = dispatch.threads, &grid = dispatch.groups;
    const unsigned long threads = size.width * size.height * size.depth, count = grid.width * grid.height * grid.depth;
    const unsigned long most = setting("GEODE_EMULATOR_MOST_THREADS", most_group);
    if (threads == 0 || threads > most_group) refuse("a group of " + std::to_string(threads) + " threads");
    if (threads > most) return true; /* as on a Mac: silently not run */
    void *buffers[most_buffers];
    for (unsigned i = 0; i < most_buffers; i++) {
        buffers[i] = dispatch.bytes[i].empty() ? dispatch.buffers[i] : dispatch.bytes[i].data();
    }
    running = &dispatch;
    std::atomic<unsigned long> next{0};
    std::atomic<bool> good{true};
    const auto work = [&] {
        for (unsigned long g; good && (g = next++) < count;) {
            Lane lane = {};
            lane.group_size = {(std::uint32_t)size.width, (std::uint32_t)size.height, (std::uint32_t)size.depth};
            lane.grid_size = {(std::uint32_t)grid.width, (std::uint32_t)grid.height, (std::uint32_t)grid.depth};
            lane.group = {(std::uint32_t)(g % grid.width), (std::uint32_t)(g / grid.width % grid.height),
                          (std::uint32_t)(g / grid.width / grid.height)};
            lane.buffers = buffers;
            if (!run_group(*dispatch.kernel, lane, (unsigned)threads)) good = false;
        }
    };
    std::vector<std::thread> helpers;
    const unsigned long workers = setting("GEODE_EMULATOR_WORKERS", std::min(4u, std::thread::hardware_concurrency()));
    for (unsigned long w = 1; w < workers && w < count; w++) helpers.emplace_back(work);
    work();
    for (std::thread &helper : helpers) helper.join();
    return good;
}

void log_batch(const Command_buffer *commands) {
    const char *path = std::getenv("GEODE_EMULATOR_LOG");
    FILE *file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file == nullptr) return;
    std::fprintf(file, "batch dispatches=%zu objects=%ld kernels=", commands->dispatches.size(), living);
    const char *comma = "";
    for (const Dispatch &dispatch : commands->dispatches) {
        std::fprintf(file, "%s%s", comma, dispatch.kernel->name.c_str());
        comma = ",";
    }
    std::fputc('\n', file);
    std::fclose(file);
}

void run_commands(Command_buffer *commands) {
    log_batch(commands);
    for (Dispatch &dispatch : commands->dispatches) {
        if (run_dispatch(dispatch)) continue;
        commands->status = 5;
        commands->error = report();
        return;
    }
    commands->status = 4;
}

/* --- methods, named as in gs_metal_selectors.h */

void *mtl_string(void *, void *, const char *text) { return new_text(text); }
const char *mtl_text(void *self, void *) { return as<String>(self)->text.c_str(); }
unsigned long mtl_count(void *, void *) { return 1; }
void *mtl_item(void *self, void *, unsigned long place) {
    if (place != 0) refuse("objectAtIndex: out of bounds");
    return as<Devices>(self)->device;
}
void *mtl_message(void *self, void *) { return new_text(as<Error>(self)->text); }
void mtl_release(void *self, void *) { let_go(as<Object>(self)); }
void *mtl_retain(void *self, void *) {
    as<Object>(self)->count++;
    return self;
}
void *mtl_new_options(void *, void *) { return make<Options>("MTLCompileOptions"); }
void mtl_set_math_mode(void *, void *, long mode) {
    if (mode != 0) refuse("kernels must be compiled in the safe mathematics mode");
}
void mtl_set_fast_math(void *, void *, signed char enabled) {
    if (enabled != 0) refuse("kernels must be compiled without fast mathematics");
}
void *mtl_name(void *, void *) { return new_text("emulation of Metal by Geode, no GPU"); }
signed char mtl_unified(void *, void *) { return 1; }
unsigned long mtl_most_bytes(void *, void *) { return setting("GEODE_EMULATOR_MOST_BYTES", 1ul << 33); }
void *mtl_new_queue(void *, void *) { return make<Queue>("MTLCommandQueue"); }

void *mtl_new_buffer(void *, void *, unsigned long bytes, unsigned long options) {
    if (bytes == 0 || bytes > mtl_most_bytes(nullptr, nullptr) || options != 0) return nullptr;
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), rounded = (bytes + 7) / 8 * 8;
    const std::size_t mapped = (rounded + page - 1) / page * page + page;
    void *map = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return nullptr;
    Buffer *buffer = make<Buffer>("MTLBuffer");
    buffer->bytes = bytes;
    buffer->mapped = mapped;
    buffer->map = static_cast<char *>(map);
    buffer->start = buffer->map + buffer->mapped - page - rounded;
    for (std::size_t i = 0; i + 4 <= rounded; i += 4) {
        const std::uint32_t nan = 0x7fc0beef;
        std::memcpy(buffer->start + i, &nan, sizeof nan);
    }
    mprotect(buffer->map + buffer->mapped - page, page, PROT_NONE);
    return buffer;
}

void *mtl_new_library(void *, void *, void *source, void *, void **error) {
    std::string message;
    Library_code *code = compile(as<String>(source)->text, message);
    if (code == nullptr) {
        *error = new_error(message);
        return nullptr;
    }
    Library *library = make<Library>("MTLLibrary");
    library->code = code;
    return library;
}

void *mtl_new_pipeline(void *, void *, void *function, void **error) {
    if (function == nullptr) {
        *error = new_error("no function");
        return nullptr;
    }
    Pipeline *pipeline = make<Pipeline>("MTLComputePipelineState");
    pipeline->kernel = as<Function>(function)->kernel;
    return pipeline;
}

void *mtl_new_function(void *self, void *, void *name) {
    const Library_code *code = as<Library>(self)->code;
    const auto found = code->kernels.find(as<String>(name)->text);
    if (found == code->kernels.end()) return nullptr;
    Function *function = make<Function>("MTLFunction");
    function->kernel = &found->second;
    return function;
}

unsigned long mtl_most_threads(void *, void *) { return setting("GEODE_EMULATOR_MOST_THREADS", most_group); }
void *mtl_contents(void *self, void *) { return as<Buffer>(self)->start; }

void *mtl_command_buffer(void *, void *) { return autoreleased(make<Command_buffer>("MTLCommandBuffer")); }
void *mtl_encoder(void *self, void *) {
    Command_buffer *commands = as<Command_buffer>(self);
    Encoder *encoder = autoreleased(make<Encoder>("MTLComputeCommandEncoder"));
    encoder->commands = commands;
    commands->encoder = encoder;
    return encoder;
}
void mtl_commit(void *self, void *) {
    Command_buffer *commands = as<Command_buffer>(self);
    if (commands->encoder != nullptr && !commands->encoder->ended) refuse("commit before endEncoding");
    commands->status = 2;
}
void mtl_wait(void *self, void *) {
    if (as<Command_buffer>(self)->status != 2) refuse("waitUntilCompleted before commit");
    run_commands(as<Command_buffer>(self));
}
unsigned long mtl_status(void *self, void *) { return as<Command_buffer>(self)->status; }
void *mtl_error(void *self, void *) { return new_error(as<Command_buffer>(self)->error); }

void mtl_set_pipeline(void *self, void *, void *pipeline) { as<Encoder>(self)->next.kernel = as<Pipeline>(pipeline)->kernel; }
void mtl_set_buffer(void *self, void *, void *buffer, unsigned long offset, unsigned long place) {
    if (place >= most_buffers) refuse("buffer index " + std::to_string(place));
    if (buffer != nullptr && offset >= as<Buffer>(buffer)->bytes) refuse("a buffer's offset lies behind its end");
    as<Encoder>(self)->next.buffers[place] = buffer == nullptr ? nullptr : as<Buffer>(buffer)->start + offset;
    as<Encoder>(self)->next.bytes[place].clear();
}
void mtl_set_bytes(void *self, void *, const void *bytes, unsigned long length, unsigned long place) {
    if (length > most_argument_bytes || place >= most_buffers) refuse("setBytes of " + std::to_string(length) + " bytes");
    const char *first = static_cast<const char *>(bytes);
    as<Encoder>(self)->next.bytes[place].assign(first, first + length);
}
void mtl_dispatch(void *self, void *, gs_mtl_size groups, gs_mtl_size threads) {
    Encoder *encoder = as<Encoder>(self);
    if (encoder->ended) refuse("a dispatch after endEncoding");
    if (encoder->next.kernel == nullptr) refuse("a dispatch without a pipeline");
    encoder->next.groups = groups;
    encoder->next.threads = threads;
    encoder->commands->dispatches.push_back(encoder->next);
}
void mtl_end(void *self, void *) { as<Encoder>(self)->ended = true; }

/* The table of methods; a function of another type than the list gives does not compile. */
void fill_classes() {
#define GS_METHOD(function, owner, name, result, types, parameters, arguments)                                         \
    class_named(owner)->methods[name] = reinterpret_cast<gs_function>(static_cast<result(*) types>(&function));
#define GS_VOID_METHOD(function, owner, name, types, parameters, arguments)                                            \
    class_named(owner)->methods[name] = reinterpret_cast<gs_function>(static_cast<void (*) types>(&function));
#define GS_CLASS_METHOD(function, owner, name, result, types, parameters, arguments)                                   \
    class_named(owner)->meta->methods[name] = reinterpret_cast<gs_function>(static_cast<result(*) types>(&function));
#include "../runtime/gpu/gs_metal_selectors.h"
#undef GS_METHOD
#undef GS_VOID_METHOD
#undef GS_CLASS_METHOD
}

bool begin() {
    fill_classes();
    watch_for_faults();
    return true;
}

const bool begun = begin();

void unrecognized(void *self, void *selector) {
    refuse("unrecognized selector " + static_cast<Object *>(self)->isa->name + " " + static_cast<const char *>(selector));
}

void *nothing(void *, void *) { return nullptr; }

} // namespace

extern "C" {

void *objc_getClass(const char *name) {
    static std::map<std::string, Object *> objects;
    if (classes().count(name) == 0) return nullptr;
    Object *&object = objects[name];
    if (object == nullptr) {
        object = new Object;
        object->isa = class_named(name)->meta;
        object->count = 1;
    }
    return object;
}

void *sel_registerName(const char *name) {
    static std::map<std::string, std::string *> names;
    std::string *&found = names[name];
    if (found == nullptr) found = new std::string(name);
    return const_cast<char *>(found->c_str());
}

void *object_getClass(void *object) { return object == nullptr ? nullptr : static_cast<Object *>(object)->isa; }

gs_function class_getMethodImplementation(void *class_, void *selector) {
    if (class_ == nullptr) return reinterpret_cast<gs_function>(nothing);
    const char *name = static_cast<const char *>(selector);
    for (Class *owner : {static_cast<Class *>(class_), class_named("NSObject")}) {
        const auto found = owner->methods.find(name);
        if (found != owner->methods.end()) return found->second;
    }
    return reinterpret_cast<gs_function>(unrecognized);
}

signed char class_respondsToSelector(void *class_, void *selector) {
    const std::string name = static_cast<const char *>(selector);
    if (name == "setMathMode:" && setting("GEODE_EMULATOR_OLD_SYSTEM", 0) != 0) return 0;
    return class_ != nullptr && static_cast<Class *>(class_)->methods.count(name) != 0;
}

void *objc_autoreleasePoolPush(void) {
    pools.emplace_back();
    return reinterpret_cast<void *>(pools.size() - 1);
}

void objc_autoreleasePoolPop(void *pool) {
    const std::size_t place = reinterpret_cast<std::size_t>(pool);
    if (place == 0 || place >= pools.size()) refuse("an autorelease pool is popped that was not pushed");
    while (pools.size() > place) {
        const std::vector<Object *> objects = pools.back();
        pools.pop_back();
        for (Object *object : objects) let_go(object);
    }
}

void *MTLCreateSystemDefaultDevice(void) { return nullptr; /* as in a terminal without a window server */ }

void *MTLCopyAllDevices(void) {
    Devices *devices = make<Devices>("NSArray");
    devices->device = make<Device>("MTLDevice");
    return devices;
}
}
