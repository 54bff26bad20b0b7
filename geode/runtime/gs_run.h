/* gs_run.h -- a run: what goes on from stage to stage, and how far it has come. */
#ifndef GS_RUN_H
#define GS_RUN_H

#include <stdio.h>

#include "gs_model.h"
#include "gs_options.h"
#include "gs_sha256.h"
#include "gs_update.h"

/* The best score of a kind so far in a stage, and when and by whom. */
struct gs_best {
    bool some;
    double score;
    uint64_t epoch, member;
    float *weights; /* those that had it, laid out as theta; NULL in a run that saves nothing */
};

/* How far the TRAIN stage has come that runs now or ran last. */
struct gs_progress {
    size_t stage;    /* index into the program's stages */
    uint64_t epochs; /* of the stage, done */
    uint64_t waited; /* epochs since the last new best */
    double score;    /* what STOP-BELOW and STOP-ABOVE look at, of the last epoch; NaN if it had none */
    uint64_t cursor; /* BATCH: place in the current pass */
    struct gs_best best_member, best_weights;
};

struct gs_run {
    const struct gs_program *program;
    struct gs_options options;
    struct gs_arena arena; /* parameters, optimizer state, best weights: what outlives a stage */
    struct gs_arena rows;  /* the data of the current stage */
    struct gs_model model;
    struct gs_optimizer_state optimizer;
    bool has_optimizer;
    uint64_t epoch; /* epochs done, through all stages */
    uint64_t pass;  /* passes over shuffled data begun, through all stages */
    uint64_t evaluations, nan_members; /* totals of members scored, and of those whose score was not finite */
    struct gs_progress progress;
    bool resumed;          /* the stage of `progress` goes on from there; before it, stages are left out */
    bool saves;            /* some stage saves weights or state */
    char (*rows_digest)[GS_SHA256_HEX]; /* by TRAIN stage: SHA-256 of its rows, empty where they are not known yet */
    const char *changes;   /* differences that were accepted when resuming, as the checkpoint tells them */
    double start;          /* gs_cpu_seconds() at the program's start */
    FILE *metrics;         /* METRICS-FILE, or NULL */
    const char *metrics_path;
};

#endif
