/* gs_pool.h -- worker threads that are kept for the whole run and take numbered items of a job.
 *
 * Which worker takes which item is a matter of chance; a job therefore writes its results by item, never by worker,
 * and then they are the same for any number of workers. */
#ifndef GS_POOL_H
#define GS_POOL_H

#include <stddef.h>
#include <stdint.h>

#define GS_POOL_MOST 1024

struct gs_pool;

/* One item of a job. `worker` is below the pool's size and names scratch that nobody else uses meanwhile. */
typedef void gs_pool_task(void *context, size_t worker, size_t item);

/* Starts `workers` (1 ... GS_POOL_MOST) workers, the calling thread being number 0. Ends the program on failure. */
struct gs_pool *gs_pool_start(size_t workers);

size_t gs_pool_size(const struct gs_pool *pool);

/* What the pool has done since it was started, in ticks of gs_cpu_ticks: the length of all jobs, the time that all
 * workers together worked in them, and drew noise. While no job runs. */
struct gs_pool_times {
    uint64_t wall, busy, noise;
};

/* Ticks that this thread has spent drawing noise for members: counted up by who draws it. */
extern _Thread_local uint64_t gs_pool_noise;

struct gs_pool_times gs_pool_times(const struct gs_pool *pool);

/* Runs `task` for the items 0 ... items - 1 and returns when all are done. Only the thread that started the pool calls
 * this. Everything written before is visible to the tasks, everything they wrote is visible after. */
void gs_pool_run(struct gs_pool *pool, gs_pool_task *task, void *context, size_t items);

/* Ends the threads and frees the pool. */
void gs_pool_stop(struct gs_pool *pool);

#endif
