/* gs_init.h -- initial weights, from the streams init:NAME. */
#ifndef GS_INIT_H
#define GS_INIT_H

#include "gs_program.h"

/* Fills theta (the flat vector of all parameters, zeroed before) with the initial weights under `seed`.
 * NORMAL is (float32)init_value times normal i; UNIFORM is init_value times (2u - 1) with u = (word i >> 8) 2^-24;
 * ORTHOGONAL is modified Gram-Schmidt in float64 over the normals, rows or columns whichever are fewer. */
void gs_init_parameters(const struct gs_program *program, uint64_t seed, float *theta);

#endif
