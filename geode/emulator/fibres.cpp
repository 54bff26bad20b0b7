/* fibres.cpp -- the threads of a group as fibres of one OS thread, switched at barriers.
 *
 * A barrier counts the fibre in and goes to the next one until all have come; a fibre that ends before the others have come
 * is a barrier that not every thread reaches. Threadgroup memory is filled with NaN before each group. The order of the
 * fibres is a rotation of the thread numbers, or a permutation where GEODE_EMULATOR_SEED is set. */
#include "emulator.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

extern "C" void geode_switch(void **save, void *to);

#if defined(__x86_64__)
asm(R"(
.text
.globl geode_switch
geode_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
constexpr unsigned saved_words = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.globl geode_switch
geode_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
)");
#else
#error "the emulator switches fibres on x86-64 and arm64"
#endif

namespace emulator {

namespace {

constexpr std::size_t stack_bytes = 256 * 1024;
constexpr std::size_t watched_factor = 6; /* room of a variable whose uses are remembered */

struct Fibre {
    void *stack = nullptr; /* where it stopped */
    Lane lane;
    bool done = false;
};

/* The group that an OS thread runs. `order` lists the fibres as they take turns, `turn` is the place of each in it. */
struct Group {
    std::vector<Fibre> fibres;
    std::vector<unsigned> order, turn;
    char *stacks = nullptr;
    unsigned threads = 0, current = 0, alive = 0, waiting = 0, generation = 0;
    const Kernel *kernel = nullptr;
    void *main = nullptr;
    bool broken = false;
    alignas(16) char memory[watched_factor * most_threadgroup_bytes];
    std::size_t used = 0, declared = 0; /* of it, and by the kernel: less, where uses are remembered */
    std::map<int, std::size_t> variables;
};

thread_local Group *group;
std::mutex message_lock;
std::string message;

void note(const std::string &text) {
    std::lock_guard<std::mutex> lock(message_lock);
    if (message.empty()) message = text;
}

[[noreturn]] void leave(const std::string &text) {
    note("kernel " + group->kernel->name + ": " + text);
    group->broken = true;
    void *dropped;
    geode_switch(&dropped, group->main);
    std::abort();
}

unsigned next_alive(unsigned from) {
    for (unsigned step = 1; step <= group->threads; step++) {
        const unsigned candidate = group->order[(group->turn[from] + step) % group->threads];
        if (!group->fibres[candidate].done) return candidate;
    }
    return from;
}

void go_to(unsigned to) {
    const unsigned from = group->current;
    if (to == from) return;
    group->current = to;
    geode_switch(&group->fibres[from].stack, group->fibres[to].stack);
}

void check_meeting() {
    if (group->waiting == group->alive) leave("a barrier is not reached by every thread of the group");
}

void fibre_main() {
    Fibre &fibre = group->fibres[group->current];
    group->kernel->one(&fibre.lane);
    fibre.done = true;
    group->alive--;
    void *dropped;
    if (group->alive == 0) geode_switch(&dropped, group->main);
    if (group->waiting > 0) check_meeting();
    group->current = next_alive(group->current);
    geode_switch(&dropped, group->fibres[group->current].stack);
    std::abort();
}

void order_threads(unsigned threads) {
    group->order.resize(threads);
    group->turn.resize(threads);
    for (unsigned i = 0; i < threads; i++) group->order[i] = i;
    std::uint32_t state = static_cast<std::uint32_t>(setting("GEODE_EMULATOR_SEED", 0));
    for (unsigned i = threads - 1; state != 0 && i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        std::swap(group->order[i], group->order[(state >> 8) % (i + 1)]);
    }
    for (unsigned i = 0; i < threads; i++) group->turn[group->order[i]] = i;
}

void prepare(unsigned threads) {
    static thread_local Group own;
    group = &own;
    if (group->stacks == nullptr) {
        void *memory = mmap(nullptr, stack_bytes * most_group, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) give_up("no memory for the stacks of a group's threads");
        group->stacks = static_cast<char *>(memory);
        group->fibres.resize(most_group);
    }
    if (group->threads != threads) {
        group->threads = threads;
        order_threads(threads);
    }
    for (std::size_t i = 0; i + 4 <= sizeof group->memory; i += 4) {
        const std::uint32_t nan = 0x7fc0dead;
        std::memcpy(group->memory + i, &nan, sizeof nan);
    }
    group->used = group->declared = 0;
    group->variables.clear();
    group->alive = threads;
    group->waiting = 0;
    group->broken = false;
}

/* A stack on which a switch arrives at fibre_main. */
void *fresh_stack(unsigned fibre) {
    /* Stacks at the same offset of their pages would share cache sets. */
    char *top = group->stacks + (fibre + 1) * stack_bytes - 4096 - (fibre % 16) * 64;
    void **words = reinterpret_cast<void **>(top);
#if defined(__x86_64__)
    *--words = nullptr;
    *--words = reinterpret_cast<void *>(fibre_main);
    for (unsigned i = 0; i < saved_words; i++) *--words = nullptr;
#else
    words -= 20;
    std::memset(words, 0, 160);
    words[11] = reinterpret_cast<void *>(fibre_main);
#endif
    return words;
}

} // namespace

bool run_group(const Kernel &kernel, const Lane &lane, unsigned threads) {
    if (!kernel.fibres) {
        group = nullptr; /* a barrier that kernels.cpp did not see is told */
        kernel.all(&lane);
        return true;
    }
    prepare(threads);
    group->kernel = &kernel;
    unsigned index = 0;
    for (std::uint32_t z = 0; z < lane.group_size.z; z++) {
        for (std::uint32_t y = 0; y < lane.group_size.y; y++) {
            for (std::uint32_t x = 0; x < lane.group_size.x; x++, index++) {
                Fibre &fibre = group->fibres[index];
                fibre.done = false;
                fibre.lane = lane;
                fibre.lane.in_group = {x, y, z};
                fibre.lane.in_grid = {lane.group.x * lane.group_size.x + x, lane.group.y * lane.group_size.y + y,
                                      lane.group.z * lane.group_size.z + z};
                fibre.lane.index = index;
                fibre.stack = fresh_stack(index);
            }
        }
    }
    group->current = group->order[0];
    geode_switch(&group->main, group->fibres[group->current].stack);
    return !group->broken;
}

std::string report() {
    std::lock_guard<std::mutex> lock(message_lock);
    return message;
}

} // namespace emulator

