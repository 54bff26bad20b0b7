/* gs_whole.h -- lane operations over a whole tile, each a function of its own: what large units are written in.
 *
 * The same operations on the same lanes as in gs_tile.h, so the same bits. A compiler takes a call for what would be dozens of
 * instructions, and a unit of ten thousand operations is compiled in a tenth of the time; a value goes through memory from one
 * operation to the next, which costs a large unit some of its speed. An operand is a value of every lane (l: where it lies) or
 * one for all (s: the number itself). A unit makes the functions that it calls at the head of its file. */
#ifndef GS_WHOLE_H
#define GS_WHOLE_H

#include "gs_flags.h"
#include "gs_tile.h"

/* A compiler that looked into the function from its calls would give the time back. */
#if defined(__clang__)
#define GS_APART static __attribute__((noinline, used, unused))
#else
#define GS_APART static __attribute__((noipa, unused))
#endif

/* A part of a long function that does nothing but call: there is nothing to be gained by optimising it. */
#if defined(__clang__)
#define GS_PART_OF_CALLS static __attribute__((noinline, optnone))
#else
#define GS_PART_OF_CALLS static __attribute__((noipa, optimize("O0")))
#endif

#define GS_WHOLE_TYPE_l const float *
#define GS_WHOLE_TYPE_s float
#define GS_WHOLE_GET_l(x) gs_load((x) + v * GS_VEC)
#define GS_WHOLE_GET_s(x) gs_set(x)

/* y: [GS_LANES], aligned to a vector; it may be where an operand lies. */
#define GS_WHOLE_0(op, name)                           \
    GS_APART void name(float *y) {                     \
        GS_UNROLL                                      \
        for (size_t v = 0; v < GS_VECS; v++) {         \
            gs_store(y + v * GS_VEC, op());            \
        }                                              \
    }
#define GS_WHOLE_1(op, name, A)                                     \
    GS_APART void name(float *y, GS_WHOLE_TYPE_##A a) {             \
        GS_UNROLL                                                   \
        for (size_t v = 0; v < GS_VECS; v++) {                      \
            gs_store(y + v * GS_VEC, op(GS_WHOLE_GET_##A(a)));      \
        }                                                           \
    }
#define GS_WHOLE_2(op, name, A, B)                                                         \
    GS_APART void name(float *y, GS_WHOLE_TYPE_##A a, GS_WHOLE_TYPE_##B b) {               \
        GS_UNROLL                                                                          \
        for (size_t v = 0; v < GS_VECS; v++) {                                             \
            gs_store(y + v * GS_VEC, op(GS_WHOLE_GET_##A(a), GS_WHOLE_GET_##B(b)));        \
        }                                                                                  \
    }
#define GS_WHOLE_3(op, name, A, B, C)                                                                             \
    GS_APART void name(float *y, GS_WHOLE_TYPE_##A a, GS_WHOLE_TYPE_##B b, GS_WHOLE_TYPE_##C c) {                 \
        GS_UNROLL                                                                                                 \
        for (size_t v = 0; v < GS_VECS; v++) {                                                                    \
            gs_store(y + v * GS_VEC, op(GS_WHOLE_GET_##A(a), GS_WHOLE_GET_##B(b), GS_WHOLE_GET_##C(c)));          \
        }                                                                                                         \
    }

/* The same for values that all rows share. */
#define GS_ONE_0(op, name) \
    GS_APART float name(void) { return gs_first(op()); }
#define GS_ONE_1(op, name) \
    GS_APART float name(float a) { return gs_first(op(gs_set(a))); }
#define GS_ONE_2(op, name) \
    GS_APART float name(float a, float b) { return gs_first(op(gs_set(a), gs_set(b))); }
#define GS_ONE_3(op, name) \
    GS_APART float name(float a, float b, float c) { return gs_first(op(gs_set(a), gs_set(b), gs_set(c))); }

GS_INLINE gs_vec gs_copy(gs_vec x) { return x; }

GS_APART int gs_any_apart(const float *flag) { return gs_any(flag); }

#endif
