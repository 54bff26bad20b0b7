/* gs_outer.c -- `left` is cut into pieces of GS_PIECE links, [piece][rows][links], `right` into tiles of columns,
 * [tile][links][lanes], so that a piece of a tile stays in the first-level cache while all rows go by. */
#include "gs_outer.h"

#include <string.h>

#include "gs_tile_size.h"
#include "kernels/gs_linear.h"

#define GS_WORTH ((size_t)1 << 22)     /* multiply-adds of a sum that is worth it */
#define GS_LEAST_BYTES ((size_t)1 << 17) /* room for links, or as much as the weights if that is more */
#define GS_PIECE 256
#define GS_DRAWN_PAIRS 16 /* drawn by one item: their links fill a cache line of a row */
#define GS_DRAWN_ROWS 64  /* of A at a time */
#define GS_DRAWN_TILES 8  /* of B at a time */
/* Rows and tiles of a product that is one item: large ones read less memory, small ones keep more workers busy. */
#define GS_LARGE_ROWS 256
#define GS_LARGE_TILES 4
#define GS_SMALL_ROWS 64
#define GS_SMALL_TILES 1
#define GS_ITEMS_A_WORKER 8

/* One batch of pairs on its way into the estimate of one parameter. */
struct batch {
    const struct gs_outer *outer;
    struct gs_draw draw;
    const float *coefficients;
    size_t p, m, n, rank;
    size_t first, pairs, links;
    bool begins, ends;        /* a chunk of pairs */
    bool first_chunk, last_chunk;
    float scale;
    float *out;
    size_t item_rows, item_tiles;
};

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t parts(size_t whole, size_t size) { return (whole + size - 1) / size; }

/* Rows of a whole block of outputs: those after the last are computed and left alone. */
static size_t padded_rows(size_t m) { return parts(m, GS_BLOCK_OUTPUTS) * GS_BLOCK_OUTPUTS; }

static size_t link_floats(const struct gs_parameter *parameter) {
    return padded_rows((size_t)parameter->m) + parts((size_t)parameter->n, GS_LANES) * GS_LANES;
}

bool gs_outer_takes(const struct gs_model *model, size_t p, size_t pairs) {
    if (!gs_model_trains(model, p) || !gs_model_factored(model, p)) return false;
    return (double)gs_entries(&model->program->parameters[p]) * (double)(pairs * model->rank) >= (double)GS_WORTH;
}

/* How many pairs are taken at a time for a parameter: a chunk, if there is room. */
static size_t pairs_at_once(const struct gs_outer *outer, size_t p) {
    const size_t each = outer->model->rank * link_floats(&outer->model->program->parameters[p]);
    const size_t room = outer->room_floats / each, most = smaller(outer->pairs, GS_CHUNK_PAIRS);
    return room < 1 ? 1 : smaller(room, most);
}

struct gs_outer gs_outer_make(struct gs_arena *arena, const struct gs_model *model, struct gs_pool *pool,
                              const struct gs_noise_store *store, size_t pairs) {
    struct gs_outer outer = {.model = model, .pool = pool, .store = store, .pairs = pairs};
    const size_t workers = gs_pool_size(pool), rank = model->rank;
    size_t left = 0, right = 0, partial = 0, sums = 0;
    outer.room_floats = GS_LEAST_BYTES / sizeof(float);
    if (outer.room_floats < model->packed_floats) outer.room_floats = model->packed_floats;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (!gs_outer_takes(model, p, pairs)) continue;
        const struct gs_parameter *parameter = &model->program->parameters[p];
        const size_t links = pairs_at_once(&outer, p) * rank, rows = padded_rows((size_t)parameter->m);
        const size_t columns = parts((size_t)parameter->n, GS_LANES) * GS_LANES;
        const size_t item = smaller(GS_LARGE_ROWS, rows) * smaller(GS_LARGE_TILES * GS_LANES, columns);
        if (item > sums) sums = item;
        if (links * rows > left) left = links * rows;
        if (links * columns > right) right = links * columns;
        if (pairs_at_once(&outer, p) < smaller(pairs, GS_CHUNK_PAIRS) && rows * columns > partial) partial = rows * columns;
    }
    if (left == 0) return outer;
    outer.left = gs_arena_take(arena, gs_padded(left), sizeof(float), "the estimate's factors");
    outer.right = gs_arena_take(arena, gs_padded(right), sizeof(float), "the estimate's factors");
    outer.partial = gs_arena_take(arena, gs_padded(partial), sizeof(float), "the estimate's sums");
    outer.room = gs_arena_take(arena, workers, sizeof(float *), "the workers");
    for (size_t i = 0; i < workers; i++) {
        const size_t drawn = (GS_DRAWN_PAIRS * GS_DRAWN_ROWS + GS_DRAWN_TILES * GS_LANES) * rank;
        outer.room[i] = gs_arena_take(arena, gs_padded(drawn > sums ? drawn : sums), sizeof(float), "a worker's sums");
    }
    return outer;
}

