/* gs_muon.h -- the orthogonalised momentum of a matrix, by Newton-Schulz steps. */
#ifndef GS_MUON_H
#define GS_MUON_H

#include <stdbool.h>
#include <stdint.h>

#include "gs_arena.h"
#include "gs_pool.h"

struct gs_muon {
    struct gs_pool *pool;
    float *x, *next;   /* [rows][columns], rows <= columns */
    float *transposed; /* [columns][rows] */
    float *a, *square; /* [rows][rows] */
};

/* Room for matrices of up to `rows` rows of any length with at most `entries` entries; rows is the shorter side. */
struct gs_muon gs_muon_make(struct gs_arena *arena, struct gs_pool *pool, size_t rows, size_t entries);

/* out [m][n] = the result of `steps` steps from momentum [m][n] / norm, norm its Frobenius norm; 0 if the norm is 0. */
void gs_muon_orthogonalise(const struct gs_muon *muon, const float *momentum, double norm, size_t m, size_t n,
                           uint64_t steps, float *out);

#endif
