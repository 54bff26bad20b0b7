/* gs_bf16.h -- bfloat16 copies of weights, for programs with the setting BF16 (kernels/gs_bf16_layer.h).
 *
 * A matrix [m][n] is packed in tiles of 16 rows and 32 columns, [m / 16][n / 32][16][32] (both rounded up, zeros at the
 * ends), each number rounded to nearest, ties to even: the order in which a matrix unit reads it. */
#ifndef GS_BF16_H
#define GS_BF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gs_arena.h"

#define GS_BF16_ROWS 16
#define GS_BF16_COLUMNS 32

struct gs_program;
struct gs_model;
struct gs_pool;

/* The way's name, as the fingerprint has it. */
const char *gs_bf16_way(void);

/* True if some parameter of the program is read as bfloat16. */
bool gs_bf16_used(const struct gs_program *program);

/* Makes the processor's means ready for all threads that are started later. Ends the program with a message if the
 * program uses them and they are not there, and warns of a way that is not worth while. */
void gs_bf16_prepare(const struct gs_program *program);

/* Room for the packed weights of every parameter that is read as bfloat16, [parameter_count], NULL for the others. */
uint16_t **gs_bf16_make(struct gs_arena *arena, const struct gs_program *program);

/* Packs theta anew: after it has changed. */
void gs_bf16_pack(const struct gs_model *model, struct gs_pool *pool);

#endif
