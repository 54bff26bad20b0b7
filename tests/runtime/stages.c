/* stages.c -- a program of five stages written by hand: a line a x + b fitted to rows (x, y).
 *
 * TRAIN on a slice of the rows, TRAIN on batches, EVALUATE, PREDICT, TRAIN on episodes; with a parameter that is not
 * trained. For test_stages.py. */
#include <math.h>

#include "gs_program.h"
#include "gs_tile.h"

/* (a x + b - y)^2 + c */
static void loss_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                        float *pair, float *scratch, const float *row, float *out) {
    const float a = tile->slots[self->slots[0]].wp[0], b = tile->slots[self->slots[1]].wp[0];
    const float c = tile->slots[self->slots[2]].wp[0];
    (void)epoch, (void)pair, (void)scratch;
    for (size_t l = 0; l < GS_LANES; l += GS_VEC) {
        const gs_vec y = gs_add(gs_mul(gs_set(a), gs_load(row + l)), gs_set(b));
        const gs_vec d = gs_sub(y, gs_load(run + l));
        gs_store(out + l, gs_add(gs_mul(d, d), gs_set(c)));
    }
}

/* The run level keeps y, which no parameter touches. */
static void loss_run(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                     float *pair, float *scratch, const float *row, float *out) {
    (void)tile, (void)self, (void)epoch, (void)pair, (void)scratch, (void)out;
    for (size_t l = 0; l < GS_LANES; l += GS_VEC) gs_store(run + l, gs_load(row + GS_LANES + l));
}

static void line_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                        float *pair, float *scratch, const float *row, float *out) {
    const float a = tile->slots[self->slots[0]].wp[0], b = tile->slots[self->slots[1]].wp[0];
    (void)run, (void)epoch, (void)pair, (void)scratch;
    for (size_t l = 0; l < GS_LANES; l += GS_VEC) {
        const gs_vec y = gs_add(gs_mul(gs_set(a), gs_load(row + l)), gs_set(b));
        gs_store(out + l, y);
        gs_store(out + GS_LANES + l, gs_negate(y));
    }
}

/* (a - 1)^2 + the row's place */
static void episode_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                           float *pair, float *scratch, const float *row, float *out) {
    const float a = tile->slots[self->slots[0]].wp[0];
    (void)run, (void)epoch, (void)pair, (void)scratch, (void)row;
    for (size_t l = 0; l < GS_LANES; l++) out[l] = (a - 1.0f) * (a - 1.0f) + (float)(tile->first_row + l);
}

static double mean(const struct gs_tile_context *tile, const struct gs_instance *self, float *scratch,
                   const double *sums, uint64_t rows) {
    (void)tile, (void)self, (void)scratch;
    return sums[0] / (double)rows;
}

static const uint32_t slots[] = {0, 1, 2};
static const struct gs_unit unit = {.name = "LOSS", .flops = 5};
static const struct gs_instance root = {.unit = &unit, .slots = slots};

static const struct gs_parameter parameters[] = {
    {.name = "a", .m = 1, .n = 1, .offset = 0, .trainable = true, .kind = GS_KIND_VECTOR, .forms = GS_FORM_MATERIALISED,
     .stream = 1, .init_stream = 101},
    {.name = "b", .m = 1, .n = 1, .offset = 16, .trainable = true, .kind = GS_KIND_VECTOR,
     .forms = GS_FORM_MATERIALISED, .stream = 2, .init_stream = 102},
    {.name = "c", .m = 1, .n = 1, .offset = 32, .kind = GS_KIND_VECTOR, .forms = GS_FORM_MATERIALISED,
     .init = GS_INIT_CONSTANT, .init_value = 0.5, .stream = 3, .init_stream = 103},
};

static const struct gs_entry loss = {
    .word = "LOSS", .root = &root, .run = loss_run, .member = loss_member, .finish = mean, .run_floats = GS_LANES,
    .row_floats = 2, .outputs = 1};
static const struct gs_entry line = {.word = "LINE", .root = &root, .member = line_member, .row_floats = 1, .outputs = 2};
static const struct gs_entry episode = {.word = "EPISODE-LOSS", .root = &root, .member = episode_member,
                                        .finish = mean, .outputs = 1};

static const struct gs_data_file data_files[] = {
    {.path = "train.csv", .row_floats = 2}, {.path = "points.csv", .row_floats = 1}};

static const struct gs_stage stages[] = {
    {.kind = GS_STAGE_TRAIN, .entry = &loss, .batch = GS_BATCH_ALL, .first_row = 2, .row_count = 7},
    {.kind = GS_STAGE_TRAIN, .entry = &loss, .batch = GS_BATCH_SAMPLE, .batch_rows = 4},
    {.kind = GS_STAGE_EVALUATE, .entry = &loss, .batch = GS_BATCH_ALL},
    {.kind = GS_STAGE_PREDICT, .entry = &line, .batch = GS_BATCH_ALL, .data = 1, .predict_path = "line.csv"},
    {.kind = GS_STAGE_TRAIN, .entry = &episode, .batch = GS_BATCH_EPISODES, .batch_rows = 5, .data = -1},
};

#define SETTINGS                                                                                                       \
    {.epochs = 30, .population = 32, .seed = 3, .workers = 2, .sampling = GS_SAMPLING_ANTITHETIC, .rank = 1,           \
     .sigma = 0.05, .sigma_factor = 1.0, .noise_reuse = 1, .optimizer = GS_OPTIMIZER_ADAM, .alpha = 0.1,               \
     .alpha_factor = 1.0,                                                                                              \
     .update_clip = INFINITY, .sgdm_beta = 0.9, .rmsprop_beta = 0.99, .rmsprop_epsilon = 1e-8, .adam_beta1 = 0.9,      \
     .adam_beta2 = 0.999, .adam_epsilon = 1e-8, .muon_beta = 0.9, .muon_kappa = 0.1, .muon_steps = 5,                  \
     .stop_below = -INFINITY, .stop_above = INFINITY, .time_limit = INFINITY, .metrics = true, .metrics_every = 1,     \
     .loop_limit = 1000000, .evaluate_every = 1}

const struct gs_settings gs_stage_settings[] = {SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS};

const struct gs_program gs_program = {
    .abi = GS_ABI, .name = "stages", .lanes = GS_LANES, .parameters = parameters, .parameter_count = 3,
    .parameter_floats = 48, .data_files = data_files, .data_file_count = 2, .stages = stages,
    .settings = gs_stage_settings, .stage_count = 5};