/* --- what kernels call (see metal_stdlib) */

using emulator::group;

extern "C" {

void geode_barrier() {
    if (group == nullptr) {
        std::fputs("emulator: a barrier in a kernel whose text names none\n", stderr);
        std::abort();
    }
    if (++group->waiting == group->threads) {
        group->waiting = 0;
        group->generation++;
        return;
    }
    emulator::check_meeting();
    const unsigned generation = group->generation;
    while (group->generation == generation) emulator::go_to(emulator::next_alive(group->current));
}

/* Memory of the threadgroup variable that the kernel declares at `place`: `bytes` of it, of which `declared` are the kernel's. */
void *geode_threadgroup(int place, std::size_t bytes, std::size_t declared) {
    const auto found = group->variables.find(place);
    if (found != group->variables.end()) return group->memory + found->second;
    const auto aligned = [](std::size_t offset) { return (offset + 15) & ~static_cast<std::size_t>(15); };
    const std::size_t offset = aligned(group->used);
    group->declared = aligned(group->declared) + declared;
    if (group->declared > emulator::most_threadgroup_bytes) emulator::leave("more than 32768 bytes of threadgroup memory");
    if (offset + bytes > sizeof group->memory) emulator::leave("no room to watch its threadgroup memory");
    group->used = offset + bytes;
    group->variables[place] = offset;
    return group->memory + offset;
}

unsigned geode_generation() { return group->generation; }
unsigned geode_thread() { return group->current; }

void geode_race(const char *what, std::size_t element) {
    char text[200];
    std::snprintf(text, sizeof text, "race: %s (element %zu, thread %u)", what, element, group->current);
    emulator::leave(text);
}
}
