/* kernels.cpp -- MSL text to machine code: the text as it is, behind a metal_stdlib of plain C++, with a wrapper a kernel.
 *
 * Three things are rewritten: comments go, a threadgroup variable of a kernel becomes a reference into the group's memory, and
 * a pointer to threadgroup memory, of a function's parameter or a member, one that can be watched.
 * Of a kernel's parameters only the attributes are read; the wrapper's templates find their types (see metal_stdlib). */
#include "emulator.h"

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emulator {

namespace {

const std::map<std::string, char> attributes = {
    {"buffer", 'b'},
    {"thread_position_in_grid", 'G'},
    {"thread_position_in_threadgroup", 'L'},
    {"threadgroup_position_in_grid", 'T'},
    {"threads_per_threadgroup", 'N'},
    {"threadgroups_per_grid", 'M'},
    {"thread_index_in_threadgroup", 'I'},
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string without_comments(const std::string &text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) {
            while (i < text.size() && text[i] != '\n') i++;
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            for (; i < text.size() && i < end + 2; i++) {
                if (text[i] == '\n') out += '\n';
            }
        } else {
            out += text[i++];
        }
    }
    return out;
}

std::size_t skip_blanks(const std::string &text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) at++;
    return at;
}

std::string name_at(const std::string &text, std::size_t &at) {
    at = skip_blanks(text, at);
    const std::size_t start = at;
    while (at < text.size() && is_name(text[at])) at++;
    return text.substr(start, at - start);
}

/* The place behind what closes the bracket at `at`. */
std::size_t behind_bracket(const std::string &text, std::size_t at) {
    const char open = text[at], close = open == '(' ? ')' : open == '{' ? '}' : ']';
    unsigned depth = 0;
    for (; at < text.size(); at++) {
        if (text[at] == open) depth++;
        if (text[at] == close && --depth == 0) return at + 1;
    }
    return at;
}

bool word_at(const std::string &text, std::size_t at, const std::string &word) {
    return text.compare(at, word.size(), word) == 0 && (at == 0 || !is_name(text[at - 1])) &&
           !is_name(text[at + word.size()]);
}

/* `threadgroup T name[n]…;` -> GEODE_SHARED(T, name, [n]…) */
std::string with_shared_memory(const std::string &body) {
    std::string out;
    for (std::size_t i = 0; i < body.size();) {
        if (!word_at(body, i, "threadgroup")) {
            out += body[i++];
            continue;
        }
        std::size_t at = i + std::string("threadgroup").size();
        const std::string type = name_at(body, at), name = name_at(body, at);
        const std::size_t end = body.find(';', at);
        out += "GEODE_SHARED(" + type + ", " + name + ", " + body.substr(at, end - at) + ")";
        i = end;
    }
    return out;
}

/* `threadgroup T *` -> GEODE_SHARED_POINTER(T) */
std::string with_shared_pointers(const std::string &text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t at = i + std::string("threadgroup").size();
        const std::string type = word_at(text, i, "threadgroup") ? name_at(text, at) : "";
        at = skip_blanks(text, at);
        if (type.empty() || at >= text.size() || text[at] != '*') {
            out += text[i++];
            continue;
        }
        out += "GEODE_SHARED_POINTER(" + type + ")";
        i = at + 1;
    }
    return out;
}

/* The attribute list of a kernel's parameters as C++; false with a message for an attribute that is none. */
bool attribute_list(const std::string &parameters, std::string &list, std::string &error) {
    for (std::size_t at = parameters.find("[["); at != std::string::npos; at = parameters.find("[[", at)) {
        at += 2;
        const std::string name = name_at(parameters, at);
        const auto found = attributes.find(name);
        if (found == attributes.end()) {
            error = "unknown attribute '" + name + "'";
            return false;
        }
        const unsigned long place = parameters[at] == '(' ? std::strtoul(parameters.c_str() + at + 1, nullptr, 10) : 0;
        if (found->second == 'b' && place >= most_buffers) {
            error = "'buffer' attribute parameter is out of bounds: must be between 0 and 30";
            return false;
        }
        list += std::string("{'") + found->second + "'," + std::to_string(place) + "},";
    }
    return true;
}

bool meets(const std::string &body) {
    return body.find("barrier") != std::string::npos || body.find("GEODE_SHARED") != std::string::npos;
}

/* The text with its kernels' wrappers; false with a message. */
bool rewrite(const std::string &source, std::string &text, Library_code &code, std::string &error) {
    const std::string bare = with_shared_pointers(without_comments(source));
    std::string wrappers;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = bare.find("kernel", at)) != std::string::npos; at++) {
        if (!word_at(bare, at, "kernel")) continue;
        std::size_t place = at + 6;
        if (name_at(bare, place) != "void") continue;
        Kernel kernel;
        kernel.name = name_at(bare, place);
        const std::size_t end = behind_bracket(bare, place);
        std::string list;
        if (!attribute_list(bare.substr(place, end - place), list, error)) return false;
        const std::size_t begin = skip_blanks(bare, end), close = behind_bracket(bare, begin);
        const std::string body = with_shared_memory(bare.substr(begin, close - begin));
        text += bare.substr(done, begin - done) + body;
        done = close;
        kernel.fibres = meets(body) || setting("GEODE_EMULATOR_FIBRES", 0) != 0;
        const std::string attributes_of = "geode_attributes_" + kernel.name;
        wrappers += "static const emulator::Attribute " + attributes_of + "[] = {" + list + "};\n";
        wrappers += "extern \"C\" void geode_one_" + kernel.name + "(const emulator::Lane *lane) { emulator::call(" +
                    kernel.name + ", *lane, " + attributes_of + "); }\n";
        wrappers += "extern \"C\" void geode_all_" + kernel.name + "(const emulator::Lane *lane) { emulator::loop(" +
                    kernel.name + ", *lane, " + attributes_of + "); }\n";
        code.kernels[kernel.name] = kernel;
        at = close - 1;
    }
    text += bare.substr(done) + "\n#line 1 \"wrappers\"\n" + wrappers;
    return true;
}

