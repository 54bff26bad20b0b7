/* gs_generation.h -- a TRAIN stage on a GPU: where everything stands in the device's buffers, and the kernels by number. */
#ifndef GS_GENERATION_H
#define GS_GENERATION_H

#include "../gs_device.h"
#include "../gs_program.h"
#include "gs_gpu.h"

/* The kernels of a stage. */
struct gs_kernels {
    size_t prepare, members, score; /* of the entry */
    size_t shape, standardise, estimate, update, update_muon, momentum, begin, multiply;
};

/* One matrix of MUON: its blocks, and where X, the other X, A and Y stand in the state. */
struct gs_muon_matrix {
    size_t parameter, first_block, blocks, x, other, a, y;
};

struct gs_device_run {
    const struct gs_device *device;
    struct gs_device_stage stage;
    struct gs_gpu *gpu;
    struct gs_kernels kernels;
    struct gs_passes passes; /* of the entry */
    struct gs_args args;
    uint32_t *table; /* as the device has it */
    size_t table_words;
    size_t chunk;    /* pairs at work at a time */
    size_t batch;    /* pairs of a batch of dispatches: more would keep the device busy for too long */
    size_t most_groups;
    bool owns;       /* some members' weights are built from low-rank noise */
    bool fresh;      /* run-level values are still to be computed */
    struct gs_muon_matrix *muon;
    size_t muon_count;
    bool muon_wide;  /* a matrix is too much for one group */
    struct gs_blocks blocks;
    double *block_sums;
    uint64_t *scores; /* room for them */
};

/* Lays the stage out in the device's buffers and fills them. */
void gs_generation_place(struct gs_device_run *run);

/* Writes the table of parameters with the step sizes of an update to the device. */
void gs_generation_write_table(struct gs_device_run *run, double alpha);

#endif
