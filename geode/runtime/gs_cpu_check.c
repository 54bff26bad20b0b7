/* gs_cpu_check.c -- ends a program before main on a machine that lacks what it was compiled for.
 *
 * The build compiles this file for any processor of the family and tells it by macros GS_NEEDS_... what the rest of the
 * binary uses, so that it can speak where main could not run.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gs_cpu.h"
#include "gs_program.h"

const char *gs_cpu_missing(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
#if defined(GS_NEEDS_AVX512F) || defined(__AVX512F__)
    if (!__builtin_cpu_supports("avx512f")) return "AVX-512F";
#endif
#if defined(GS_NEEDS_AVX512BW) || defined(__AVX512BW__)
    if (!__builtin_cpu_supports("avx512bw")) return "AVX-512BW";
#endif
#if defined(GS_NEEDS_AVX512DQ) || defined(__AVX512DQ__)
    if (!__builtin_cpu_supports("avx512dq")) return "AVX-512DQ";
#endif
#if defined(GS_NEEDS_AVX512VL) || defined(__AVX512VL__)
    if (!__builtin_cpu_supports("avx512vl")) return "AVX-512VL";
#endif
#if defined(GS_NEEDS_AVX2) || defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2")) return "AVX2";
#endif
#if defined(GS_NEEDS_FMA) || defined(__FMA__)
    if (!__builtin_cpu_supports("fma")) return "FMA";
#endif
#if defined(GS_NEEDS_BMI2) || defined(__BMI2__)
    if (!__builtin_cpu_supports("bmi2")) return "BMI2";
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
