/* gs_cpu_check.c -- ends a program before main on a machine that lacks what it was compiled for.
 *
 * The build compiles this file for any processor of the family and tells it by macros GS_NEEDS_... what the rest of the
 * binary uses, so that it can speak where main could not run.
 */
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdio.h>
#include <stdlib.h>

#include "gs_cpu.h"
#include "gs_program.h"

#if defined(__x86_64__)
#define SAVES_AVX 0x06u    /* of XCR0: the system saves the vector registers of AVX, */
#define SAVES_AVX512 0xe6u /* and those and the masks of AVX-512 */

/* What the processor has and the system saves. __builtin_cpu_supports would be shorter, but zig's answers no to all. */
struct processor {
    unsigned leaf1_ecx;
    unsigned leaf7_ebx;
    unsigned saved;
};

static struct processor ask_processor(void) {
    struct processor found = {0, 0, 0};
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d)) found.leaf1_ecx = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) found.leaf7_ebx = b;
    if (found.leaf1_ecx & bit_OSXSAVE) {
        unsigned low, high;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        (void)high;
        found.saved = low;
    }
    return found;
}

/* Whether all of `needed` are among `bits`. */
static int has(unsigned bits, unsigned needed) { return (bits & needed) == needed; }
#endif

const char *gs_cpu_missing(void) {
#if defined(__x86_64__)
    const struct processor cpu = ask_processor();
    const int avx = has(cpu.saved, SAVES_AVX), avx512 = has(cpu.saved, SAVES_AVX512);
    (void)avx;
    (void)avx512; /* a processor family without them needs neither */
#if defined(GS_NEEDS_AVX512F) || defined(__AVX512F__)
    if (!avx512 || !has(cpu.leaf7_ebx, bit_AVX512F)) return "AVX-512F";
#endif
#if defined(GS_NEEDS_AVX512BW) || defined(__AVX512BW__)
    if (!has(cpu.leaf7_ebx, bit_AVX512BW)) return "AVX-512BW";
#endif
#if defined(GS_NEEDS_AVX512DQ) || defined(__AVX512DQ__)
    if (!has(cpu.leaf7_ebx, bit_AVX512DQ)) return "AVX-512DQ";
#endif
#if defined(GS_NEEDS_AVX512VL) || defined(__AVX512VL__)
    if (!has(cpu.leaf7_ebx, bit_AVX512VL)) return "AVX-512VL";
#endif
#if defined(GS_NEEDS_AVX2) || defined(__AVX2__)
    if (!avx || !has(cpu.leaf7_ebx, bit_AVX2)) return "AVX2";
#endif
#if defined(GS_NEEDS_FMA) || defined(__FMA__)
    if (!avx || !has(cpu.leaf1_ecx, bit_FMA)) return "FMA";
#endif
#if defined(GS_NEEDS_BMI2) || defined(__BMI2__)
    if (!has(cpu.leaf7_ebx, bit_BMI2)) return "BMI2";
#endif
#endif
    return NULL;
}

/* Before main, and with the C library alone: nothing else of the binary is sure to run here. */
__attribute__((constructor)) static void check_processor(void) {
    const char *const name = gs_cpu_missing();
    if (name == NULL) return;
    fprintf(stderr, "%s: error: this machine has no %s, for which the program was compiled\n", gs_program.name, name);
    fputs("  help: geode build --profile portable makes a program for every x86-64-v3 processor\n", stderr);
    _Exit(1);
}
