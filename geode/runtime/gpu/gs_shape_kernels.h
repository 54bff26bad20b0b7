/* gs_shape_kernels.h -- ../gs_shaping.c for kernels: scores to weights, and the coefficients of the estimate.
 *
 * Ranks are counted, a thread a pair, so nothing depends on the order of threads. Sums over the members run in ascending
 * order of their fitness on one thread (gs_moments), as ZSCORE alone needs them. */
#ifndef GS_SHAPE_KERNELS_H
#define GS_SHAPE_KERNELS_H

#include "gs_context.h"
#include "gs_float64.h"

#define GS_RANK_SHAPED 0u
#define GS_RAW 1u
#define GS_ZSCORE 2u
#define GS_SIGN 3u
#define GS_UTILITY 4u

/* Higher is better; what is not finite is NaN. */
GS_INLINE gs_f64 gs_fitness(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores, uint member) {
    const gs_f64 score = gs_f64_from_bits(scores[member]);
    if (!gs_f64_is_finite(score)) return gs_f64_nan();
    if (args.minimise != 0u) return -score;
    return score;
}

GS_INLINE uint gs_members_of(GS_ARGUMENTS args) { return args.antithetic != 0u ? 2u * args.pairs : args.pairs; }

GS_INLINE bool gs_below(gs_f64 a, gs_f64 b) { return gs_f64_is_nan(a) ? !gs_f64_is_nan(b) : a < b; }
GS_INLINE bool gs_tied(gs_f64 a, gs_f64 b) { return a == b || (gs_f64_is_nan(a) && gs_f64_is_nan(b)); }

/* 2^exponent, -1074 <= exponent <= 1023. */
GS_INLINE gs_f64 gs_f64_power_of_two(int exponent) {
    if (exponent < -1022) return gs_f64_from_bits(1ul << (uint)(exponent + 1074));
    return gs_f64_from_bits((ulong)(uint)(exponent + 1023) << 52);
}

GS_INLINE gs_f64 gs_scaled(gs_f64 x, int exponent) {
    if (exponent > 0) return x * gs_f64_power_of_two(-exponent);
    const int half_way = -exponent / 2;
    return x * gs_f64_power_of_two(half_way) * gs_f64_power_of_two(-exponent - half_way);
}

/* The exponent e with 2^(e-1) <= x < 2^e, x > 0. */
GS_INLINE int gs_exponent_of(gs_f64 x) {
    int exponent = -1022;
    if (x < gs_f64_power_of_two(-1022)) {
        x = x * gs_f64_power_of_two(64);
        exponent -= 64;
    }
    return exponent + (int)(gs_f64_bits(x) >> 52);
}

struct gs_spread {
    gs_f64 least, most;
    bool some_nan;
};

GS_INLINE struct gs_spread gs_spread_of(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores) {
    struct gs_spread s;
    s.least = gs_f64_from_bits(0x7ff0000000000000ul);
    s.most = gs_f64_from_bits(0xfff0000000000000ul);
    s.some_nan = false;
    const uint members = gs_members_of(args);
    for (uint i = 0u; i < members; i++) {
        const gs_f64 f = gs_fitness(args, scores, i);
        s.some_nan = s.some_nan || gs_f64_is_nan(f);
        if (f < s.least) s.least = f;
        if (f > s.most) s.most = f;
    }
    return s;
}

/* ZSCORE: order_at gets the members by fitness, equals by number. */
GS_KERNEL(gs_order) {
    const uint members = gs_members_of(args);
    for (uint i = gs_group * GS_GROUP + gs_thread; i < members; i += args.groups * GS_GROUP) {
        const gs_f64 mine = gs_fitness(args, scores, i);
        uint before = 0u;
        for (uint k = 0u; k < members; k++) {
            const gs_f64 other = gs_fitness(args, scores, k);
            if (gs_below(other, mine) || (k < i && gs_tied(other, mine))) before++;
        }
        scores[args.order_at + before] = (ulong)i;
    }
}

