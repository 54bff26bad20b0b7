// math_probe.cpp -- behind the text of kernels: what their float64 and their elementary functions make of numbers.
//
// `probe float64 COUNT`: COUNT pairs of numbers, made here, through every operation of float64, against the processor's; says
// what differs. `probe all COUNT`: as tests/runtime/math_probe.c, for the functions that gs_math_wide.h has.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static double as_double(ulong bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

static ulong state = 1;

static ulong random_word() { // splitmix64
    ulong z = state += 0x9e3779b97f4a7c15ul;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
    return z ^ (z >> 31);
}

// Any bits; few of them, so that sums end half way between two numbers; near 1; a float; subnormal; a special number.
static ulong random_number() {
    const ulong special[] = {0ul, 1ul, 0x000ffffffffffffful, 0x0010000000000000ul, 0x3ff0000000000000ul,
                             0x7feffffffffffffful, 0x7ff0000000000000ul, 0x7ff8000000000000ul};
    const ulong word = random_word(), kind = random_word() % 8, sign = word & 0x8000000000000000ul;
    const ulong near = 1023ul + random_word() % 120ul - 60ul;
    switch (kind) {
    case 0: return sign | special[word % 8];
    case 1: return sign | (word & 0x000ffffffffffffful); // subnormal
    case 2: return word;
    case 3: return sign | near << 52 | (word & 0x000e000000000007ul);
    case 4: return sign | near << 52 | (word & 0x000fffffe0000000ul);
    case 5: return sign | (870ul + random_word() % 40ul) << 52 | (word & 0x000ffffffffffffful); // floats go subnormal
    default: return sign | near << 52 | (word & 0x000ffffffffffffful);
    }
}

static unsigned wrong;

static void expect(const char *what, ulong a, ulong b, ulong found, ulong wanted, bool is_nan) {
    if (is_nan ? (found & 0x7ffffffffffffffful) > 0x7ff0000000000000ul : found == wanted) return;
    if (wrong++ < 5) std::printf("%s of %016lx %016lx is %016lx, not %016lx\n", what, (unsigned long)a, (unsigned long)b,
                                 (unsigned long)found, (unsigned long)wanted);
}

static void expect_number(const char *what, ulong a, ulong b, gs_f64 found, double wanted) {
    ulong bits;
    std::memcpy(&bits, &wanted, sizeof bits);
    expect(what, a, b, gs_f64_bits(found), bits, wanted != wanted);
}

static int check_float64(unsigned long count) {
    for (unsigned long i = 0; i < count; i++) {
        const ulong a = random_number(), b = random_number();
        const gs_f64 x = gs_f64_from_bits(a), y = gs_f64_from_bits(b);
        const double p = as_double(a), q = as_double(b);
        expect_number("+", a, b, x + y, p + q);
        expect_number("-", a, b, x - y, p - q);
        expect_number("*", a, b, x * y, p * q);
        expect_number("/", a, b, x / y, p / q);
        expect_number("root", a, b, gs_f64_root(x), __builtin_sqrt(p));
        expect_number("of_long", a, b, gs_f64_of_long((long)a), (double)(long)a);
        expect("<", a, b, x < y ? 1 : 0, p < q ? 1 : 0, false);
        expect(">", a, b, x > y ? 1 : 0, p > q ? 1 : 0, false);
        expect("==", a, b, x == y ? 1 : 0, p == q ? 1 : 0, false);
        expect("!=", a, b, x != y ? 1 : 0, p != q ? 1 : 0, false);
        const float narrow = gs_f64_narrow(x), wanted = (float)p;
        uint bits[2];
        std::memcpy(&bits[0], &narrow, 4);
        std::memcpy(&bits[1], &wanted, 4);
        if (p == p) expect("narrow", a, b, bits[0], bits[1], false);
        else expect("narrow of NaN", a, b, narrow != narrow ? 1 : 0, 1, false);
        expect_number("of", a, b, gs_f64_of(wanted), (double)wanted);
    }
    return wrong != 0;
}

struct Function {
    const char *name;
    float (*run)(float x, float y);
};

#define ONE(name) {#name, [](float x, float) { return gs_##name(x); }},
#define TWO(name) {#name, [](float x, float y) { return gs_##name(x, y); }},

static const Function functions[] = {ONE(log2) ONE(log10) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) TWO(atan2) TWO(pow)};

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const unsigned long count = std::strtoul(argv[2], nullptr, 10);
    if (std::strcmp(argv[1], "float64") == 0) return check_float64(count);
    std::vector<float> x(count), y(count), out(count);
    if (std::fread(x.data(), 4, count, stdin) != count || std::fread(y.data(), 4, count, stdin) != count) return 3;
    for (const Function &function : functions) {
        for (unsigned long i = 0; i < count; i++) out[i] = function.run(x[i], y[i]);
        if (std::fwrite(out.data(), 4, count, stdout) != count) return 3;
    }
    return 0;
}
