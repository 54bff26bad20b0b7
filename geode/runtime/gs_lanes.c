/* gs_lanes.c -- writes to what the caller gives, so any thread may; memory is the arena's. */
#include "gs_lanes.h"

#include <string.h>

#include "gs_member.h"

static size_t place(struct gs_vector_layout *layout, bool needed, size_t floats) {
    const size_t at = layout->floats;
    if (!needed) return GS_NOT_TRAINED;
    layout->floats += floats;
    return at;
}

struct gs_vector_layout gs_vector_layout_make(struct gs_arena *arena, const struct gs_model *model) {
    const size_t count = model->program->parameter_count;
    struct gs_vector_layout layout = {.model = model};
    layout.places = gs_arena_take(arena, count, sizeof *layout.places, "the lanes of members");
    for (size_t p = 0; p < count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        const bool trained = gs_model_trains(model, p);
        const bool thin = trained && (parameter->forms & GS_FORM_FACTORED) && gs_model_factored(model, p);
        const bool split = trained && (parameter->forms & GS_FORM_SPLIT) && !gs_model_factored(model, p);
        struct gs_vector_place *at = &layout.places[p];
        at->wp = place(&layout, trained && (parameter->forms & GS_FORM_MATERIALISED), gs_entries(parameter));
        at->e = place(&layout, split, gs_entries(parameter));
        at->a = place(&layout, thin, (size_t)parameter->m * model->rank);
        at->b = place(&layout, thin, (size_t)parameter->n * model->rank);
        at->ss = place(&layout, split || thin, 1);
    }
    return layout;
}

static void put(float *vector, size_t at, const float *values, size_t count) {
    if (at != GS_NOT_TRAINED) memcpy(vector + at, values, count * sizeof *vector);
}

void gs_vector_write(const struct gs_vector_layout *layout, const struct gs_slot *slots, float *vector) {
    const struct gs_model *model = layout->model;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        const struct gs_vector_place *at = &layout->places[p];
        if (at->wp != GS_NOT_TRAINED) gs_member_parameter(model, p, &slots[p], vector + at->wp);
        put(vector, at->e, slots[p].e, gs_entries(parameter));
        put(vector, at->a, slots[p].a, (size_t)parameter->m * model->rank);
        put(vector, at->b, slots[p].b, (size_t)parameter->n * model->rank);
        put(vector, at->ss, &slots[p].ss, 1);
    }
}

static const float *part(const float *weights, size_t at, size_t lanes, const float *otherwise) {
    return at == GS_NOT_TRAINED || weights == NULL ? otherwise : weights + at * lanes;
}

static struct gs_slot *make_slots(struct gs_arena *arena, const struct gs_vector_layout *layout, const float *weights,
                                  size_t lanes) {
    const struct gs_model *model = layout->model;
    const size_t count = model->program->parameter_count;
    struct gs_slot *slots = gs_arena_take(arena, count, sizeof *slots, "the lanes of members");
    for (size_t p = 0; p < count; p++) {
        const struct gs_vector_place *at = &layout->places[p];
        const float *w = model->theta + model->program->parameters[p].offset;
        slots[p] = (struct gs_slot){.w = w, .e = part(weights, at->e, lanes, NULL), .a = part(weights, at->a, lanes, NULL),
                                    .b = part(weights, at->b, lanes, NULL), .wp = part(weights, at->wp, lanes, w),
                                    .ss_by_lane = part(weights, at->ss, lanes, NULL), .bf16 = model->bf16[p]};
    }
    return slots;
}

struct gs_lanes gs_lanes_make(struct gs_arena *arena, const struct gs_vector_layout *layout,
                              const struct gs_entry *entry, size_t lanes, bool weights) {
    const char *what = "the lanes of members";
    struct gs_lanes tile = {0};
    if (weights) tile.weights = gs_arena_take(arena, layout->floats * lanes, sizeof(float), what);
    tile.slots = make_slots(arena, layout, tile.weights, lanes);
    tile.run = gs_arena_take(arena, entry->run_floats, sizeof(float), what);
    tile.epoch = gs_arena_take(arena, entry->epoch_floats, sizeof(float), what);
    tile.state = gs_arena_take(arena, entry->members_form->state_floats, sizeof(float), what);
    tile.rows = gs_arena_take(arena, lanes, sizeof *tile.rows, what);
    tile.members = gs_arena_take(arena, lanes, sizeof *tile.members, what);
    return tile;
}

void gs_lanes_put_vector(const struct gs_lanes *tile, const struct gs_lane_sizes *sizes, size_t l, const float *vector) {
    float *out = tile->weights + l;
    for (size_t i = 0; i < sizes->weights; i++) out[i * sizes->lanes] = vector[i];
}

/* Elements [first, first + count) of lane l of `to` are those of lane k of `from`. */
static void copy(float *to, size_t l, const float *from, size_t k, size_t lanes, size_t first, size_t count) {
    to += first * lanes + l;
    from += first * lanes + k;
    for (size_t i = 0; i < count; i++) to[i * lanes] = from[i * lanes];
}

static void copy_stretches(float *to, size_t l, const float *from, size_t k, size_t lanes,
                           const struct gs_stretch *stretches, size_t count) {
    for (size_t i = 0; i < count; i++) copy(to, l, from, k, lanes, stretches[i].first, stretches[i].count);
}

void gs_lanes_put_slices(const struct gs_lanes *tile, const struct gs_lane_sizes *sizes, size_t l, const float *run,
                         const float *epoch, size_t from) {
    const struct gs_members_form *form = sizes->form;
    copy_stretches(tile->run, l, run, from, sizes->lanes, form->run_stretches, form->run_stretch_count);
    copy_stretches(tile->epoch, l, epoch, from, sizes->lanes, form->epoch_stretches, form->epoch_stretch_count);
}

void gs_lanes_copy(const struct gs_lanes *to, size_t l, const struct gs_lanes *from, size_t k,
                   const struct gs_lane_sizes *sizes, bool weights, bool slices) {
    to->rows[l] = from->rows[k];
    to->members[l] = from->members[k];
    copy(to->state, l, from->state, k, sizes->lanes, 0, sizes->state);
    if (weights) copy(to->weights, l, from->weights, k, sizes->lanes, 0, sizes->weights);
    if (slices) gs_lanes_put_slices(to, sizes, l, from->run, from->epoch, k);
}
