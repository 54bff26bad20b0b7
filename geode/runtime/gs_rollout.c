/* gs_rollout.c -- a worker has three tiles: rows that are about to begin, rows in the loop, rows that have left it. Each is
 * computed on at full width, and a row moves from one to the next by itself. */
#include "gs_rollout.h"

#include <stdatomic.h>
#include <string.h>

#include "gs_episodes.h"

#define GS_WEIGHTS_TILE (512u << 10) /* bytes of a tile's weights, most: beyond the second cache they are slower */
#define GS_VALUES_UNDER_WAY (64u << 10) /* numbers of rows under way that a worker keeps, most, where few do not need more */
#define GS_PAIRS_A_WORKER 2          /* with fewer pairs, splitting their rows keeps more workers busy */
#define GS_LOOK 8                    /* lanes that are looked at together */
#define GS_FULL_ENOUGH 0.75          /* share of lanes that hold rows, from which on tiles of one member do as well */

/* Rows in the lanes of a tile. */
struct rows {
    struct gs_lanes tile;
    struct gs_episode *episodes; /* by lane */
    size_t count;
};

struct player {
    struct rows begun, playing, over;
    size_t placed;       /* of `begun`: how many have moved on */
    int32_t *in_loop;    /* by lane of `playing`: all bits set, or none */
    size_t *idle;        /* lanes of `playing` that hold no row */
    size_t idle_count;
    size_t *leader;      /* by lane of `playing` that is idle: the lane that it is a copy of */
    uint64_t *until;     /* by lane of `playing`: the step before which its last turn is */
    uint64_t clock, next; /* steps so far; the first at which a lane's turns are over */
    struct gs_episodes episodes;
    float *call, *out;
    char padding[64];
};

struct gs_rollout {
    struct gs_vector_layout layout;
    struct gs_lane_sizes sizes;
    struct player *players; /* one a worker */
    size_t vectors;
    void *next;
};

struct pass {
    struct gs_rollout *rollout;
    struct gs_episodes_pass shared;
};

static bool cut(const struct gs_members_form *form) { return form->member == NULL; }

/* --- what it takes */

static struct rows make_rows(struct gs_arena *arena, const struct gs_rollout *rollout, const struct gs_entry *entry,
                             bool weights) {
    const size_t lanes = rollout->sizes.lanes;
    struct rows rows = {.tile = gs_lanes_make(arena, &rollout->layout, entry, lanes, weights)};
    rows.episodes = gs_arena_take(arena, lanes, sizeof *rows.episodes, "the lanes of members");
    return rows;
}

/* How many pairs a worker may have under way: those of the lanes in its three tiles, and as many more as fit. */
static size_t most_open(const struct gs_evaluator *evaluator, size_t each, size_t lanes) {
    const size_t needed = 3 * lanes / each + 4;
    const size_t numbers = each * evaluator->entry->outputs;
    const size_t fitting = GS_VALUES_UNDER_WAY / numbers;
    const size_t open = fitting > needed ? fitting : needed;
    return open < evaluator->pairs ? open : evaluator->pairs;
}

static void make_player(struct gs_arena *arena, const struct gs_evaluator *evaluator, struct gs_rollout *rollout,
                        struct player *player) {
    const struct gs_entry *entry = evaluator->entry;
    const struct gs_members_form *form = entry->members_form;
    const size_t lanes = rollout->sizes.lanes, each = (evaluator->antithetic ? 2 : 1) * (size_t)evaluator->data.rows;
    player->begun = make_rows(arena, rollout, entry, !cut(form) || form->begin.reads_weights);
    if (cut(form)) {
        player->playing = make_rows(arena, rollout, entry, true);
        player->over = make_rows(arena, rollout, entry, form->end.reads_weights);
        player->in_loop = gs_arena_take(arena, lanes, sizeof *player->in_loop, "the lanes of members");
        player->idle = gs_arena_take(arena, lanes, sizeof *player->idle, "the lanes of members");
        player->leader = gs_arena_take(arena, lanes, sizeof *player->leader, "the lanes of members");
        player->until = gs_arena_take(arena, lanes, sizeof *player->until, "the lanes of members");
    }
    player->episodes = gs_episodes_make(arena, evaluator, &rollout->layout, rollout->vectors,
                                        most_open(evaluator, each, lanes));
    player->call = gs_arena_take(arena, gs_evaluate_scratch(form->root), sizeof(float), "a worker's tile");
    player->out = gs_arena_take(arena, entry->outputs * lanes, sizeof(float), "a worker's tile");
}

