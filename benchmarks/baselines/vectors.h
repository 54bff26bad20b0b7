/* vectors.h -- what the hand-written baselines share: the processor's widest vector, a clock, aligned memory, a barrier.
 *
 * The baselines know nothing of Geode's runtime: they are what a patient author of C would write for one fixed shape, and
 * are compiled with -O3 -march=native, contraction allowed. */
#ifndef GS_BASELINE_VECTORS_H
#define GS_BASELINE_VECTORS_H
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#define WIDTH 16
#elif defined(__AVX__)
#define WIDTH 8
#else
#define WIDTH 4
#endif

typedef float vec __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ivec __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t uvec __attribute__((vector_size(4 * WIDTH)));

#define INLINE static inline __attribute__((always_inline))

INLINE vec spread(float x) { return x - (vec){0}; }
INLINE vec choose(ivec mask, vec yes, vec no) { return (vec)((mask & (ivec)yes) | (~mask & (ivec)no)); }
INLINE vec relu(vec x) { return choose(x > 0.0f, x, (vec){0}); }

static inline double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Zeroed, on a page boundary; a failure ends the process. */
static inline void *pages(size_t bytes) {
    void *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (memory == NULL) exit(1);
    return memset(memory, 0, bytes);
}

struct barrier {
    atomic_int waiting, turn;
    int threads;
};

/* Spins for a while, then gives the core away. */
static inline void meet(struct barrier *b) {
    const int turn = atomic_load(&b->turn);
    if (atomic_fetch_add(&b->waiting, 1) + 1 == b->threads) {
        atomic_store(&b->waiting, 0);
        atomic_fetch_add(&b->turn, 1);
        return;
    }
    for (int spins = 0; atomic_load(&b->turn) == turn; spins++) {
        if (spins > 4000) sched_yield();
    }
}
#endif
