/* gs_selftest.h -- GEODE_SELFTEST=1: a device and the processor train side by side, and whatever differs ends the run.
 *
 * It is for people with a GPU that nobody has tried yet: their own program, its kernels and its data are the test. It writes
 * no files. */
#ifndef GS_SELFTEST_H
#define GS_SELFTEST_H

#include "gs_device.h"
#include "gs_options.h"

#define GS_SELFTEST_EPOCHS 5

/* The device's side of a stage: weights and optimizer, fetched after each epoch, and its scores. */
struct gs_selftest {
    struct gs_model model;
    struct gs_optimizer_state optimizer;
    double *scores; /* by member */
    size_t members;
};

/* Whether the environment asks for it, and the program trains on a device. */
bool gs_selftest_wanted(const struct gs_program *program);

/* Takes the names of models, states and metrics out of the options: a few epochs of a test may not take the place of what a
 * run has saved. PREDICT is left out for the same reason. */
void gs_selftest_write_nothing(const struct gs_program *program, struct gs_options *options);

/* The device's side, as the processor's stands now; the memory is the arena's. */
struct gs_selftest *gs_selftest_make(struct gs_arena *arena, const struct gs_model *model,
                                     const struct gs_optimizer_state *optimizer, size_t members);

/* What an epoch came to. */
struct gs_selftest_epoch {
    uint64_t number;
    bool has_center;
    struct gs_device_result device, here;
    const double *scores; /* the processor's */
    const struct gs_model *model;
    const struct gs_optimizer_state *optimizer;
};

/* Compares all bits of an epoch, the weights after it included; ends the program with the first that differ. */
void gs_selftest_compare(const struct gs_selftest *test, const struct gs_selftest_epoch *epoch);

/* Two numbers that must be the same, NaN like NaN; else ends the program: `what` in the message, `number` its place. */
void gs_selftest_same(const char *what, uint64_t number, uint64_t epoch, double device, double here);

/* Tells that nothing differed. */
void gs_selftest_passed(const struct gs_selftest *test, uint64_t epochs);

#endif
