/* gs_batch.h -- ../gs_batch_sum.h for kernels, and the contexts of the members at work. */
#ifndef GS_BATCH_H
#define GS_BATCH_H

#include "gs_context.h"
#include "gs_float64.h"

#define GS_BATCH_SUM 0u
#define GS_BATCH_PRODUCT 1u
#define GS_BATCH_MAX 2u
#define GS_BATCH_MIN 3u
#define GS_BATCH_MEAN 4u

GS_INLINE gs_f64 gs_batch_first(uint op) {
    if (op == GS_BATCH_PRODUCT) return gs_f64_from_bits(0x3ff0000000000000ul);
    if (op == GS_BATCH_MAX) return gs_f64_from_bits(0xfff0000000000000ul);
    if (op == GS_BATCH_MIN) return gs_f64_from_bits(0x7ff0000000000000ul);
    return gs_f64_from_bits(0ul);
}

GS_INLINE gs_f64 gs_batch_apply(uint op, gs_f64 a, gs_f64 b) {
    if (op == GS_BATCH_PRODUCT) return a * b;
    if (op == GS_BATCH_SUM || op == GS_BATCH_MEAN) return a + b;
    const bool first = a != a || (op == GS_BATCH_MAX ? a > b : a < b);
    if (first) return a;
    return b;
}

GS_INLINE gs_f64 gs_f64_mean(gs_f64 sum, uint rows) { return sum / gs_f64_of_uint(rows); }

/* What the words behind a reduction see of its result. */
GS_INLINE float gs_batch_result(uint op, gs_f64 total, uint rows) {
    if (op == GS_BATCH_MEAN) return gs_f64_narrow(gs_f64_mean(total, rows));
    return gs_f64_narrow(total);
}

/* The context of the mean weights for one row; `reduced` and `kept` are still to be set. */
GS_INLINE struct gs_tile_context gs_center_context(GS_ARGUMENTS args, GS_GLOBAL const float *state, GS_GLOBAL const float *noise,
                                                   GS_GLOBAL const float *own, GS_GLOBAL const uint *table,
                                                   GS_STREAM_TABLE streams, uint row) {
    struct gs_tile_context tile;
    tile.theta = state + args.theta;
    tile.zeros = noise + args.zeros;
    tile.noise = tile.zeros;
    tile.own = own;
    tile.table = table;
    tile.numbers = state;
    tile.tables = table + args.tables_at;
    tile.streams = streams;
    tile.ss_dense = 0.0f;
    tile.ss_factored = 0.0f;
    tile.loop_limit = args.loop_limit;
    tile.center = true;
    tile.row = row;
    tile.seed = gs_join(args.seed.low, args.seed.high);
    tile.epoch = gs_join(args.draw_epoch.low, args.draw_epoch.high);
    tile.member = 0xfffffffffffffffful;
    return tile;
}

/* Members at work are numbered from 0: pair by pair, + before -, then the mean weights. */
GS_INLINE uint gs_signs(GS_ARGUMENTS args) { return args.antithetic != 0u ? 2u : 1u; }
GS_INLINE uint gs_members_at_work(GS_ARGUMENTS args) { return args.some_pairs * gs_signs(args) + args.center; }

/* The place of a member at work among all scores. */
GS_INLINE uint gs_score_place(GS_ARGUMENTS args, uint member) {
    const uint signs = gs_signs(args);
    return member < args.some_pairs * signs ? args.first_pair * signs + member : args.pairs * signs;
}

/* Makes `tile` the context of a member at work. */
GS_INLINE void gs_be_member(GS_THREAD struct gs_tile_context *tile, GS_ARGUMENTS args, GS_GLOBAL const float *noise,
                            GS_GLOBAL const float *own, uint member) {
    const uint signs = gs_signs(args), pair = member / signs;
    const bool minus = member % signs == 1u;
    tile->center = pair >= args.some_pairs;
    if (tile->center) return;
    tile->noise = noise + pair * args.noise_stride;
    tile->own = own + member * args.own_stride;
    tile->ss_dense = minus ? -args.ss_dense : args.ss_dense;
    tile->ss_factored = minus ? -args.ss_factored : args.ss_factored;
    tile->member = (ulong)gs_score_place(args, member);
}

#endif
