/* gs_span.c -- see the header. Each thread counts in a table of its own, which outlives it. */
#include "gs_span.h"

#include <stddef.h>

#ifdef GS_PROFILE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gs_cpu.h"
#include "gs_fail.h"
#include "gs_tile.h"

#define GS_SPANS 1024 /* places in a thread's table, a power of two */
#define GS_ONE_IN 7

struct place {
    const struct gs_instance *instance;
    int level;
    struct gs_span_sum sum;
};

struct thread {
    uint64_t calls, inner;
    unsigned depth;
    int measured; /* the outermost span that is open is */
    struct place places[GS_SPANS];
    struct thread *next;
};

static _Thread_local struct thread *mine;
static struct thread *threads;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct thread *here(void) {
    if (mine != NULL) return mine;
    mine = calloc(1, sizeof *mine);
    if (mine == NULL) gs_fail("out of memory: the profile");
    pthread_mutex_lock(&mutex);
    mine->next = threads;
    threads = mine;
    pthread_mutex_unlock(&mutex);
    return mine;
}

/* Where the instance counts, or could; NULL if the table is full. */
static struct place *find(struct thread *thread, const struct gs_instance *instance, int level) {
    const size_t start = ((uintptr_t)instance >> 4) * 4 + (size_t)level;
    for (size_t i = 0; i < GS_SPANS; i++) {
        struct place *place = &thread->places[(start + i) % GS_SPANS];
        if (place->instance == NULL || (place->instance == instance && place->level == level)) return place;
    }
    return NULL;
}

void gs_span_begin(struct gs_span *span) {
    struct thread *thread = here();
    if (thread->depth++ == 0) thread->measured = thread->calls++ % GS_ONE_IN == 0;
    if (!thread->measured) return;
    span->inner = thread->inner;
    thread->inner = 0;
    span->start = gs_cpu_ticks();
}

void gs_span_end(const struct gs_span *span, const struct gs_instance *instance, int level) {
    struct thread *thread = mine;
    thread->depth--;
    if (!thread->measured) return;
    const uint64_t length = gs_cpu_ticks() - span->start;
    struct place *place = find(thread, instance, level);
    if (place != NULL) {
        place->instance = instance;
        place->level = level;
        place->sum.ticks += length - thread->inner;
        place->sum.calls++;
    }
    thread->inner = span->inner + length;
}

struct gs_span_sum gs_span_sum(const struct gs_instance *instance, int level) {
    struct gs_span_sum sum = {0, 0};
    for (struct thread *thread = threads; thread != NULL; thread = thread->next) {
        const struct place *place = find(thread, instance, level);
        if (place == NULL || place->instance == NULL) continue;
        sum.ticks += place->sum.ticks;
        sum.calls += place->sum.calls;
    }
    return sum;
}

void gs_span_clear(void) {
    for (struct thread *thread = threads; thread != NULL; thread = thread->next) {
        memset(thread->places, 0, sizeof thread->places);
    }
}
#define GS_CHAINS (GS_VEC == 16 ? 20 : 10)
#define GS_STEPS 100000

static volatile float sink; /* so that the chains are computed */

double gs_span_peak(void) {
    double best = 0.0;
    for (int turn = 0; turn < 20; turn++) {
        gs_vec chain[GS_CHAINS];
        for (int i = 0; i < GS_CHAINS; i++) chain[i] = gs_set((float)i);
        const gs_vec factor = gs_set(0.999f), term = gs_set(0.001f);
        const double start = gs_cpu_seconds();
        for (int k = 0; k < GS_STEPS; k++) {
#pragma GCC unroll 20
            for (int i = 0; i < GS_CHAINS; i++) chain[i] = gs_fma(chain[i], factor, term);
        }
        const double rate = 2.0 * GS_VEC * GS_CHAINS * GS_STEPS / (gs_cpu_seconds() - start);
        for (int i = 1; i < GS_CHAINS; i++) chain[0] = gs_add(chain[0], chain[i]);
        sink = gs_first(chain[0]);
        if (rate > best) best = rate;
    }
    return best;
}
#else
double gs_span_peak(void) { return 0.0; }

struct gs_span_sum gs_span_sum(const struct gs_instance *instance, int level) {
    (void)instance;
    (void)level;
    return (struct gs_span_sum){0, 0};
}

void gs_span_clear(void) {}
#endif
