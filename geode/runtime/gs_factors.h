/* gs_factors.h -- the low-rank noise of one matrix for one pair: factors A [m][r] and B [n][r] of E = A B' / sqrt(r).
 *
 * Any rows of either factor can be drawn alone, with the same bits, by any thread. B is handed out transposed: a column
 * of it is a row of weights to the layers and runs along the entries of a row of E. */
#ifndef GS_FACTORS_H
#define GS_FACTORS_H

#include <stddef.h>
#include <stdint.h>

#include "gs_settings.h"

struct gs_factors {
    enum gs_perturbation family; /* not GS_PERTURBATION_GAUSSIAN */
    size_t n, rank;
    uint64_t key; /* of the matrix's stream for the pair */
};

/* out[count][rank]: rows first ... of A. */
void gs_factors_a(const struct gs_factors *factors, size_t first, size_t count, float *out);

/* out[rank][stride]: columns first ... first + count - 1 of B transposed, count <= stride. */
void gs_factors_b(const struct gs_factors *factors, size_t first, size_t count, float *out, size_t stride);

#endif