std::string read_file(const std::string &path) {
    std::string text;
    FILE *file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return text;
    char piece[4096];
    for (std::size_t count; (count = std::fread(piece, 1, sizeof piece, file)) > 0;) text.append(piece, count);
    std::fclose(file);
    return text;
}

bool write_file(const std::string &path, const std::string &text) {
    FILE *file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && whole;
}

const char *variable(const char *name, const char *otherwise) {
    const char *value = std::getenv(name);
    return value != nullptr ? value : otherwise;
}

/* The words of a setting; blanks part them. */
Words words_of(const std::string &text) {
    Words words;
    for (std::size_t at = skip_blanks(text, 0), end; at < text.size(); at = skip_blanks(text, end)) {
        for (end = at; end < text.size() && !std::isspace(static_cast<unsigned char>(text[end]));) end++;
        words.push_back(text.substr(at, end - at));
    }
    return words;
}

/* Address spaces are types of their own where clang compiles. */
Words compiler() {
    const char *given = std::getenv("GEODE_EMULATOR_CXX");
    if (given != nullptr) return words_of(given);
    if (on_path("clang++")) return {"clang++", "-DGEODE_ADDRESS_SPACES"};
    return {on_path("g++") ? "g++" : "c++"};
}

/* The command but for the files. */
Words command_of() {
    Words command = compiler();
    for (const char *flag : {"-std=c++17", "-O2", GEODE_EMULATOR_TUNE, "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared",
                             "-w", "-I" GEODE_EMULATOR_FOLDER}) {
        command.push_back(flag);
    }
    if (setting("GEODE_EMULATOR_RACES", 0) != 0) command.push_back("-DGEODE_RACES");
    for (const std::string &flag : words_of(variable("GEODE_EMULATOR_FLAGS", ""))) command.push_back(flag);
    return command;
}

/* 128 bits that tell texts apart (FNV-1a, from two starts). */
std::string digest(const std::string &text) {
    std::string out;
    char digits[17];
    for (std::uint64_t hash : {0xcbf29ce484222325ull, 0x84222325cbf29ce4ull}) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
        out += digits;
    }
    return out;
}

/* A new folder for what the compiler reads and writes. */
std::string temporary_folder(const std::string &kept) {
    const std::string above = kept.empty() ? variable("TMPDIR", "/tmp") : kept;
    std::string folder = above + "/geode-emulator-XXXXXX";
    if (mkdtemp(&folder[0]) == nullptr) {
        give_up("cannot make a folder for temporary files in " + above + ": " + std::strerror(errno) +
                "\n  help: " + (kept.empty() ? "TMPDIR" : "GEODE_EMULATOR_KEPT") + " names a folder that can be written to");
    }
    return folder;
}

void remove_folder(const std::string &folder) {
    DIR *files = opendir(folder.c_str());
    while (const dirent *file = files == nullptr ? nullptr : readdir(files)) unlink((folder + "/" + file->d_name).c_str());
    if (files != nullptr) closedir(files);
    rmdir(folder.c_str());
}

/* What the compiler makes of the text, loaded; nullptr with its words. */
void *library_of(const std::string &text, std::string &error) {
    Words command = command_of();
    std::string all;
    for (const std::string &word : command) all += word + " ";
    const std::string kept = variable("GEODE_EMULATOR_KEPT", ""), place = kept + "/" + digest(all + text) + ".so";
    void *library = kept.empty() ? nullptr : dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    const std::string folder = temporary_folder(kept), source = folder + "/kernels.cpp", made = folder + "/kernels.so";
    if (!write_file(source, text)) {
        remove_folder(folder);
        give_up("cannot write " + source);
    }
    for (const std::string &word : {std::string("-o"), made, source}) command.push_back(word);
    const Ended ended = run_command(command, folder);
    if (ended.good) {
        library = dlopen(made.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) error = dlerror();
    } else {
        error = command[0] + " " + ended.how + ": " + read_file(folder + "/log");
    }
    if (library != nullptr && !kept.empty()) std::rename(made.c_str(), place.c_str());
    remove_folder(folder);
    if (ended.signal != 0) end_by(ended.signal);
    if (!ended.started) give_up("cannot start the C++ compiler " + command[0] + ": " + ended.how);
    return library;
}

} // namespace

unsigned long setting(const char *name, unsigned long otherwise) {
    const char *value = std::getenv(name);
    return value != nullptr ? std::strtoul(value, nullptr, 10) : otherwise;
}

Library_code *compile(const std::string &given, std::string &error) {
    const char *other = std::getenv("GEODE_EMULATOR_KERNELS");
    const std::string source = other != nullptr ? read_file(other) : given;
    Library_code code;
    std::string text;
    if (!rewrite(source, text, code, error)) return nullptr;
    void *library = library_of("#line 1 \"program_source\"\n" + text, error);
    if (library == nullptr) return nullptr;
    for (auto &entry : code.kernels) {
        entry.second.one = reinterpret_cast<Kernel_entry *>(dlsym(library, ("geode_one_" + entry.first).c_str()));
        entry.second.all = reinterpret_cast<Kernel_entry *>(dlsym(library, ("geode_all_" + entry.first).c_str()));
    }
    return new Library_code(code);
}

} // namespace emulator