/* Whether tiles of many members are the faster way. */
static bool pays(const struct gs_evaluator *evaluator, size_t weights) {
    const struct gs_members_form *form = evaluator->entry->members_form;
    const double places = (double)evaluator->data.tile_count * (double)evaluator->data.lanes;
    const bool full = (double)evaluator->data.rows >= GS_FULL_ENOUGH * places;
    const bool even = !cut(form) || form->alive == SIZE_MAX;
    if (weights * evaluator->data.lanes * sizeof(float) > GS_WEIGHTS_TILE) return false;
    if (evaluator->pairs < GS_PAIRS_A_WORKER * gs_pool_size(evaluator->pool)) return false;
    return !full || !even;
}

struct gs_rollout *gs_rollout_make(struct gs_arena *arena, const struct gs_evaluator *evaluator, enum gs_tiles tiles) {
    const struct gs_members_form *form = evaluator->entry->members_form;
    const bool possible = form != NULL && evaluator->hoisted && evaluator->pairs > 0 && evaluator->data.tiles == NULL;
    if (!possible || tiles == GS_TILES_ROWS) return NULL;
    const struct gs_vector_layout layout = gs_vector_layout_make(arena, evaluator->model);
    if (tiles == GS_TILES_AUTO && !pays(evaluator, layout.floats)) return NULL;
    const size_t workers = gs_pool_size(evaluator->pool), lanes = evaluator->data.lanes;
    struct gs_rollout *rollout = gs_arena_take(arena, 1, sizeof *rollout, "the lanes of members");
    rollout->layout = layout;
    rollout->sizes = (struct gs_lane_sizes){lanes, layout.floats, form->state_floats / lanes, form};
    rollout->vectors = lanes / (size_t)evaluator->data.rows + 3;
    rollout->next = gs_arena_take(arena, 1, sizeof(atomic_size_t), "the lanes of members");
    rollout->players = gs_arena_take(arena, workers, sizeof *rollout->players, "the workers");
    for (size_t i = 0; i < workers; i++) make_player(arena, evaluator, rollout, &rollout->players[i]);
    return rollout;
}

/* --- the tiles */

static void call(const struct pass *pass, struct player *player, gs_entry_function *function,
                 const struct gs_lanes *tile, float *out) {
    const struct gs_evaluator *evaluator = pass->shared.evaluator;
    const struct gs_tile_context context = {
        .slots = tile->slots, .live = (uint32_t)pass->rollout->sizes.lanes, .loop_limit = evaluator->loop_limit,
        .seed = evaluator->seed, .epoch = evaluator->draw_epoch, .member = UINT64_MAX,
        .streams = evaluator->entry->streams, .tables = evaluator->model->tables, .rows = tile->rows,
        .members = tile->members};
    function(&context, evaluator->entry->members_form->root, tile->run, tile->epoch, tile->state, player->call, NULL, out);
}

/* The lanes from `count` on become copies of the first, so that they hold nothing strange. */
static void pad(const struct gs_lanes *tile, const struct gs_lane_sizes *sizes, size_t count, bool slices) {
    for (size_t l = count; l < sizes->lanes; l++) {
        gs_lanes_copy(tile, l, tile, 0, sizes, tile->weights != NULL, slices);
    }
}

static void take_values(const struct pass *pass, struct player *player, const struct rows *rows) {
    for (size_t l = 0; l < rows->count; l++) {
        gs_episodes_take(&player->episodes, &pass->shared, &rows->episodes[l], player->out + l, pass->rollout->sizes.lanes);
    }
}

/* The values of the rows that have left the loop. */
static void end_rows(const struct pass *pass, struct player *player) {
    const struct gs_members_form *form = pass->rollout->sizes.form;
    if (player->over.count == 0) return;
    pad(&player->over.tile, &pass->rollout->sizes, player->over.count, form->end.reads_slices);
    call(pass, player, form->end.run, &player->over.tile, player->out);
    take_values(pass, player, &player->over);
    player->over.count = 0;
}

