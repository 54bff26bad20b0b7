/* gs_shaping.c -- the five shapings, all in float64, sums in the order of the ranks.
 *
 * One thread; a few comparisons a member, nothing beside an evaluation. */
#include "gs_shaping.h"

#include <string.h>

#include "gs_series.h"

/* (max(0, ln(n/2 + 1) - ln rank)) normalised so that the weights sum to zero: n h / (sum of h) - 1, ranks from 1. */
static void make_utilities(double *utility, size_t n) {
    const double most = gs_ln(0.5 * (double)n + 1.0);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double h = most - gs_ln((double)(i + 1));
        utility[i] = h > 0.0 ? h : 0.0;
        sum += utility[i];
    }
    for (size_t i = 0; i < n; i++) utility[i] = (double)n * utility[i] / sum - 1.0;
}

struct gs_shaper gs_shaper_make(struct gs_arena *arena, enum gs_shaping mode, bool antithetic, size_t n) {
    struct gs_shaper shaper = {.mode = mode, .antithetic = antithetic, .n = n};
    shaper.order = gs_arena_take(arena, n, sizeof *shaper.order, "the order of the members");
    shaper.merged = gs_arena_take(arena, n, sizeof *shaper.merged, "the order of the members");
    if (mode == GS_SHAPING_UTILITY) {
        shaper.utility = gs_arena_take(arena, n, sizeof *shaper.utility, "the utilities");
        make_utilities(shaper.utility, n);
    }
    return shaper;
}

static bool is_nan(double x) { return x != x; }

/* NaN members tie with one another, below all others. */
static bool below(double a, double b) { return is_nan(a) ? !is_nan(b) : a < b; }
static bool tied(double a, double b) { return a == b || (is_nan(a) && is_nan(b)); }

/* Sorts shaper->order by fitness; a merge sort, since the C library's qsort may allocate. */
static void sort_members(const struct gs_shaper *shaper, const double *fitness) {
    const size_t n = shaper->n;
    uint32_t *from = shaper->order, *to = shaper->merged;
    for (size_t i = 0; i < n; i++) from[i] = (uint32_t)i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            const size_t middle = start + width < n ? start + width : n;
            const size_t end = middle + width < n ? middle + width : n;
            size_t a = start, b = middle;
            for (size_t out = start; out < end; out++) {
                const bool right = a == middle || (b < end && below(fitness[from[b]], fitness[from[a]]));
                to[out] = from[right ? b++ : a++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != shaper->order) memcpy(shaper->order, from, n * sizeof *from);
}

/* The weight of members first ... last (places in ascending order) that tie. */
static double weight_of_ties(const struct gs_shaper *shaper, size_t first, size_t last) {
    const size_t n = shaper->n;
    if (shaper->mode == GS_SHAPING_RANK_SHAPED) {
        return 0.5 * (double)(first + last) / (double)(n - 1) - 0.5;
    }
    double sum = 0.0;
    for (size_t rank = n - 1 - last; rank <= n - 1 - first; rank++) sum += shaper->utility[rank];
    return sum / (double)(last - first + 1);
}

static void shape_by_rank(const struct gs_shaper *shaper, const double *fitness, double *weights) {
    const size_t n = shaper->n;
    sort_members(shaper, fitness);
    for (size_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && tied(fitness[shaper->order[first]], fitness[shaper->order[end]])) end++;
        const double weight = weight_of_ties(shaper, first, end - 1);
        for (size_t i = first; i < end; i++) weights[shaper->order[i]] = weight;
    }
}

static void shape_by_sign(size_t n, const double *fitness, double *weights) {
    for (size_t i = 0; i + 1 < n; i += 2) {
        weights[i] = weights[i + 1] = 0.0;
        if (tied(fitness[i], fitness[i + 1])) continue;
        const bool first_wins = below(fitness[i + 1], fitness[i]);
        weights[i] = first_wins ? 0.5 : -0.5;
        weights[i + 1] = -weights[i];
    }
}

