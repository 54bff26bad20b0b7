/* gs_muon.h -- the orthogonalised momentum of a matrix, by Newton-Schulz steps. */
#ifndef GS_MUON_H
#define GS_MUON_H

#include <stddef.h>
#include <stdint.h>

#include "gs_arena.h"
#include "gs_pool.h"

/* The room that a set of matrices needs: the most floats of each buffer. Zero it, then fit every matrix. */
struct gs_muon_room {
    size_t entries, square, tiles;
};

struct gs_muon {
    struct gs_pool *pool;
    float *x;     /* [rows][columns], rows <= columns */
    float *a, *y; /* [rows][rows] */
    float *tiles; /* the right-hand side of a product, its columns in lanes */
};

void gs_muon_fit(struct gs_muon_room *room, size_t m, size_t n);

struct gs_muon gs_muon_make(struct gs_arena *arena, struct gs_pool *pool, const struct gs_muon_room *room);

/* out [m][n] = the result of `steps` steps from momentum [m][n] / norm, norm its Frobenius norm; 0 if the norm is 0. */
void gs_muon_orthogonalise(const struct gs_muon *muon, const float *momentum, double norm, size_t m, size_t n,
                           uint64_t steps, float *out);

#endif