/* ZSCORE: exponent, mean and standard deviation behind the order, by one thread. */
GS_KERNEL(gs_moments) {
    if (gs_group != 0u || gs_thread != 0u) return;
    const uint members = gs_members_of(args);
    const struct gs_spread s = gs_spread_of(args, scores);
    uint first = 0u;
    while (first < members && gs_f64_is_nan(gs_fitness(args, scores, (uint)scores[args.order_at + first]))) first++;
    const gs_f64 low = -s.least;
    const int exponent = gs_exponent_of(low > s.most ? low : s.most);
    const gs_f64 valid = gs_f64_of_uint(members - first);
    gs_f64 sum = gs_f64_from_bits(0ul), squares = gs_f64_from_bits(0ul);
    for (uint i = first; i < members; i++) {
        sum = sum + gs_scaled(gs_fitness(args, scores, (uint)scores[args.order_at + i]), exponent);
    }
    const gs_f64 mean = sum / valid;
    for (uint i = first; i < members; i++) {
        const gs_f64 rest = gs_scaled(gs_fitness(args, scores, (uint)scores[args.order_at + i]), exponent) - mean;
        squares = squares + rest * rest;
    }
    scores[args.order_at + members] = (ulong)(uint)exponent;
    scores[args.order_at + members + 1u] = gs_f64_bits(mean);
    scores[args.order_at + members + 2u] = gs_f64_bits(gs_f64_root(squares / valid));
}

/* The weight of a member whose fitness is `mine`, all weights not being 0. */
GS_INLINE gs_f64 gs_weight(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores, uint member, gs_f64 mine) {
    const uint members = gs_members_of(args);
    const gs_f64 zero = gs_f64_from_bits(0ul), half_one = gs_f64_from_bits(0x3fe0000000000000ul);
    const gs_f64 partner = gs_fitness(args, scores, args.antithetic != 0u ? member ^ 1u : member);
    if (args.shaping == GS_SIGN) {
        if (gs_tied(mine, partner)) return zero;
        if (gs_below(partner, mine)) return half_one;
        return -half_one;
    }
    if (args.shaping == GS_RAW || args.shaping == GS_ZSCORE) {
        if (gs_f64_is_nan(mine) || gs_f64_is_nan(partner)) return zero;
        if (args.shaping == GS_RAW) return mine;
        const int exponent = (int)(uint)scores[args.order_at + members];
        const gs_f64 mean = gs_f64_from_bits(scores[args.order_at + members + 1u]);
        return (gs_scaled(mine, exponent) - mean) / gs_f64_from_bits(scores[args.order_at + members + 2u]);
    }
    uint first = 0u, ties = 0u;
    for (uint k = 0u; k < members; k++) {
        const gs_f64 other = gs_fitness(args, scores, k);
        first += gs_below(other, mine) ? 1u : 0u;
        ties += gs_tied(other, mine) ? 1u : 0u;
    }
    const uint last = first + ties - 1u;
    if (args.shaping == GS_RANK_SHAPED) {
        return half_one * gs_f64_of_uint(first + last) / gs_f64_of_uint(members - 1u) - half_one;
    }
    gs_f64 sum = zero;
    for (uint rank = members - 1u - last; rank <= members - 1u - first; rank++) {
        sum = sum + gs_f64_from_bits(scores[args.utility_at + rank]);
    }
    return sum / gs_f64_of_uint(ties);
}

/* The coefficient of every pair: the difference of its members' weights, rounded to float32. */
GS_KERNEL(gs_shape) {
    const struct gs_spread s = gs_spread_of(args, scores);
    const bool equal = s.least == s.most;
    const bool flat = equal && (args.shaping == GS_ZSCORE || (args.shaping != GS_RAW && !s.some_nan));
    for (uint pair = gs_group * GS_GROUP + gs_thread; pair < args.pairs; pair += args.groups * GS_GROUP) {
        const uint member = args.antithetic != 0u ? 2u * pair : pair;
        gs_f64 d = gs_f64_from_bits(0ul);
        if (!flat) d = gs_weight(args, scores, member, gs_fitness(args, scores, member));
        if (!flat && args.antithetic != 0u) {
            d = d - gs_weight(args, scores, member + 1u, gs_fitness(args, scores, member + 1u));
        }
        state[args.coefficients + pair] = gs_f64_narrow(d);
    }
}

#endif
