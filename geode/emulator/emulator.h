/* emulator.h -- the parts of the emulator of Metal: fibres that run a group of threads, and kernels compiled from MSL.
 *
 * metal.cpp answers the calls of the host, kernels.cpp turns MSL text into machine code with a compiler that command.cpp
 * starts, fibres.cpp runs the threads of a group that meet at barriers. Environment: GEODE_EMULATOR_SEED permutes the order of
 * the threads, GEODE_EMULATOR_RACES=1 watches threadgroup memory (not the device's: what one thread of a group leaves there
 * for another shows by its numbers alone), GEODE_EMULATOR_FIBRES=1 runs every kernel on fibres, GEODE_EMULATOR_LOG names a file that gets
 * a line for every batch, GEODE_EMULATOR_KERNELS a file that is compiled in place of the host's text, GEODE_EMULATOR_KEPT a
 * folder where compiled kernels are kept and found again, which is for one version of emulator and compiler;
 * GEODE_EMULATOR_MOST_THREADS and GEODE_EMULATOR_MOST_BYTES lower the device's limits. */
#ifndef GEODE_EMULATOR_H
#define GEODE_EMULATOR_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace emulator {

constexpr unsigned most_buffers = 31, most_group = 1024;
constexpr std::size_t most_threadgroup_bytes = 32768, most_argument_bytes = 4096;

struct Place {
    std::uint32_t x, y, z;
};

/* What a thread knows of itself, in the layout that the kernels' wrappers read (see metal_stdlib). */
struct Lane {
    Place in_grid, in_group, group, group_size, grid_size;
    std::uint32_t index;
    void **buffers;
};

typedef void Kernel_entry(const Lane *lane);

struct Kernel {
    std::string name;
    Kernel_entry *one = nullptr; /* one thread */
    Kernel_entry *all = nullptr; /* all threads of a group in a loop: only for kernels that never meet */
    bool fibres = false;         /* its threads meet at barriers, or share memory */
};

/* A compiled library: kernels by name. */
struct Library_code {
    std::map<std::string, Kernel> kernels;
};

/* Compiles MSL; on a mistake nullptr, with the compiler's words in `error`. */
Library_code *compile(const std::string &source, std::string &error);

/* Runs one group of `threads` threads. False if they broke a rule, which `report` then tells. */
bool run_group(const Kernel &kernel, const Lane &lane, unsigned threads);

/* What went wrong first, in the words of a message; empty if nothing did. */
std::string report();

unsigned long setting(const char *name, unsigned long otherwise);

/* Ends the process with status 1 and a message, for what this machine lacks and no fault of the host. */
[[noreturn]] void give_up(const std::string &what);

typedef std::vector<std::string> Words;

/* How a command ended. */
struct Ended {
    bool started = false, good = false;
    int signal = 0; /* that came to this process meanwhile, and ended the command */
    std::string how;
};

/* Runs a command, found on PATH, to its end; what it says goes to the file `log` in `folder`, its temporary files there too.
 * SIGINT, SIGTERM and SIGHUP end it. */
Ended run_command(const Words &command, const std::string &folder);

/* Lets the host have a signal that came while a command ran. Ends the process if the host's handler returns. */
[[noreturn]] void end_by(int signal);

/* Whether a program of this name is on PATH. */
bool on_path(const std::string &name);

} // namespace emulator

#endif
