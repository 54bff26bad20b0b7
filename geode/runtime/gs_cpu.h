/* gs_cpu.h -- what the machine has: cores, a clock, a pause for spin loops, the instructions the binary needs. */
#ifndef GS_CPU_H
#define GS_CPU_H

#include <stddef.h>

/* Cores that this process may use, at least 1. */
size_t gs_cpu_count(void);

/* Seconds of a clock that never goes back, from an arbitrary start. */
double gs_cpu_seconds(void);

/* NULL, or the name of an instruction set that this binary was compiled for and the machine lacks. Such a machine ends
 * the program before main, with a message. */
const char *gs_cpu_missing(void);

/* One turn of a spin loop. */
static inline void gs_cpu_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
