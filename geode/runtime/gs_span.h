/* gs_span.h -- clocks in the units, in programs compiled with GS_PROFILE alone; elsewhere the macros are nothing.
 *
 * A function of a unit is a span; its own time is its length less that of the spans inside it. One call in seven of the
 * outermost functions is measured, with all it calls, so that reading the clock costs next to nothing. */
#ifndef GS_SPAN_H
#define GS_SPAN_H

#include <stdint.h>

struct gs_instance;

struct gs_span_sum {
    uint64_t ticks, calls;
};

#ifdef GS_PROFILE
struct gs_span {
    uint64_t start, inner;
};

void gs_span_begin(struct gs_span *span);
void gs_span_end(const struct gs_span *span, const struct gs_instance *instance, int level);

#define GS_ENTER       \
    struct gs_span gs_span_here; \
    gs_span_begin(&gs_span_here)
#define GS_LEAVE(level) gs_span_end(&gs_span_here, self, level)
#else
#define GS_ENTER ((void)0)
#define GS_LEAVE(level) ((void)0)
#endif

/* What was measured of an instance at a level (0 run ... 3 member) since gs_span_clear, of all threads; while none of
 * them works. Nothing without GS_PROFILE. */
struct gs_span_sum gs_span_sum(const struct gs_instance *instance, int level);
void gs_span_clear(void);

/* What this core does at most now: independent fused multiply-adds in registers, operations a second; takes some
 * milliseconds. 0 without GS_PROFILE. */
double gs_span_peak(void);

#endif
