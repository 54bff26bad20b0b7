/* kernels.cpp -- MSL text to machine code: the text as it is, behind a metal_stdlib of plain C++, with a wrapper a kernel.
 *
 * Three things are rewritten: comments go, a threadgroup variable of a kernel becomes a reference into the group's memory, and
 * a pointer to threadgroup memory, of a function's parameter or a member, one that can be watched.
 * Of a kernel's parameters only the attributes are read; the wrapper's templates find their types (see metal_stdlib). */
#include "emulator.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>

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

/* Address spaces are types of their own where clang compiles. */
std::string compiler() {
    const char *given = std::getenv("GEODE_EMULATOR_CXX");
    if (given != nullptr) return given;
    const bool clang = std::system("command -v clang++ >/dev/null 2>&1") == 0;
    return clang ? "clang++ -DGEODE_ADDRESS_SPACES" : "g++";
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

/* What the compiler makes of the text, loaded; nullptr with its words. */
void *library_of(const std::string &text, std::string &error) {
    const char *races = setting("GEODE_EMULATOR_RACES", 0) != 0 ? " -DGEODE_RACES" : "";
    const std::string flags = compiler() + " -std=c++17 -O2 " + GEODE_EMULATOR_TUNE +
                              " -ffp-contract=off -fno-math-errno -fPIC -shared -w -I'" GEODE_EMULATOR_FOLDER "'" + races + " " +
                              variable("GEODE_EMULATOR_FLAGS", "");
    const std::string kept = variable("GEODE_EMULATOR_KEPT", ""), place = kept + "/" + digest(flags + text) + ".so";
    void *library = kept.empty() ? nullptr : dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    std::string folder = (kept.empty() ? std::string(variable("TMPDIR", "/tmp")) : kept) + "/geode-emulator-XXXXXX";
    if (mkdtemp(&folder[0]) == nullptr) {
        error = "no folder for temporary files: " + folder;
        return nullptr;
    }
    const std::string made = folder + "/kernels.so";
    const std::string command = flags + " -o '" + made + "' '" + folder + "/kernels.cpp' 2> '" + folder + "/log'";
    const bool written = write_file(folder + "/kernels.cpp", text), failed = !written || std::system(command.c_str()) != 0;
    if (failed) error = written ? read_file(folder + "/log") : "cannot write " + folder;
    library = failed ? nullptr : dlopen(made.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!failed && library == nullptr) error = dlerror();
    if (library != nullptr && !kept.empty()) std::rename(made.c_str(), place.c_str());
    for (const char *name : {"/kernels.cpp", "/kernels.so", "/log"}) unlink((folder + name).c_str());
    rmdir(folder.c_str());
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
