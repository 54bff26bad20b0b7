/* program.c -- the quick start written by hand: 100 -> 8 ReLU -> 100, squared error summed over the rows.
 *
 * What the compiler would emit for examples/sine-ae.gs, in one file: NEURON's W x is an epoch value, its E x a pair value,
 * LINO uses the pair's perturbed matrix. It drives the whole runtime without the compiler. */
#include <math.h>

#include "gs_program.h"
#include "gs_tile.h"
#include "kernels/gs_activation.h"
#include "kernels/gs_linear.h"

#define IN 100
#define HIDDEN 8
#define BLOCK 8

static void objective_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                            float *pair, float *scratch, const float *row, float *out) {
    (void)run, (void)pair, (void)scratch, (void)out;
    gs_linear(tile->slots[self->slots[0]].w, row, epoch, HIDDEN, IN);
}

static void objective_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch,
                           float *pair, float *scratch, const float *row, float *out) {
    (void)run, (void)epoch, (void)scratch, (void)out;
    gs_linear(tile->slots[self->slots[0]].e, row, pair, HIDDEN, IN);
}

static void objective_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *run,
                             float *epoch, float *pair, float *scratch, const float *row, float *out) {
    const struct gs_slot *neuron = &tile->slots[self->slots[0]], *lino = &tile->slots[self->slots[1]];
    float *hidden = scratch, *y = scratch + HIDDEN * GS_LANES;
    (void)run;
    for (size_t i = 0; i < HIDDEN * GS_LANES; i += GS_VEC) {
        const gs_vec h = gs_fma(gs_set(neuron->ss), gs_load(pair + i), gs_load(epoch + i));
        gs_store(hidden + i, gs_relu(h));
    }
    gs_vec sums[GS_VECS]; /* all of a tile's chains at once: one alone would wait for each addition */
    for (size_t q = 0; q < GS_VECS; q++) sums[q] = gs_set(0.0f);
    for (size_t j = 0; j < IN; j += BLOCK) { /* a few outputs at a time stay in the first-level cache */
        const size_t some = IN - j < BLOCK ? IN - j : BLOCK;
        gs_linear(lino->wp + j * HIDDEN, hidden, y, some, HIDDEN);
        for (size_t i = 0; i < some; i++) {
            GS_UNROLL
            for (size_t q = 0; q < GS_VECS; q++) {
                const gs_vec x = gs_load(row + (j + i) * GS_LANES + q * GS_VEC);
                const gs_vec d = gs_sub(x, gs_load(y + i * GS_LANES + q * GS_VEC));
                sums[q] = gs_fma(d, d, sums[q]);
            }
        }
    }
    for (size_t q = 0; q < GS_VECS; q++) gs_store(out + q * GS_VEC, sums[q]);
}

static double objective_finish(const struct gs_tile_context *tile, const struct gs_instance *self, float *scratch,
                               const double *sums, uint64_t rows) {
    (void)tile, (void)self, (void)scratch, (void)rows;
    return sums[0];
}

static const uint32_t slots[] = {0, 1};
static const struct gs_unit unit = {.name = "OBJECTIVE", .scratch_floats = (HIDDEN + IN) * GS_LANES, .flops = 2.0 * 2 * IN * HIDDEN + 3 * IN};
static const struct gs_instance root = {.unit = &unit, .slots = slots};

static const struct gs_parameter parameters[] = {
    {.name = "FORWARD/NEURON/weight", .axes = 2, .shape = {HIDDEN, IN}, .m = HIDDEN, .n = IN, .offset = 0,
     .trainable = true, .kind = GS_KIND_MATRIX, .forms = GS_FORM_SPLIT, .init = GS_INIT_NORMAL,
     .init_value = 0x1.21a1851ff630ap-3, .stream = 0xdbc13e3010f2fcccu, .init_stream = 0x6efe72e7fedf2d43u},
    {.name = "FORWARD/LINO/weight", .axes = 2, .shape = {IN, HIDDEN}, .m = IN, .n = HIDDEN, .offset = 800,
     .trainable = true, .kind = GS_KIND_MATRIX, .forms = GS_FORM_MATERIALISED, .init = GS_INIT_NORMAL,
     .init_value = 0x1.16b28f55d72d4p-3, .stream = 0x87d7c357caf084b3u, .init_stream = 0xbbc6a9aab34f1994u},
};

static const struct gs_entry objective = {
    .word = "OBJECTIVE", .root = &root, .epoch = objective_epoch, .pair = objective_pair, .member = objective_member,
    .finish = objective_finish, .epoch_floats = HIDDEN * GS_LANES, .pair_floats = HIDDEN * GS_LANES,
    .row_floats = IN, .outputs = 1};

static const struct gs_data_file data_files[] = {
    {.path = "datasets/sine-1000.csv", .kind = GS_DATA_CSV, .axes = 1, .shape = {IN}, .row_floats = IN}};

static const struct gs_stage stages[] = {{.kind = GS_STAGE_TRAIN, .entry = &objective, .batch = GS_BATCH_ALL}};

const struct gs_settings gs_stage_settings[] = {
    {.direction = GS_DIRECTION_LOSS, .epochs = 200, .population = 256, .seed = 42, .workers = 4,
     .sampling = GS_SAMPLING_ANTITHETIC, .perturbation = GS_PERTURBATION_GAUSSIAN, .rank = 1, .sigma = 0.01,
     .sigma_factor = 1.0, .noise_reuse = 1, .shaping = GS_SHAPING_RANK_SHAPED, .optimizer = GS_OPTIMIZER_MUON,
     .alpha = 0.01, .alpha_factor = 1.0, .update_clip = INFINITY, .sgdm_beta = 0.9, .rmsprop_beta = 0.99, .rmsprop_epsilon = 1e-8,
     .adam_beta1 = 0.9, .adam_beta2 = 0.999, .adam_epsilon = 1e-8, .muon_beta = 0.9, .muon_warmup = 5,
     .muon_kappa = 0.1, .muon_steps = 5, .stop_below = -INFINITY, .stop_above = INFINITY, .time_limit = INFINITY,
     .loop_limit = 1000000, .metrics = true, .metrics_every = 1}};

const struct gs_program gs_program = {
    .abi = GS_ABI, .name = "sine-ae", .lanes = GS_LANES, .parameters = parameters, .parameter_count = 2,
    .parameter_floats = 1600, .data_files = data_files, .data_file_count = 1, .stages = stages,
    .settings = gs_stage_settings, .stage_count = 1};
