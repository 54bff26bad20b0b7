/* gs_model.c -- memory is the arena's; drawing writes only to what the caller gives, so any thread may. */
#include "gs_model.h"

#include "gs_init.h"
#include "gs_noise.h"

struct gs_model gs_model_make(struct gs_arena *arena, const struct gs_program *program, uint64_t seed) {
    struct gs_model model = {.program = program};
    size_t longest = 0;
    model.packed = gs_arena_take(arena, program->parameter_count, sizeof *model.packed, "the parameter table");
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        const size_t count = gs_entries(parameter);
        model.packed[p] = parameter->trainable ? model.packed_floats : GS_NOT_TRAINED;
        model.entries += count;
        if (count > longest) longest = count;
        if (!parameter->trainable) continue;
        model.trained_entries += count;
        model.packed_floats += gs_padded(count);
    }
    model.theta = gs_arena_take(arena, program->parameter_floats, sizeof(float), "the parameters");
    model.zeros = gs_arena_take(arena, gs_padded(longest), sizeof(float), "the parameters");
    gs_init_parameters(program, seed, model.theta);
    return model;
}

void gs_model_draw(const struct gs_model *model, uint64_t seed, uint64_t epoch, uint64_t pair, float *noise) {
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (!gs_model_trains(model, p)) continue;
        const uint64_t key = gs_stream_key(parameter->stream, seed, epoch, pair);
        gs_normals(key, 0, gs_entries(parameter), noise + model->packed[p]);
    }
}

struct gs_noise_store gs_noise_store_make(struct gs_arena *arena, const struct gs_model *model, uint64_t pairs) {
    struct gs_noise_store store = {.stride = model->packed_floats};
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