/* Puts the next rows into the lanes of `begun`, at most `most`; false if there are none. */
static bool put_rows(const struct pass *pass, struct player *player, size_t most) {
    const struct gs_evaluator *evaluator = pass->shared.evaluator;
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    struct rows *begun = &player->begun;
    bool full;
    begun->count = 0;
    while (begun->count < most) {
        const size_t l = begun->count;
        struct gs_episode *episode = &begun->episodes[l];
        if (!gs_episodes_next(&player->episodes, &pass->shared, episode, &full)) break;
        const size_t tile = episode->row / sizes->lanes;
        begun->tile.rows[l] = episode->row;
        begun->tile.members[l] = episode->member;
        gs_lanes_put_slices(&begun->tile, sizes, l, evaluator->run + tile * evaluator->run_stride,
                            evaluator->epoch + tile * evaluator->epoch_stride, episode->row % sizes->lanes);
        if (begun->tile.weights != NULL) gs_lanes_put_vector(&begun->tile, sizes, l, episode->vector);
        begun->count++;
    }
    if (begun->count == 0 && full && player->over.count > 0) { /* their pairs make room */
        end_rows(pass, player);
        return put_rows(pass, player, most);
    }
    if (begun->count > 0) pad(&begun->tile, sizes, begun->count, true);
    return begun->count > 0;
}

/* --- a word that is no rollout: tile after tile */

static void play_tiles(const struct pass *pass, struct player *player) {
    while (put_rows(pass, player, pass->rollout->sizes.lanes)) {
        call(pass, player, pass->rollout->sizes.form->member, &player->begun.tile, player->out);
        take_values(pass, player, &player->begun);
    }
}

/* --- a rollout */

/* Rows that begin, more than are wanted at once where there are plenty, as beginning costs the same for all lanes. */
static bool begin_rows(const struct pass *pass, struct player *player) {
    const struct gs_rollout *rollout = pass->rollout;
    const size_t workers = gs_pool_size(pass->shared.evaluator->pool);
    const size_t share = gs_episodes_left(&pass->shared) / (2 * workers);
    size_t most = share > player->idle_count ? share : player->idle_count;
    if (most > rollout->sizes.lanes) most = rollout->sizes.lanes;
    player->placed = 0;
    if (!put_rows(pass, player, most)) return false;
    call(pass, player, rollout->sizes.form->begin.run, &player->begun.tile, NULL);
    return true;
}

/* Gives lanes that hold no row the next rows, as long as there are any. */
static void fill_lanes(const struct pass *pass, struct player *player) {
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    const struct gs_members_form *form = sizes->form;
    while (player->idle_count > 0) {
        if (player->placed == player->begun.count && !begin_rows(pass, player)) break;
        const size_t l = player->idle[--player->idle_count], k = player->placed++;
        const struct gs_episode *episode = &player->begun.episodes[k];
        gs_lanes_copy(&player->playing.tile, l, &player->begun.tile, k, sizes, false,
                      form->step.reads_slices || form->end.reads_slices);
        gs_lanes_put_vector(&player->playing.tile, sizes, l, episode->vector);
        player->playing.episodes[l] = *episode;
        player->playing.count++;
        player->in_loop[l] = -1;
        player->until[l] = form->turns == 0 ? UINT64_MAX : player->clock + form->turns;
        if (player->until[l] < player->next) player->next = player->until[l];
    }
}

/* A step's own loops go on while any lane does: a lane without a row is a copy of one with a row, so that it asks for no
 * turn that no row asks for. */
static void follow(const struct pass *pass, struct player *player) {
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    if (!sizes->form->nested || player->playing.count == 0 || player->idle_count == 0) return;
    size_t some = 0;
    while (!player->in_loop[some]) some++;
    for (size_t i = 0; i < player->idle_count; i++) {
        const size_t l = player->idle[i];
        if (player->leader[l] != l && player->in_loop[player->leader[l]]) continue;
        gs_lanes_copy(&player->playing.tile, l, &player->playing.tile, some, sizes, true, true);
        player->leader[l] = some;
    }
}

