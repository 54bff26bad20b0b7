/* gs_model.c -- memory is the arena's; drawing writes only to what the caller gives, so any thread may. */
#include "gs_model.h"

#include "gs_bf16.h"
#include "gs_cpu.h"
#include "gs_init.h"
#include "gs_noise.h"
#include "gs_pool.h"

/* The highest rank of any stage's noise, 0 if all of it is dense. */
static size_t highest_rank(const struct gs_program *program) {
    size_t highest = 0;
    for (size_t s = 0; s < program->stage_count; s++) {
        const struct gs_settings *settings = &program->settings[s];
        if (settings->perturbation == GS_PERTURBATION_GAUSSIAN) continue;
        if (settings->rank > highest) highest = (size_t)settings->rank;
    }
    return highest;
}

/* Places the noise of every trained parameter. */
static void place_noise(struct gs_model *model) {
    model->noise_floats = 0;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (!gs_model_trains(model, p)) continue;
        model->noise_at[p] = model->noise_floats;
        if (gs_model_factored(model, p)) {
            model->noise_floats += gs_padded((size_t)parameter->n * model->rank);
            model->noise_floats += gs_padded((size_t)parameter->m * model->rank);
        } else {
            model->noise_floats += gs_padded(gs_entries(parameter));
        }
    }
}

struct gs_model gs_model_make(struct gs_arena *arena, const struct gs_program *program, uint64_t seed) {
    struct gs_model model = {.program = program, .perturbation = GS_PERTURBATION_GAUSSIAN, .rank = 1};
    const size_t count = program->parameter_count, rank = highest_rank(program);
    size_t longest = 0;
    model.packed = gs_arena_take(arena, count, sizeof *model.packed, "the parameter table");
    model.noise_at = gs_arena_take(arena, count, sizeof *model.noise_at, "the parameter table");
    model.weights_at = gs_arena_take(arena, count, sizeof *model.weights_at, "the parameter table");
    for (size_t p = 0; p < count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        const size_t entries = gs_entries(parameter);
        const size_t factor = rank * (size_t)(parameter->m > parameter->n ? parameter->m : parameter->n);
        model.packed[p] = parameter->trainable ? model.packed_floats : GS_NOT_TRAINED;
        model.entries += entries;
        if (entries > longest) longest = entries;
        if (factor > longest) longest = factor;
        if (!parameter->trainable) continue;
        model.trained_entries += entries;
        model.packed_floats += gs_padded(entries);
        model.weights_at[p] = model.weights_floats;
        if (parameter->forms & GS_FORM_MATERIALISED) model.weights_floats += gs_padded(entries);
    }
    place_noise(&model);
    model.theta = gs_arena_take(arena, program->parameter_floats, sizeof(float), "the parameters");
    model.zeros = gs_arena_take(arena, gs_padded(longest), sizeof(float), "the parameters");
    model.bf16 = gs_bf16_make(arena, program);
    gs_init_parameters(program, seed, model.theta);
    return model;
}

void gs_model_begin(struct gs_model *model, const struct gs_settings *settings, const bool *reaches) {
    model->perturbation = settings->perturbation;
    model->rank = (size_t)settings->rank;
    model->reaches = reaches;
    place_noise(model);
}

struct gs_factors gs_model_factors(const struct gs_model *model, size_t p, uint64_t seed, uint64_t epoch,
                                   uint64_t pair) {
    const struct gs_parameter *parameter = &model->program->parameters[p];
    return (struct gs_factors){.family = model->perturbation, .n = (size_t)parameter->n, .rank = model->rank,
                               .key = gs_stream_key(parameter->stream, seed, epoch, pair)};
}

void gs_model_draw(const struct gs_model *model, uint64_t seed, uint64_t epoch, uint64_t pair, float *noise) {
    const uint64_t start = gs_cpu_ticks();
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (!gs_model_trains(model, p)) continue;
        float *out = noise + model->noise_at[p];
        if (gs_model_factored(model, p)) {
            const struct gs_factors factors = gs_model_factors(model, p, seed, epoch, pair);
            gs_factors_b(&factors, 0, (size_t)parameter->n, out, (size_t)parameter->n);
            gs_factors_a(&factors, 0, (size_t)parameter->m, out + gs_padded((size_t)parameter->n * model->rank));
        } else {
            gs_normals(gs_stream_key(parameter->stream, seed, epoch, pair), 0, gs_entries(parameter), out);
        }
    }
    gs_pool_noise += gs_cpu_ticks() - start;
}

struct gs_noise_store gs_noise_store_make(struct gs_arena *arena, const struct gs_model *model, uint64_t pairs) {
    struct gs_noise_store store = {.stride = model->noise_floats};
    if (store.stride == 0) return store;
    const uint64_t room = GS_NOISE_BYTES / (store.stride * sizeof(float));
    store.pairs = (size_t)(pairs < room ? pairs : room);
    store.noise = gs_arena_take(arena, store.pairs * store.stride, sizeof(float), "the noise");
    return store;
}

static size_t cut(const struct gs_model *model, size_t size, struct gs_block *out) {
    size_t count = 0;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (!gs_model_trains(model, p)) continue;
        const size_t entries = gs_entries(&model->program->parameters[p]);
        for (size_t first = 0; first < entries; first += size, count++) {
            const size_t left = entries - first;
            if (out != NULL) out[count] = (struct gs_block){p, first, left < size ? left : size};
        }
    }
    return count;
}

struct gs_blocks gs_blocks_make(struct gs_arena *arena, const struct gs_model *model, size_t size) {
    struct gs_blocks blocks = {.count = cut(model, size, NULL)};
    blocks.block = gs_arena_take(arena, blocks.count, sizeof *blocks.block, "the blocks of parameters");
    cut(model, size, blocks.block);
    return blocks;
}
