/* gs_pool.c -- a counter of items and two gates, one to start a job and one to end it.
 *
 * A gate spins for some thousand pauses (an epoch's jobs follow each other in microseconds), then sleeps on a condition
 * variable, so that more workers than cores, or a loaded machine, cost little. */
#include "gs_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gs_cpu.h"
#include "gs_fail.h"

#define GS_SPINS 4000
#define GS_LINE 64 /* bytes between what different threads write */

_Thread_local uint64_t gs_pool_noise;

struct gs_worker {
    struct gs_pool *pool;
    pthread_t thread;
    size_t number;
    _Alignas(GS_LINE) uint64_t busy, noise; /* ticks; the worker's own to write */
};

struct gs_pool {
    size_t size;
    struct gs_worker *workers;
    gs_pool_task *task; /* the current job: set before `job` is counted up */
    void *context;
    size_t items;
    bool stop;
    uint64_t wall; /* ticks of all jobs */
    int spins; /* 0 where workers outnumber cores: a spinning thread would hold up a working one */
    pthread_mutex_t mutex;
    pthread_cond_t job_changed, all_done;
    _Alignas(GS_LINE) atomic_size_t next; /* item to take */
    _Alignas(GS_LINE) atomic_uint job;    /* number of the current job */
    _Alignas(GS_LINE) atomic_size_t busy; /* threads that have not finished the current job */
};

/* The worker has worked since `start`. */
static void count_time(struct gs_worker *worker, uint64_t start, uint64_t noise) {
    worker->busy += gs_cpu_ticks() - start;
    worker->noise += gs_pool_noise - noise;
}

static void take_items(struct gs_pool *pool, size_t worker) {
    const uint64_t start = gs_cpu_ticks(), noise = gs_pool_noise;
    for (;;) {
        const size_t item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (item >= pool->items) break;
        pool->task(pool->context, worker, item);
    }
    count_time(&pool->workers[worker], start, noise);
}

static unsigned wait_for_job(struct gs_pool *pool, unsigned seen) {
    for (int i = 0; i < pool->spins; i++) {
        const unsigned job = atomic_load_explicit(&pool->job, memory_order_acquire);
        if (job != seen) return job;
        gs_cpu_pause();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load_explicit(&pool->job, memory_order_acquire) == seen) {
        pthread_cond_wait(&pool->job_changed, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return atomic_load_explicit(&pool->job, memory_order_acquire);
}

static void *run_worker(void *argument) {
    struct gs_worker *worker = argument;
    struct gs_pool *pool = worker->pool;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_job(pool, seen);
        if (pool->stop) return NULL;
        take_items(pool, worker->number);
        if (atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_acq_rel) == 1) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->all_done);
            pthread_mutex_unlock(&pool->mutex);
        }
    }
}

static void start_job(struct gs_pool *pool) {
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->busy, pool->size - 1, memory_order_relaxed);
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->job, 1, memory_order_release);
    pthread_cond_broadcast(&pool->job_changed);
    pthread_mutex_unlock(&pool->mutex);
}

struct gs_pool *gs_pool_start(size_t workers) {
    struct gs_pool *pool = aligned_alloc(GS_LINE, sizeof *pool);
    struct gs_worker *records = aligned_alloc(GS_LINE, workers * sizeof *records);
    if (pool == NULL || records == NULL) gs_fail("out of memory: %zu workers", workers);
    memset(records, 0, workers * sizeof *records);
    *pool = (struct gs_pool){.size = workers, .workers = records, .spins = workers <= gs_cpu_count() ? GS_SPINS : 0};
    atomic_init(&pool->next, 0);
    atomic_init(&pool->job, 0);
    atomic_init(&pool->busy, 0);
    if (pthread_mutex_init(&pool->mutex, NULL) != 0 || pthread_cond_init(&pool->job_changed, NULL) != 0 ||
        pthread_cond_init(&pool->all_done, NULL) != 0) {
        gs_fail("cannot set up the worker threads");
    }
    for (size_t i = 1; i < workers; i++) {
        records[i].pool = pool;
        records[i].number = i;
        if (pthread_create(&records[i].thread, NULL, run_worker, &records[i]) != 0) {
            gs_fail("cannot start worker thread %zu of %zu: fewer --workers may do", i + 1, workers);
        }
    }
    return pool;
}

size_t gs_pool_size(const struct gs_pool *pool) { return pool->size; }

static void run_alone(struct gs_pool *pool, gs_pool_task *task, void *context, size_t items) {
    const uint64_t start = gs_cpu_ticks(), noise = gs_pool_noise;
    for (size_t item = 0; item < items; item++) task(context, 0, item);
    count_time(&pool->workers[0], start, noise);
}

static void wait_for_others(struct gs_pool *pool) {
    for (int i = 0; i < pool->spins; i++) {
        if (atomic_load_explicit(&pool->busy, memory_order_acquire) == 0) return;
        gs_cpu_pause();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load_explicit(&pool->busy, memory_order_acquire) != 0) {
        pthread_cond_wait(&pool->all_done, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

void gs_pool_run(struct gs_pool *pool, gs_pool_task *task, void *context, size_t items) {
    const uint64_t start = gs_cpu_ticks();
    if (pool->size == 1 || items <= 1) { /* nothing to share: leave the others asleep */
        run_alone(pool, task, context, items);
    } else {
        pool->task = task;
        pool->context = context;
        pool->items = items;
        start_job(pool);
        take_items(pool, 0);
        wait_for_others(pool);
    }
    pool->wall += gs_cpu_ticks() - start;
}

struct gs_pool_times gs_pool_times(const struct gs_pool *pool) {
    struct gs_pool_times times = {.wall = pool->wall};
    for (size_t i = 0; i < pool->size; i++) {
        times.busy += pool->workers[i].busy;
        times.noise += pool->workers[i].noise;
    }
    return times;
}

void gs_pool_stop(struct gs_pool *pool) {
    if (pool->size > 1) {
        pool->stop = true;
        start_job(pool);
        for (size_t i = 1; i < pool->size; i++) pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->all_done);
    pthread_cond_destroy(&pool->job_changed);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool);
}
