/* gs_episodes.c -- what workers share is one counter and the scores, which go by member. */
#include "gs_episodes.h"

#include <stdatomic.h>

#include "gs_batch_sum.h"

static size_t sides(const struct gs_evaluator *evaluator) { return evaluator->antithetic ? 2 : 1; }

static struct gs_slot *make_slots(struct gs_arena *arena, const struct gs_evaluator *evaluator) {
    const size_t count = evaluator->model->program->parameter_count;
    struct gs_slot *slots = gs_arena_take(arena, count, sizeof *slots, "a worker's slots");
    for (size_t p = 0; p < count; p++) slots[p] = evaluator->center[p];
    return slots;
}

struct gs_episodes gs_episodes_make(struct gs_arena *arena, const struct gs_evaluator *evaluator,
                                    const struct gs_vector_layout *layout, size_t vectors, size_t open) {
    const size_t outputs = evaluator->entry->outputs, each = sides(evaluator) * outputs * (size_t)evaluator->data.rows;
    struct gs_episodes episodes = {.plus = make_slots(arena, evaluator), .minus = make_slots(arena, evaluator)};
    episodes.noise = gs_arena_take(arena, evaluator->model->noise_floats, sizeof(float), "a worker's noise");
    episodes.vectors = gs_arena_take(arena, vectors * 2 * layout->floats, sizeof(float), "a worker's weights");
    episodes.sums = gs_arena_take(arena, outputs * GS_PARTIALS, sizeof(double), "a worker's sums");
    episodes.totals = gs_arena_take(arena, outputs, sizeof(double), "a worker's sums");
    episodes.call = gs_arena_take(arena, gs_evaluate_scratch(evaluator->entry->root), sizeof(float), "a worker's tile");
    struct gs_open_pair *pairs = gs_arena_take(arena, open, sizeof *pairs, "the rows under way");
    float *values = gs_arena_take(arena, open * each, sizeof(float), "the rows under way");
    for (size_t i = 0; i < open; i++) {
        pairs[i] = (struct gs_open_pair){.values = values + i * each, .next = episodes.free};
        episodes.free = &pairs[i];
    }
    return episodes;
}

size_t gs_episodes_left(const struct gs_episodes_pass *pass) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const size_t next = atomic_load_explicit((atomic_size_t *)pass->next, memory_order_relaxed);
    return next < evaluator->pairs ? (evaluator->pairs - next) * sides(evaluator) * (size_t)evaluator->data.rows : 0;
}

static float *vector_of(const struct gs_episodes *episodes, const struct gs_episodes_pass *pass, size_t side) {
    return episodes->vectors + ((episodes->taken % pass->vectors) * 2 + side) * pass->layout->floats;
}

/* Draws the noise of a pair, where it is kept for the estimate if there is room, and makes its members' vectors. */
static void make_vectors(struct gs_episodes *episodes, const struct gs_episodes_pass *pass, size_t pair) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const struct gs_model *model = evaluator->model;
    const struct gs_noise_store *store = evaluator->store;
    float *noise = pair < store->pairs ? store->noise + pair * store->stride : episodes->noise;
    gs_model_draw(model, pass->draw.seed, pass->draw.epoch, pair, noise);
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (!gs_model_trains(model, p)) continue;
        gs_member_slots(model, pass->draw.sigma, p, noise, &episodes->plus[p], &episodes->minus[p]);
    }
    gs_vector_write(pass->layout, episodes->plus, vector_of(episodes, pass, 0));
    if (evaluator->antithetic) gs_vector_write(pass->layout, episodes->minus, vector_of(episodes, pass, 1));
}

