/* gs_shape_kernels.h -- ../gs_shaping.c for kernels: scores to weights, and the coefficients of the estimate.
 *
 * Ranks are counted, a thread a pair, so nothing depends on the order of threads. ZSCORE is a kernel of its own for one
 * group: the members sorted by fitness, then sums over them in that order on one thread. */
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

/* Puts the members at places low and high of the order right: by fitness, equals by number. */
GS_INLINE void gs_put_in_order(GS_ARGUMENTS args, GS_GLOBAL ulong *scores, uint low, uint high) {
    const ulong first = scores[args.order_at + low], second = scores[args.order_at + high];
    const gs_f64 a = gs_fitness(args, scores, (uint)first), b = gs_fitness(args, scores, (uint)second);
    if (gs_below(a, b) || (gs_tied(a, b) && first < second)) return;
    scores[args.order_at + low] = second;
    scores[args.order_at + high] = first;
}

/* Exponent, mean and standard deviation of the fitness of all members behind their order, by one thread. */
GS_INLINE void gs_moments(GS_ARGUMENTS args, GS_GLOBAL ulong *scores, struct gs_spread s) {
    const uint members = gs_members_of(args);
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

/* The coefficient of a pair: the difference of its members' weights, rounded to float32. */
GS_INLINE float gs_coefficient(GS_ARGUMENTS args, GS_GLOBAL const ulong *scores, uint pair) {
    const uint member = args.antithetic != 0u ? 2u * pair : pair;
    gs_f64 d = gs_weight(args, scores, member, gs_fitness(args, scores, member));
    if (args.antithetic != 0u) d = d - gs_weight(args, scores, member + 1u, gs_fitness(args, scores, member + 1u));
    return gs_f64_narrow(d);
}

/* The coefficients of all pairs, but for ZSCORE. */
GS_KERNEL(gs_shape) {
    const struct gs_spread s = gs_spread_of(args, scores);
    const bool flat = s.least == s.most && args.shaping != GS_RAW && !s.some_nan;
    for (uint pair = gs_group * GS_GROUP + gs_thread; pair < args.pairs; pair += args.groups * GS_GROUP) {
        state[args.coefficients + pair] = flat ? 0.0f : gs_coefficient(args, scores, pair);
    }
}

/* The same for ZSCORE, by one group. order_at gets the members in the order of their sum: a bitonic sort whose pairs all put
 * the smaller one first, so that places behind the last member, being the largest, never move and need not be there. */
GS_KERNEL(gs_standardise) {
    GS_SHARED float flat[1];
    const uint members = gs_members_of(args);
    for (uint i = gs_thread; i < members; i += GS_GROUP) scores[args.order_at + i] = (ulong)i;
    GS_BARRIER_ALL();
    for (uint size = 2u; size / 2u < members; size = size * 2u) { /* sorted runs of `size` members from two half as long */
        const uint runs = (members + size - 1u) / size;
        for (uint t = gs_thread; t < runs * (size / 2u); t += GS_GROUP) {
            const uint run = t / (size / 2u) * size, low = t % (size / 2u), high = run + size - 1u - low;
            if (high < members) gs_put_in_order(args, scores, run + low, high);
        }
        GS_BARRIER_ALL();
        for (uint gap = size / 4u; gap > 0u; gap = gap / 2u) {
            for (uint t = gs_thread; t < runs * (size / 2u); t += GS_GROUP) {
                const uint low = t / gap * gap * 2u + t % gap;
                if (low + gap < members) gs_put_in_order(args, scores, low, low + gap);
            }
            GS_BARRIER_ALL();
        }
    }
    if (gs_thread == 0u) {
        const struct gs_spread s = gs_spread_of(args, scores);
        flat[0] = s.least == s.most ? 1.0f : 0.0f;
        if (s.least != s.most) gs_moments(args, scores, s);
    }
    GS_BARRIER_ALL();
    const bool none = flat[0] != 0.0f;
    for (uint pair = gs_thread; pair < args.pairs; pair += GS_GROUP) {
        state[args.coefficients + pair] = none ? 0.0f : gs_coefficient(args, scores, pair);
    }
}

#endif