/* The row of lane l has left the loop: it moves to those whose values are to be made. */
static void leave(const struct pass *pass, struct player *player, size_t l) {
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    const struct gs_members_form *form = sizes->form;
    gs_lanes_copy(&player->over.tile, player->over.count, &player->playing.tile, l, sizes, form->end.reads_weights,
                  form->end.reads_slices);
    player->over.episodes[player->over.count++] = player->playing.episodes[l];
    player->playing.count--;
    player->in_loop[l] = 0;
    player->leader[l] = l;
    player->idle[player->idle_count++] = l;
    if (player->over.count == sizes->lanes) end_rows(pass, player);
}

/* Rows that have lost their flag for more turns leave. Eight lanes are looked at together, as most go on. */
static void leave_by_flag(const struct pass *pass, struct player *player) {
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    const float *alive = player->playing.tile.state + sizes->form->alive * sizes->lanes;
    for (size_t first = 0; first < sizes->lanes; first += GS_LOOK) {
        const size_t end = first + GS_LOOK < sizes->lanes ? first + GS_LOOK : sizes->lanes;
        int32_t lost = 0;
        for (size_t l = first; l < end; l++) {
            int32_t flag;
            memcpy(&flag, &alive[l], sizeof flag);
            lost |= player->in_loop[l] & ~flag;
        }
        if (lost == 0) continue;
        for (size_t l = first; l < end; l++) {
            int32_t flag;
            memcpy(&flag, &alive[l], sizeof flag);
            if (player->in_loop[l] & ~flag) leave(pass, player, l);
        }
    }
}

/* Rows that have had all their turns leave. */
static void leave_by_turns(const struct pass *pass, struct player *player) {
    player->next = UINT64_MAX;
    for (size_t l = 0; l < pass->rollout->sizes.lanes; l++) {
        if (!player->in_loop[l]) continue;
        if (player->until[l] <= player->clock) {
            leave(pass, player, l);
        } else if (player->until[l] < player->next) {
            player->next = player->until[l];
        }
    }
}

static void play_rollout(const struct pass *pass, struct player *player) {
    const struct gs_lane_sizes *sizes = &pass->rollout->sizes;
    player->clock = 0;
    player->next = UINT64_MAX;
    player->begun.count = player->placed = 0;
    player->idle_count = sizes->lanes;
    for (size_t l = 0; l < sizes->lanes; l++) player->idle[l] = player->leader[l] = sizes->lanes - 1 - l;
    for (;;) {
        fill_lanes(pass, player);
        if (player->playing.count == 0) break;
        follow(pass, player);
        call(pass, player, sizes->form->step.run, &player->playing.tile, NULL);
        player->clock++;
        if (sizes->form->alive != SIZE_MAX) leave_by_flag(pass, player);
        if (player->clock >= player->next) leave_by_turns(pass, player);
    }
    end_rows(pass, player);
}

/* What of the slices is the same for every row. */
static void share_slices(const struct gs_lanes *tile, const struct gs_evaluator *evaluator) {
    const struct gs_entry *entry = evaluator->entry;
    if (tile->slots == NULL) return;
    if (entry->run_floats > 0) memcpy(tile->run, evaluator->run, entry->run_floats * sizeof(float));
    if (entry->epoch_floats > 0) memcpy(tile->epoch, evaluator->epoch, entry->epoch_floats * sizeof(float));
}

static void play(void *argument, size_t worker, size_t item) {
    const struct pass *pass = argument;
    struct player *player = &pass->rollout->players[worker];
    (void)item;
    share_slices(&player->begun.tile, pass->shared.evaluator);
    share_slices(&player->playing.tile, pass->shared.evaluator);
    share_slices(&player->over.tile, pass->shared.evaluator);
    if (cut(pass->rollout->sizes.form)) {
        play_rollout(pass, player);
    } else {
        play_tiles(pass, player);
    }
}

void gs_rollout_population(struct gs_rollout *rollout, const struct gs_evaluator *evaluator, struct gs_draw draw,
                           double *scores) {
    struct pass pass = {.rollout = rollout,
                        .shared = {.evaluator = evaluator, .layout = &rollout->layout, .draw = draw,
                                   .vectors = rollout->vectors, .next = rollout->next, .scores = scores}};
    atomic_store_explicit((atomic_size_t *)rollout->next, 0, memory_order_relaxed);
    gs_pool_run(evaluator->pool, play, &pass, gs_pool_size(evaluator->pool));
}
