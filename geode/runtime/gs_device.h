/* gs_device.h -- training somewhere else than on the processor: what gs_es.c asks of a device, and what it gets back.
 *
 * A program for a GPU has one `struct gs_device` (gs_program.device), written by the compiler; others have none, and are
 * linked without a line of gpu/. The weights live on the device; the host's copy is brought up to date by `fetch`. */
#ifndef GS_DEVICE_H
#define GS_DEVICE_H

#include "gs_arena.h"
#include "gs_dataset.h"
#include "gs_member.h"
#include "gs_model.h"
#include "gs_update.h"

struct gs_device_run; /* a TRAIN stage on the device */
struct gs_gpu_api;
struct gs_gpu_text;

/* A TRAIN stage as the host has set it up. */
struct gs_device_stage {
    struct gs_arena *arena; /* of the stage */
    struct gs_model *model;
    struct gs_optimizer_state *optimizer;
    const struct gs_settings *settings;
    const struct gs_entry *entry;
    struct gs_dataset data;
    size_t pairs; /* members, without ANTITHETIC */
    bool antithetic;
    uint64_t hoist_limit;
    bool last; /* no further stage trains */
};

struct gs_device_epoch {
    uint64_t number; /* the global one, that random words draw for */
    struct gs_draw draw;
    double alpha;
    bool center;   /* the mean weights are scored too */
    bool new_rows; /* the batch differs from that of the epoch before */
};

struct gs_device_result {
    double center; /* if it was asked for */
    double grad, update;
};

/* What a device does; in gpu/gs_device.c. */
struct gs_device_calls {
    /* Takes the stage over; the first one prints `device NAME`. Ends the program with a message if the device cannot. */
    struct gs_device_run *(*begin)(const struct gs_device *device, const struct gs_device_stage *stage);
    /* One epoch, the update included: scores[members] and the norms. */
    void (*epoch)(struct gs_device_run *run, const struct gs_device_epoch *epoch, double *scores,
                  struct gs_device_result *result);
    /* The score of the mean weights as they are; random words draw for epoch `number`. */
    double (*center)(struct gs_device_run *run, uint64_t number);
    /* Copies the weights, the optimizer's state too if `all`, to the host's model. */
    void (*fetch)(struct gs_device_run *run, bool all);
    /* estimate[packed_floats] of the last epoch. */
    void (*estimate)(struct gs_device_run *run, float *estimate);
    void (*end)(struct gs_device_run *run);
};

extern const struct gs_device_calls gs_device_calls;

struct gs_device {
    const char *target; /* as the program names it */
    const struct gs_device_calls *calls;
    const struct gs_gpu_api *api;
    const struct gs_gpu_text *text;
};

#endif