/* A's numbers of some rows and one pair, [rows][rank]; kept, or drawn into `room`. */
static const float *some_a(const struct batch *batch, size_t pair, size_t row, size_t rows, float *room) {
    const struct gs_outer *outer = batch->outer;
    if (pair < outer->store->pairs) {
        const float *noise = outer->store->noise + pair * outer->store->stride;
        return gs_model_a(outer->model, batch->p, noise) + row * batch->rank;
    }
    const struct gs_draw draw = batch->draw;
    const struct gs_factors factors = gs_model_factors(outer->model, batch->p, draw.seed, draw.epoch, pair);
    gs_factors_a(&factors, row, rows, room);
    return room;
}

/* B's numbers of some columns and one pair, [rank][stride]. */
static const float *some_b(const struct batch *batch, size_t pair, size_t column, size_t columns, float *room,
                           size_t *stride) {
    const struct gs_outer *outer = batch->outer;
    if (pair < outer->store->pairs) {
        *stride = batch->n;
        return outer->store->noise + pair * outer->store->stride + outer->model->noise_at[batch->p] + column;
    }
    const struct gs_draw draw = batch->draw;
    const struct gs_factors factors = gs_model_factors(outer->model, batch->p, draw.seed, draw.epoch, pair);
    *stride = GS_DRAWN_TILES * GS_LANES;
    gs_factors_b(&factors, column, columns, room, *stride);
    return room;
}

/* The columns of left of some pairs. */
static void draw_left(const struct batch *batch, size_t first, size_t count, float *room) {
    const size_t rank = batch->rank, rows_in_all = padded_rows(batch->m);
    for (size_t row = 0; row < batch->m; row += GS_DRAWN_ROWS) {
        const size_t rows = smaller(GS_DRAWN_ROWS, batch->m - row);
        const float *a[GS_DRAWN_PAIRS];
        for (size_t k = 0; k < count; k++) {
            a[k] = some_a(batch, batch->first + first + k, row, rows, room + k * GS_DRAWN_ROWS * rank);
        }
        for (size_t i = 0; i < rows; i++) {
            for (size_t k = 0; k < count; k++) {
                const float d = batch->coefficients[batch->first + first + k];
                for (size_t q = 0; q < rank; q++) {
                    const size_t link = (first + k) * rank + q, piece = link / GS_PIECE;
                    const size_t wide = smaller(GS_PIECE, batch->links - piece * GS_PIECE);
                    float *to = batch->outer->left + piece * GS_PIECE * rows_in_all + (row + i) * wide;
                    to[link % GS_PIECE] = d * a[k][i * rank + q];
                }
            }
        }
    }
}

/* The rows of right of some pairs. */
static void draw_right(const struct batch *batch, size_t first, size_t count, float *room) {
    const size_t rank = batch->rank, together = GS_DRAWN_TILES * GS_LANES;
    for (size_t k = 0; k < count; k++) {
        for (size_t column = 0; column < batch->n; column += together) {
            size_t stride;
            const size_t columns = smaller(together, batch->n - column);
            const float *b = some_b(batch, batch->first + first + k, column, columns, room, &stride);
            for (size_t l = 0; l < columns; l += GS_LANES) {
                const size_t lanes = smaller(GS_LANES, columns - l), tile = (column + l) / GS_LANES;
                float *to = batch->outer->right + (tile * batch->links + (first + k) * rank) * GS_LANES;
                for (size_t q = 0; q < rank; q++, to += GS_LANES) {
                    memcpy(to, b + q * stride + l, lanes * sizeof *to);
                    memset(to + lanes, 0, (GS_LANES - lanes) * sizeof *to);
                }
            }
        }
    }
}

static void draw_item(void *argument, size_t worker, size_t item) {
    const struct batch *batch = argument;
    const size_t first = item / 2 * GS_DRAWN_PAIRS, count = smaller(GS_DRAWN_PAIRS, batch->pairs - first);
    float *room = batch->outer->room[worker];
    if (item % 2 == 0) {
        draw_left(batch, first, count, room);
    } else {
        draw_right(batch, first, count, room);
    }
}

GS_INLINE void add_links(const float *left, const float *right, float *sums, size_t rows,
                         const size_t links) {
    for (size_t row = 0; row < rows; row += GS_BLOCK_OUTPUTS) {
        for (size_t g = 0; g < GS_GROUPS; g++) {
            const size_t lane = g * GS_GROUP * GS_VEC;
            gs_vec acc[8][3];
            gs_block_load(sums + row * GS_LANES + lane, acc, GS_BLOCK_OUTPUTS, GS_GROUP);
            gs_linear_chains(acc, left + row * links, right + lane, links, GS_BLOCK_OUTPUTS, GS_GROUP);
            gs_block_store(sums + row * GS_LANES + lane, acc, GS_BLOCK_OUTPUTS, GS_GROUP);
        }
    }
}

/* The chains of a block of rows and a tile of columns go on over one piece: sums [rows][GS_LANES]. A whole piece has a
 * body of its own, in which the distance of rows is a literal. */
