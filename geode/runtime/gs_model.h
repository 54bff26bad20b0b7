/* gs_model.h -- the weights of a run and the noise that perturbs them.
 *
 * theta is the flat vector of all parameters at the program's offsets. Estimate and optimizer state hold only the trained
 * parameters, packed one after the other (each padded to 16 floats): entry i of parameter p stands at packed[p] + i. The
 * noise of a pair holds E itself, entry i at noise_at[p] + i, or for a matrix under low-rank noise the factors: B
 * transposed, [r][n], and after it A, [m][r] (gs_model_a). */
#ifndef GS_MODEL_H
#define GS_MODEL_H

#include "gs_arena.h"
#include "gs_factors.h"
#include "gs_program.h"

#define GS_NOT_TRAINED SIZE_MAX

struct gs_model {
    const struct gs_program *program;
    const bool *reaches; /* of the word that is trained now; NULL: every parameter */
    const float *const *tables; /* by table of the program */
    float *theta;
    uint16_t **bf16;       /* by parameter: theta packed as bfloat16, NULL where nothing reads it so */
    float *zeros;          /* noise of a parameter that is not perturbed, as long as the longest parameter or factor */
    size_t *packed;        /* by parameter; GS_NOT_TRAINED where it isn't */
    size_t packed_floats;  /* length of a packed vector, a multiple of 16 */
    enum gs_perturbation perturbation;
    size_t rank;           /* of the noise of matrices, where it is not dense */
    size_t *noise_at;      /* by parameter */
    size_t noise_floats;   /* length of a pair's noise, a multiple of 16 */
    size_t *weights_at;    /* by parameter: where a member's own weights stand, for those that are materialised */
    size_t weights_floats; /* length of a member's own weights, a multiple of 16 */
    uint64_t entries;      /* of all parameters */
    uint64_t trained_entries;
};

/* The model with its initial weights under `seed`; the memory is the arena's. Until gs_model_begin the noise of every
 * trained parameter is dense. */
struct gs_model gs_model_make(struct gs_arena *arena, const struct gs_program *program, uint64_t seed);

/* From now on the model's noise is that of a stage with these settings, which trains what `reaches` says. */
void gs_model_begin(struct gs_model *model, const struct gs_settings *settings, const bool *reaches);

/* True if the word that is trained now perturbs and updates parameter p. */
static inline bool gs_model_trains(const struct gs_model *model, size_t p) {
    return model->program->parameters[p].trainable && (model->reaches == NULL || model->reaches[p]);
}

static inline size_t gs_entries(const struct gs_parameter *parameter) { return (size_t)(parameter->m * parameter->n); }

/* True if the noise of parameter p has low rank. */
static inline bool gs_model_factored(const struct gs_model *model, size_t p) {
    return model->perturbation != GS_PERTURBATION_GAUSSIAN && model->program->parameters[p].kind != GS_KIND_VECTOR;
}

/* Factor A of parameter p in the noise of a pair. */
static inline const float *gs_model_a(const struct gs_model *model, size_t p, const float *noise) {
    return noise + model->noise_at[p] + gs_padded((size_t)model->program->parameters[p].n * model->rank);
}

/* The factors of parameter p for one pair at one epoch, to be drawn from. */
struct gs_factors gs_model_factors(const struct gs_model *model, size_t p, uint64_t seed, uint64_t epoch, uint64_t pair);

/* The noise of one pair at one epoch, [noise_floats]; the padding is left alone. */
void gs_model_draw(const struct gs_model *model, uint64_t seed, uint64_t epoch, uint64_t pair, float *noise);

/* A stretch of one trained parameter: entries first ... first + count - 1. */
struct gs_block {
    size_t parameter, first, count;
};

/* All trained parameters cut into blocks of at most `size` entries, in order; a block never spans two parameters. */
struct gs_blocks {
    struct gs_block *block;
    size_t count;
};

struct gs_blocks gs_blocks_make(struct gs_arena *arena, const struct gs_model *model, size_t size);

/* Noise that is kept from the evaluation to the estimate: that of the first pairs, as many as fit in GS_NOISE_BYTES,
 * so that memory doesn't grow with the population. */
#define GS_NOISE_BYTES (1u << 20)

struct gs_noise_store {
    float *noise; /* [pairs][stride] */
    size_t pairs;
    size_t stride;
};

struct gs_noise_store gs_noise_store_make(struct gs_arena *arena, const struct gs_model *model, uint64_t pairs);

#endif