/* Takes the next pair; false if there is none, or no room for it. */
static bool open_pair(struct gs_episodes *episodes, const struct gs_episodes_pass *pass, bool *full) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    *full = episodes->free == NULL;
    if (*full) return false;
    const size_t pair = atomic_fetch_add_explicit((atomic_size_t *)pass->next, 1, memory_order_relaxed);
    if (pair >= evaluator->pairs) return false;
    struct gs_open_pair *open = episodes->free;
    episodes->free = open->next;
    open->pair = pair;
    open->left[0] = (size_t)evaluator->data.rows;
    open->left[1] = evaluator->antithetic ? (size_t)evaluator->data.rows : 0;
    episodes->taken++;
    episodes->last = open;
    episodes->side = 0;
    episodes->row = 0;
    make_vectors(episodes, pass, pair);
    return true;
}

bool gs_episodes_next(struct gs_episodes *episodes, const struct gs_episodes_pass *pass, struct gs_episode *episode,
                      bool *full) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    *full = false;
    if (episodes->last == NULL && !open_pair(episodes, pass, full)) return false;
    const size_t pair = episodes->last->pair, side = episodes->side;
    *episode = (struct gs_episode){.open = episodes->last, .side = side, .row = episodes->row++,
                                   .member = evaluator->antithetic ? 2 * pair + side : pair,
                                   .vector = vector_of(episodes, pass, side)};
    if (episodes->row == evaluator->data.rows) {
        episodes->row = 0;
        if (++episodes->side == sides(evaluator)) episodes->last = NULL;
    }
    return true;
}

static enum gs_batch_op op_of(const struct gs_entry *entry, size_t k) {
    return entry->ops == NULL ? GS_BATCH_SUM : entry->ops[k];
}

/* One output of a member reduced over its rows, as gs_evaluate.c does it tile by tile. */
static double reduce(double *partials, enum gs_batch_op op, const float *values, size_t rows) {
    double total = gs_batch_first(op);
    for (size_t first = 0; first < rows; first += GS_BLOCK_ROWS) {
        const size_t count = rows - first < GS_BLOCK_ROWS ? rows - first : GS_BLOCK_ROWS;
        for (size_t i = 0; i < GS_PARTIALS; i++) partials[i] = gs_batch_first(op);
        gs_batch_add(op, partials, values + first, count, count, 0);
        total = gs_batch_apply(op, total, gs_batch_combine(op, partials));
    }
    return total;
}

static void finish_member(struct gs_episodes *episodes, const struct gs_episodes_pass *pass,
                          const struct gs_episode *episode) {
    const struct gs_evaluator *evaluator = pass->evaluator;
    const struct gs_entry *entry = evaluator->entry;
    const size_t rows = (size_t)evaluator->data.rows;
    const float *values = episode->open->values + episode->side * entry->outputs * rows;
    for (size_t k = 0; k < entry->outputs; k++) {
        episodes->totals[k] = reduce(episodes->sums, op_of(entry, k), values + k * rows, rows);
    }
    const struct gs_tile_context context = {.slots = evaluator->center, .live = 1, .loop_limit = evaluator->loop_limit,
                                            .seed = evaluator->seed, .epoch = evaluator->draw_epoch,
                                            .member = episode->member, .streams = entry->streams,
                                            .tables = evaluator->model->tables};
    pass->scores[episode->member] =
        entry->finish(&context, entry->root, episodes->call, episodes->totals, (uint64_t)rows);
}

void gs_episodes_take(struct gs_episodes *episodes, const struct gs_episodes_pass *pass,
                      const struct gs_episode *episode, const float *out, size_t stride) {
    const size_t outputs = pass->evaluator->entry->outputs, rows = (size_t)pass->evaluator->data.rows;
    struct gs_open_pair *open = episode->open;
    for (size_t k = 0; k < outputs; k++) {
        open->values[(episode->side * outputs + k) * rows + episode->row] = out[k * stride];
    }
    if (--open->left[episode->side] > 0) return;
    finish_member(episodes, pass, episode);
    if (open->left[0] + open->left[1] > 0) return;
    open->next = episodes->free;
    episodes->free = open;
}
