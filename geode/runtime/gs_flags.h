/* gs_flags.h -- flags over lanes: comparisons, logic and choices, as compiled units write them.
 *
 * A flag lies in memory like a number, all bits set where it is true and none where it is false, so that choosing is
 * three bit operations and no NaN crosses over. A comparison with a NaN is false, except that it differs from all.
 */
#ifndef GS_FLAGS_H
#define GS_FLAGS_H

#include "gs_tile.h"

GS_INLINE gs_vec gs_is_lt(gs_vec a, gs_vec b) { return gs_from_bits(gs_lt(a, b)); }
GS_INLINE gs_vec gs_is_le(gs_vec a, gs_vec b) { return gs_from_bits(gs_le(a, b)); }
GS_INLINE gs_vec gs_is_gt(gs_vec a, gs_vec b) { return gs_from_bits(gs_lt(b, a)); }
GS_INLINE gs_vec gs_is_ge(gs_vec a, gs_vec b) { return gs_from_bits(gs_le(b, a)); }
GS_INLINE gs_vec gs_is_eq(gs_vec a, gs_vec b) { return gs_from_bits(gs_eq(a, b)); }
GS_INLINE gs_vec gs_is_ne(gs_vec a, gs_vec b) { return gs_from_bits(gs_ne(a, b)); }

GS_INLINE gs_vec gs_and(gs_vec a, gs_vec b) { return gs_from_bits(gs_bits(a) & gs_bits(b)); }
GS_INLINE gs_vec gs_or(gs_vec a, gs_vec b) { return gs_from_bits(gs_bits(a) | gs_bits(b)); }
GS_INLINE gs_vec gs_xor(gs_vec a, gs_vec b) { return gs_from_bits(gs_bits(a) ^ gs_bits(b)); }
GS_INLINE gs_vec gs_not(gs_vec a) { return gs_from_bits(~gs_bits(a)); }
GS_INLINE gs_vec gs_true(void) { return gs_from_bits(gs_set_bits(-1)); }
GS_INLINE gs_vec gs_false(void) { return gs_from_bits(gs_set_bits(0)); }

/* 1 where the flag is set, else 0. */
GS_INLINE gs_vec gs_number(gs_vec flag) { return gs_from_bits(gs_bits(flag) & gs_bits(gs_set(1.0f))); }

/* x where the flag is set, else y. */
GS_INLINE gs_vec gs_choose(gs_vec flag, gs_vec x, gs_vec y) { return gs_select(gs_bits(flag), x, y); }

#ifndef GS_KERNEL_TEXT /* a kernel's thread has one lane, whose flag it reads itself */

/* Whether a flag is set in any lane of a tile. */
GS_INLINE int gs_any(const float *flag) {
    int32_t all = 0;
    for (size_t v = 0; v < GS_VECS; v++) {
        int32_t lanes[GS_VEC];
        const gs_mask m = gs_bits(gs_load(flag + v * GS_VEC));
        memcpy(lanes, &m, sizeof lanes);
        for (size_t i = 0; i < GS_VEC; i++) all |= lanes[i];
    }
    return all != 0;
}

/* The same for a flag that all rows share. */
GS_INLINE int gs_any_uniform(const float *flag) {
    int32_t bits;
    memcpy(&bits, flag, sizeof bits);
    return bits != 0;
}

#endif

#endif
