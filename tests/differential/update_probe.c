/* update_probe.c -- the runtime's estimate and optimizers on six parameters of every kind, for comparison with NumPy.
 *   update OPTIMIZER WORKERS STEPS CLIP: reads STEPS estimates, writes per step the norm of the estimate and of the
 *     change as float64; then, after all steps, the weights of all parameters and of no padding
 *   estimate ANTITHETIC WORKERS PAIRS SEED EPOCH FAMILY RANK: reads the members' float64 weights, writes the estimate
 *     for sigma 0.02
 * An estimate is the float32 entries of the trained parameters one after the other. OPTIMIZER and FAMILY are
 * the runtime's enumerators; step k has the step size 0.01 (k + 1); numbers are decimal, data little endian. */
#include <stdio.h>
#include <stdlib.h>

#include "gs_estimate.h"
#include "gs_update.h"

#define SEED 11u

#define PARAMETER(NAME, M, N, OFFSET, TRAINABLE, KIND, STREAM)                                                         \
    {.name = NAME, .axes = 2, .shape = {M, N}, .m = M, .n = N, .offset = OFFSET, .trainable = TRAINABLE, .kind = KIND, \
     .init = GS_INIT_NORMAL, .init_value = 0.5, .stream = STREAM, .init_stream = STREAM + 100}

/* The streams are those of the names 1 ... 6 in test_estimates_updates.py, not hashes. */
static const struct gs_parameter parameters[] = {
    PARAMETER("wide", 12, 30, 0, true, GS_KIND_MATRIX, 1),     PARAMETER("tall", 30, 12, 368, true, GS_KIND_MATRIX, 2),
    PARAMETER("table", 67, 131, 736, true, GS_KIND_TABLE, 3),  PARAMETER("fixed", 1, 4, 9520, false, GS_KIND_VECTOR, 4),
    PARAMETER("vector", 1, 9001, 9536, true, GS_KIND_VECTOR, 5),
    PARAMETER("square", 20, 20, 18544, true, GS_KIND_MATRIX, 6)};

static const struct gs_program program = {.parameters = parameters, .parameter_count = 6, .parameter_floats = 18944};

static struct gs_arena arena;

static void read_all(void *into, size_t count, size_t size) {
    if (fread(into, size, count, stdin) != count)
        exit(3);
}

static void write_all(const void *data, size_t count, size_t size) {
    if (fwrite(data, size, count, stdout) != count)
        exit(3);
}

static void write_packed(const struct gs_model *model, const float *packed) {
    for (size_t p = 0; p < program.parameter_count; p++)
        if (model->packed[p] != GS_NOT_TRAINED)
            write_all(packed + model->packed[p], gs_entries(&parameters[p]), sizeof(float));
}

static void update(enum gs_optimizer kind, size_t workers, uint64_t steps, double clip) {
    const struct gs_settings settings = {.optimizer = kind,
                                         .weight_decay = 0.05,
                                         .update_clip = clip,
                                         .sgdm_beta = 0.9,
                                         .rmsprop_beta = 0.99,
                                         .rmsprop_epsilon = 1e-3,
                                         .adam_beta1 = 0.9,
                                         .adam_beta2 = 0.999,
                                         .adam_epsilon = 1e-8,
                                         .muon_beta = 0.95,
                                         .muon_kappa = 0.2,
                                         .muon_steps = 5};
    struct gs_pool *pool = gs_pool_start(workers);
    struct gs_model model = gs_model_make(&arena, &program, SEED);
    struct gs_optimizer_state state = gs_optimizer_state_make(&arena, &model, kind);
    struct gs_updater updater = gs_updater_make(&arena, &model, pool, &state);
    float *estimate = gs_arena_take(&arena, model.packed_floats, sizeof *estimate, "the estimate");
    for (uint64_t k = 0; k < steps; k++) {
        for (size_t p = 0; p < program.parameter_count; p++)
            if (model.packed[p] != GS_NOT_TRAINED)
                read_all(estimate + model.packed[p], gs_entries(&parameters[p]), sizeof(float));
        double norms[2];
        norms[0] = gs_update_norm(&updater, estimate);
        norms[1] = gs_update(&updater, &settings, 0.01 * (double)(k + 1), estimate, norms[0]);
        write_all(norms, 2, sizeof(double));
    }
    for (size_t p = 0; p < program.parameter_count; p++)
        write_all(model.theta + parameters[p].offset, gs_entries(&parameters[p]), sizeof(float));
    gs_pool_stop(pool);
}

static void estimate(bool antithetic, size_t workers, size_t pairs, struct gs_draw draw,
                     const struct gs_settings *settings) {
    struct gs_pool *pool = gs_pool_start(workers);
    struct gs_model model = gs_model_make(&arena, &program, SEED);
    gs_model_begin(&model, settings, NULL);
    const struct gs_noise_store store = gs_noise_store_make(&arena, &model, pairs);
    for (size_t pair = 0; pair < store.pairs; pair++)
        gs_model_draw(&model, draw.seed, draw.epoch, pair, store.noise + pair * store.stride);
    const struct gs_estimator estimator = gs_estimator_make(&arena, &model, pool, &store, pairs, antithetic);
    const size_t members = pairs * (antithetic ? 2 : 1);
    double *weights = gs_arena_take(&arena, members, sizeof *weights, "the weights");
    float *out = gs_arena_take(&arena, model.packed_floats, sizeof *out, "the estimate");
    read_all(weights, members, sizeof *weights);
    gs_estimate(&estimator, draw, weights, out);
    write_packed(&model, out);
    gs_pool_stop(pool);
}

int main(int argc, char **argv) {
    uint64_t n[7] = {0};
    for (int i = 2; i < argc && i < 9; i++)
        n[i - 2] = strtoull(argv[i], NULL, 10);
    if (argc == 6 && argv[1][0] == 'u') {
        update((enum gs_optimizer)n[0], (size_t)n[1], n[2], strtod(argv[5], NULL));
    } else if (argc == 9 && argv[1][0] == 'e') {
        const struct gs_settings settings = {.perturbation = (enum gs_perturbation)n[5], .rank = n[6]};
        const struct gs_draw draw = {.seed = n[3], .epoch = n[4], .sigma = 0.02};
        estimate(n[0] != 0, (size_t)n[1], (size_t)n[2], draw, &settings);
    } else {
        return 2;
    }
    gs_arena_free(&arena);
    return fflush(stdout) == 0 ? 0 : 3;
}