static void add_piece(const float *left, const float *right, float *sums, size_t rows, size_t links) {
    if (links == GS_PIECE) {
        add_links(left, right, sums, rows, GS_PIECE);
    } else {
        add_links(left, right, sums, rows, links);
    }
}

/* The sums of a chunk go into the estimate. */
static void finish(const struct batch *batch, size_t row, size_t rows, size_t column, size_t columns,
                   const float *restrict sums) {
    for (size_t i = 0; i < rows; i++) {
        float *restrict out = batch->out + (row + i) * batch->n + column;
        for (size_t j = 0; j < columns; j++) {
            float total = sums[i * GS_LANES + j];
            if (!batch->first_chunk) total = out[j] + total;
            out[j] = batch->last_chunk ? total * batch->scale : total;
        }
    }
}

/* The sums of some rows and a tile between two batches of a chunk. */
static void keep_sums(const struct batch *batch, size_t tile, size_t row, size_t rows, float *sums) {
    memcpy(batch->outer->partial + (tile * padded_rows(batch->m) + row) * GS_LANES, sums, rows * GS_LANES * sizeof *sums);
}

static void begin_sums(const struct batch *batch, size_t tile, size_t row, size_t rows, float *sums) {
    if (batch->begins) {
        memset(sums, 0, rows * GS_LANES * sizeof *sums);
    } else {
        memcpy(sums, batch->outer->partial + (tile * padded_rows(batch->m) + row) * GS_LANES, rows * GS_LANES * sizeof *sums);
    }
}

static void multiply_item(void *argument, size_t worker, size_t item) {
    const struct batch *batch = argument;
    const struct gs_outer *outer = batch->outer;
    const size_t in_all = padded_rows(batch->m), tiles_in_all = parts(batch->n, GS_LANES);
    const size_t blocks = parts(batch->m, batch->item_rows);
    const size_t row = item % blocks * batch->item_rows, rows = smaller(batch->item_rows, in_all - row);
    const size_t tile = item / blocks * batch->item_tiles, tiles = smaller(batch->item_tiles, tiles_in_all - tile);
    float *room = outer->room[worker];
    for (size_t t = 0; t < tiles; t++) begin_sums(batch, tile + t, row, rows, room + t * rows * GS_LANES);
    for (size_t link = 0; link < batch->links; link += GS_PIECE) {
        const size_t wide = smaller(GS_PIECE, batch->links - link);
        const float *left = outer->left + link * in_all + row * wide;
        for (size_t t = 0; t < tiles; t++) {
            const float *right = outer->right + ((tile + t) * batch->links + link) * GS_LANES;
            add_piece(left, right, room + t * rows * GS_LANES, rows, wide);
        }
    }
    for (size_t t = 0; t < tiles; t++) {
        float *sums = room + t * rows * GS_LANES;
        const size_t column = (tile + t) * GS_LANES;
        if (batch->ends) {
            finish(batch, row, smaller(rows, batch->m - row), column, smaller(GS_LANES, batch->n - column), sums);
        } else {
            keep_sums(batch, tile + t, row, rows, sums);
        }
    }
}

/* How large an item is, and how many there are. */
static size_t cut_items(struct batch *batch) {
    const size_t tiles = parts(batch->n, GS_LANES);
    const size_t large = parts(batch->m, GS_LARGE_ROWS) * parts(tiles, GS_LARGE_TILES);
    if (large >= GS_ITEMS_A_WORKER * gs_pool_size(batch->outer->pool)) {
        batch->item_rows = GS_LARGE_ROWS;
        batch->item_tiles = GS_LARGE_TILES;
        return large;
    }
    batch->item_rows = GS_SMALL_ROWS;
    batch->item_tiles = GS_SMALL_TILES;
    return parts(batch->m, GS_SMALL_ROWS) * tiles;
}

void gs_outer_estimate(const struct gs_outer *outer, size_t p, struct gs_draw draw, const float *coefficients,
                       float scale, float *out) {
    const struct gs_parameter *parameter = &outer->model->program->parameters[p];
    struct batch batch = {.outer = outer, .draw = draw, .coefficients = coefficients, .p = p, .m = (size_t)parameter->m,
                          .n = (size_t)parameter->n, .rank = outer->model->rank, .scale = scale, .out = out};
    const size_t most = pairs_at_once(outer, p);
    for (size_t first = 0; first < outer->pairs; first += batch.pairs) {
        const size_t chunk = first / GS_CHUNK_PAIRS * GS_CHUNK_PAIRS;
        const size_t end = smaller(chunk + GS_CHUNK_PAIRS, outer->pairs);
        batch.first = first;
        batch.pairs = smaller(most, end - first);
        batch.links = batch.pairs * batch.rank;
        batch.begins = first == chunk;
        batch.ends = first + batch.pairs == end;
        batch.first_chunk = chunk == 0;
        batch.last_chunk = end == outer->pairs;
        gs_pool_run(outer->pool, draw_item, &batch, 2 * parts(batch.pairs, GS_DRAWN_PAIRS));
        gs_pool_run(outer->pool, multiply_item, &batch, cut_items(&batch));
    }
}