/* 2^exponent, -1074 <= exponent <= 1023. */
static double power_of_two(int exponent) {
    const uint64_t bits = exponent < -1022 ? (uint64_t)1 << (exponent + 1074) : (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* x * 2^-exponent, rounded once: going down it is one product, going up both are exact. */
static double scaled(double x, int exponent) {
    if (exponent > 0) return x * power_of_two(-exponent);
    const int half = -exponent / 2;
    return x * power_of_two(half) * power_of_two(-exponent - half);
}

/* The exponent e with 2^(e-1) <= x < 2^e, x > 0. */
static int exponent_of(double x) {
    int exponent = -1022;
    if (x < 0x1p-1022) {
        x *= 0x1p+64;
        exponent -= 64;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return exponent + (int)(bits >> 52);
}

/* ZSCORE: (y - mean) / std over the valid members, y = fitness * 2^-e below 1 so that no square over- or underflows.
 * Both sums run over the members in ascending order, so that a member's place in the population shows in no bit. */
static void standardise(const struct gs_shaper *shaper, const double *fitness, double *weights) {
    const size_t n = shaper->n;
    sort_members(shaper, fitness);
    size_t first = 0;
    while (is_nan(fitness[shaper->order[first]])) first++;
    const double least = fitness[shaper->order[first]], most = fitness[shaper->order[n - 1]];
    const int exponent = exponent_of(-least > most ? -least : most);
    const double valid = (double)(n - first);
    double sum = 0.0, squares = 0.0;
    for (size_t i = first; i < n; i++) sum += scaled(fitness[shaper->order[i]], exponent);
    const double mean = sum / valid;
    for (size_t i = first; i < n; i++) {
        const double rest = scaled(fitness[shaper->order[i]], exponent) - mean;
        squares += rest * rest;
    }
    const double std = __builtin_sqrt(squares / valid);
    for (size_t i = 0; i < n; i++) weights[i] = (scaled(fitness[i], exponent) - mean) / std;
}

/* RAW and ZSCORE: a NaN member has weight 0, and so has its partner, which would otherwise pull alone. */
static void shape_by_value(const struct gs_shaper *shaper, const double *fitness, double *weights) {
    if (shaper->mode == GS_SHAPING_ZSCORE) {
        standardise(shaper, fitness, weights);
    } else {
        memcpy(weights, fitness, shaper->n * sizeof *weights);
    }
    for (size_t i = 0; i < shaper->n; i++) {
        const bool alone = shaper->antithetic && is_nan(fitness[i ^ 1]);
        if (is_nan(fitness[i]) || alone) weights[i] = 0.0;
    }
}

/* True if all weights are 0: the valid members are equal, and no NaN member tells them apart from others by rank. */
static bool is_flat(const struct gs_shaper *shaper, const double *fitness) {
    double least = __builtin_inf(), most = -__builtin_inf();
    bool some_nan = false;
    for (size_t i = 0; i < shaper->n; i++) {
        some_nan = some_nan || is_nan(fitness[i]);
        if (fitness[i] < least) least = fitness[i];
        if (fitness[i] > most) most = fitness[i];
    }
    if (least != most) return false;
    return shaper->mode == GS_SHAPING_ZSCORE || (shaper->mode != GS_SHAPING_RAW && !some_nan);
}

void gs_shape(const struct gs_shaper *shaper, const double *fitness, double *weights) {
    if (is_flat(shaper, fitness)) {
        for (size_t i = 0; i < shaper->n; i++) weights[i] = 0.0;
        return;
    }
    switch (shaper->mode) {
    case GS_SHAPING_RANK_SHAPED:
    case GS_SHAPING_UTILITY: shape_by_rank(shaper, fitness, weights); return;
    case GS_SHAPING_SIGN: shape_by_sign(shaper->n, fitness, weights); return;
    case GS_SHAPING_RAW:
    case GS_SHAPING_ZSCORE: shape_by_value(shaper, fitness, weights); return;
    }
}
