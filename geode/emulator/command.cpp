/* command.cpp -- a command in a process group of its own, started without a shell, so that a path may hold any character.
 *
 * While it runs, signals that would end this process are caught: the command ends first, and the caller takes away what it
 * left before the host gets the signal. Its group is its own so that all that it started ends with it. */
#include "emulator.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern char **environ;

namespace emulator {

namespace {

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t came; /* the first of them, or 0 */

void on_signal(int number) {
    if (came == 0) came = number;
}

/* Catches what ends a process, whichever thread it comes to, but not what the host ignores. */
class Caught {
    struct sigaction before[3];

  public:
    Caught() {
        struct sigaction own = {};
        own.sa_handler = on_signal;
        own.sa_flags = SA_RESTART;
        came = 0;
        for (int i = 0; i < 3; i++) {
            sigaction(ending[i], nullptr, &before[i]);
            if (before[i].sa_handler != SIG_IGN) sigaction(ending[i], &own, nullptr);
        }
    }
    ~Caught() {
        for (int i = 0; i < 3; i++) sigaction(ending[i], &before[i], nullptr);
    }
};

std::string told(int status) {
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/* As exec wants them; they point into `words`. */
std::vector<char *> pointers(const Words &words) {
    std::vector<char *> all;
    for (const std::string &word : words) all.push_back(const_cast<char *>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

/* This process's environment with another TMPDIR. */
Words environment_with(const std::string &folder) {
    Words words = {"TMPDIR=" + folder};
    for (char **item = environ; *item != nullptr; item++) {
        if (std::strncmp(*item, "TMPDIR=", 7) != 0) words.push_back(*item);
    }
    return words;
}

/* The command's process, or 0 with errno set. */
pid_t started(const Words &command, const std::string &folder) {
    const Words environment = environment_with(folder);
    const std::string log = folder + "/log";
    std::vector<char *> arguments = pointers(command), variables = pointers(environment);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = 0;
    const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    errno = error;
    return error == 0 ? process : 0;
}

void wait_a_little() {
    const timespec pause = {0, 5000000};
    nanosleep(&pause, nullptr);
}

} // namespace

Ended run_command(const Words &command, const std::string &folder) {
    Ended ended;
    if (command.empty()) {
        ended.how = "GEODE_EMULATOR_CXX is empty";
        return ended;
    }
    const Caught caught;
    const pid_t process = started(command, folder);
    if (process == 0) {
        ended.how = std::strerror(errno);
        return ended;
    }
    ended.started = true;
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (came != 0 && ended.signal == 0) {
            ended.signal = came;
            kill(-process, SIGTERM);
        }
        wait_a_little();
    }
    /* What it started may write for a moment longer; what nobody reaps is there for good. */
    for (int i = 0; ended.signal != 0 && i < 60 && kill(-process, 0) == 0; i++) wait_a_little();
    ended.signal = came;
    ended.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    ended.how = told(status);
    return ended;
}

void end_by(int signal) {
    raise(signal);
    std::_Exit(128 + signal);
}

bool on_path(const std::string &name) {
    const char *path = std::getenv("PATH");
    const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t colon = folders.find(':', at), end = colon == std::string::npos ? folders.size() : colon;
        const std::string folder = end == at ? "." : folders.substr(at, end - at);
        if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
        at = end + 1;
    }
    return false;
}

void give_up(const std::string &what) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: error: %s\n", what.c_str());
    std::_Exit(1);
}

} // namespace emulator
