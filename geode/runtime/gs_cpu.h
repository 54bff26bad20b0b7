/* gs_cpu.h -- what the machine has: cores, a clock, a pause for spin loops, the instructions the binary needs. */
#ifndef GS_CPU_H
#define GS_CPU_H

#include <stddef.h>
#include <stdint.h>

/* Cores that this process may use, at least 1. */
size_t gs_cpu_count(void);

/* Bytes of memory that are free for use, or those that the machine has where that isn't told; 0 if neither is known. */
double gs_cpu_memory(void);

/* Seconds of a clock that never goes back, from an arbitrary start. */
double gs_cpu_seconds(void);

/* Ticks of a counter of the processor: cheap, at a constant rate that only gs_cpu_seconds tells. */
static inline uint64_t gs_cpu_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)(gs_cpu_seconds() * 1e9);
#endif
}

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
