/* gs_shuffle.c -- a pass sorts the rows by (64-bit value, row); row i's value is words 2i (low half) and 2i + 1 of the
 * stream `shuffle:` whose epoch is the pass. Main thread, between epochs. */
#include "gs_shuffle.h"

#include "gs_noise.h"

/* First 8 bytes of SHA-256 of "shuffle:". */
#define GS_SHUFFLE_STREAM 0xd28662a44a07c09du

struct gs_shuffle_entry {
    uint64_t value;
    uint64_t row;
};

struct gs_shuffle gs_shuffle_make(struct gs_arena *arena, struct gs_dataset all, size_t row_floats, uint64_t rows,
                                  uint64_t seed, uint64_t pass) {
    struct gs_shuffle shuffle = {.all = all, .row_floats = row_floats, .seed = seed, .pass = pass, .cursor = all.rows};
    shuffle.order = gs_arena_take(arena, (size_t)all.rows, sizeof *shuffle.order, "the shuffle");
    shuffle.other = gs_arena_take(arena, (size_t)all.rows, sizeof *shuffle.order, "the shuffle");
    shuffle.batch = (struct gs_dataset){
        .stride = all.stride, .tile_count = (size_t)((rows + all.lanes - 1) / all.lanes), .lanes = all.lanes, .rows = rows};
    shuffle.tiles = gs_arena_take(arena, shuffle.batch.tile_count * all.stride, sizeof(float), "the batch");
    shuffle.batch.tiles = shuffle.tiles;
    return shuffle;
}

/* One counting pass over bits shift ... shift + 15: stable, so that eight bytes in four passes sort, and rows with equal
 * values stay in their order. */
static void sort_by_digit(const struct gs_shuffle_entry *from, struct gs_shuffle_entry *to, size_t count, int shift,
                          size_t *places) {
    for (size_t d = 0; d <= 0xffff; d++) places[d] = 0;
    for (size_t i = 0; i < count; i++) places[(from[i].value >> shift) & 0xffff]++;
    size_t sum = 0;
    for (size_t d = 0; d <= 0xffff; d++) {
        const size_t here = places[d];
        places[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) to[places[(from[i].value >> shift) & 0xffff]++] = from[i];
}

static void begin_pass(struct gs_shuffle *shuffle) {
    static size_t places[0x10000];
    const size_t count = (size_t)shuffle->all.rows;
    const uint64_t key = gs_stream_key(GS_SHUFFLE_STREAM, shuffle->seed, shuffle->pass, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t words[2];
        gs_words(key, 2 * i, 2, words);
        shuffle->order[i] = (struct gs_shuffle_entry){.value = words[0] | (uint64_t)words[1] << 32, .row = i};
    }
    for (int shift = 0; shift < 64; shift += 32) {
        sort_by_digit(shuffle->order, shuffle->other, count, shift, places);
        sort_by_digit(shuffle->other, shuffle->order, count, shift + 16, places);
    }
    shuffle->pass++;
    shuffle->cursor = 0;
}

/* The rows from the cursor on as the batch; the cursor moves behind them. */
static void fill(struct gs_shuffle *shuffle) {
    const size_t lanes = shuffle->batch.lanes, stride = shuffle->batch.stride;
    const uint64_t rows = shuffle->batch.rows;
    for (uint64_t place = 0; place < (uint64_t)shuffle->batch.tile_count * lanes; place++) {
        const uint64_t row = shuffle->order[shuffle->cursor + (place < rows ? place : rows - 1)].row;
        const float *from = shuffle->all.tiles + (size_t)(row / lanes) * stride + (size_t)(row % lanes);
        float *to = shuffle->tiles + (size_t)(place / lanes) * stride + (size_t)(place % lanes);
        for (size_t k = 0; k < shuffle->row_floats; k++) to[k * lanes] = from[k * lanes];
    }
    shuffle->cursor += rows;
}

void gs_shuffle_next(struct gs_shuffle *shuffle) {
    if (shuffle->all.rows - shuffle->cursor < shuffle->batch.rows) begin_pass(shuffle);
    fill(shuffle);
}

bool gs_shuffle_resume(struct gs_shuffle *shuffle, uint64_t cursor) {
    const uint64_t rows = shuffle->batch.rows;
    if (shuffle->pass == 0 || cursor > shuffle->all.rows || cursor < rows || cursor % rows != 0) return false;
    shuffle->pass--;
    begin_pass(shuffle);
    shuffle->cursor = cursor - rows;
    fill(shuffle);
    return true;
}
