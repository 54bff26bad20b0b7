/* gs_update.c -- every entry is updated on its own, so blocks are shared out among the workers; only MUON looks at a
 * whole matrix, and does so before. Factors are float64 and rounded to float32 once; products, quotients and sums are
 * rounded one by one, from left to right, fused only where fma is written. */
#include "gs_update.h"

#include <string.h>

#include "gs_series.h"

#define GS_NORM_ENTRIES 4096

struct update_job {
    struct gs_updater *updater;
    const struct gs_settings *settings;
    struct gs_update_factors factors;
    float clip; /* 1: no clipping */
    double alpha;
    float *estimate;
};

struct norm_job {
    const struct gs_updater *updater;
    const float *packed;
};

struct gs_optimizer_state gs_optimizer_state_make(struct gs_arena *arena, const struct gs_model *model,
                                                  enum gs_optimizer kind) {
    struct gs_optimizer_state state = {.kind = kind};
    const bool first = kind == GS_OPTIMIZER_SGDM || kind == GS_OPTIMIZER_ADAM || kind == GS_OPTIMIZER_MUON;
    const bool second = kind == GS_OPTIMIZER_RMSPROP || kind == GS_OPTIMIZER_ADAM || kind == GS_OPTIMIZER_MUON;
    const size_t floats = model->packed_floats;
    if (first) state.first = gs_arena_take(arena, floats, sizeof(float), "the optimizer");
    if (second) state.second = gs_arena_take(arena, floats, sizeof(float), "the optimizer");
    return state;
}

size_t gs_optimizer_parts(const struct gs_optimizer_state *state, const struct gs_model *model, size_t p,
                          struct gs_optimizer_part parts[2]) {
    const size_t place = model->packed[p];
    if (place == GS_NOT_TRAINED) return 0;
    switch (state->kind) {
    case GS_OPTIMIZER_SGD: return 0;
    case GS_OPTIMIZER_SGDM: parts[0] = (struct gs_optimizer_part){"optimizer/v/", state->first + place, false}; return 1;
    case GS_OPTIMIZER_RMSPROP: parts[0] = (struct gs_optimizer_part){"optimizer/q/", state->second + place, true}; return 1;
    case GS_OPTIMIZER_MUON:
        if (model->program->parameters[p].kind == GS_KIND_MATRIX) {
            parts[0] = (struct gs_optimizer_part){"optimizer/M/", state->first + place, false};
            return 1;
        }
        break;
    case GS_OPTIMIZER_ADAM: break;
    }
    parts[0] = (struct gs_optimizer_part){"optimizer/m/", state->first + place, false};
    parts[1] = (struct gs_optimizer_part){"optimizer/v/", state->second + place, true};
    return 2;
}

bool gs_update_by_muon(const struct gs_model *model, enum gs_optimizer kind, size_t p) {
    return kind == GS_OPTIMIZER_MUON && model->program->parameters[p].kind == GS_KIND_MATRIX && gs_model_trains(model, p);
}

static bool by_muon(const struct gs_updater *updater, size_t parameter) {
    return gs_update_by_muon(updater->model, updater->state->kind, parameter);
}

struct gs_updater gs_updater_make(struct gs_arena *arena, struct gs_model *model, struct gs_pool *pool,
                                  struct gs_optimizer_state *state) {
    struct gs_updater updater = {.model = model, .pool = pool, .state = state};
    const size_t workers = gs_pool_size(pool);
    updater.blocks = gs_blocks_make(arena, model, GS_NORM_ENTRIES);
    updater.block_sums = gs_arena_take(arena, updater.blocks.count, sizeof(double), "the norms");
    updater.old = gs_arena_take(arena, workers, sizeof(float *), "the workers");
    for (size_t i = 0; i < workers; i++) {
        updater.old[i] = gs_arena_take(arena, GS_NORM_ENTRIES, sizeof(float), "a worker's weights");
    }
    struct gs_muon_room room = {0};
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (by_muon(&updater, p)) gs_muon_fit(&room, (size_t)parameter->m, (size_t)parameter->n);
    }
    if (room.entries > 0) {
        updater.muon = gs_muon_make(arena, pool, &room);
        updater.direction = gs_arena_take(arena, model->packed_floats, sizeof(float), "MUON");
    }
    return updater;
}

static void square_block(void *argument, size_t worker, size_t item) {
    const struct norm_job *job = argument;
    const struct gs_block *block = &job->updater->blocks.block[item];
    const float *x = job->packed + job->updater->model->packed[block->parameter] + block->first;
    double sum = 0.0;
    (void)worker;
    for (size_t i = 0; i < block->count; i++) sum += (double)x[i] * (double)x[i];
    job->updater->block_sums[item] = sum;
}

/* The square root of the sum of the blocks' sums from block `first` on. */
static double root_of_sums(const struct gs_updater *updater, size_t first, size_t end) {
    double sum = 0.0;
    for (size_t b = first; b < end; b++) sum += updater->block_sums[b];
    return __builtin_sqrt(sum);
}

double gs_update_norm(const struct gs_updater *updater, const float *packed) {
    struct norm_job job = {.updater = updater, .packed = packed};
    gs_pool_run(updater->pool, square_block, &job, updater->blocks.count);
    return root_of_sums(updater, 0, updater->blocks.count);
}

struct gs_update_factors gs_update_factors(const struct gs_settings *s, const struct gs_optimizer_state *state,
                                           double alpha) {
    struct gs_update_factors f = {.alpha = (float)alpha};
    f.decay = (float)(alpha * s->weight_decay);
    f.beta1 = (float)s->adam_beta1;
    f.kept1 = (float)(1.0 - s->adam_beta1);
    f.beta2 = (float)s->adam_beta2;
    f.kept2 = (float)(1.0 - s->adam_beta2);
    f.correction1 = (float)(1.0 - gs_power(s->adam_beta1, state->steps));
    f.correction2 = (float)(1.0 - gs_power(s->adam_beta2, state->steps));
    f.epsilon = (float)(state->kind == GS_OPTIMIZER_RMSPROP ? s->rmsprop_epsilon : s->adam_epsilon);
    if (state->kind == GS_OPTIMIZER_SGDM) f.beta = (float)s->sgdm_beta;
    if (state->kind == GS_OPTIMIZER_MUON) f.beta = (float)s->muon_beta;
    if (state->kind == GS_OPTIMIZER_RMSPROP) {
        f.beta = (float)s->rmsprop_beta;
        f.kept = (float)(1.0 - s->rmsprop_beta);
    }
    return f;
}

static void sgd(const struct gs_update_factors *f, size_t n, float *restrict w, const float *restrict g) {
    for (size_t i = 0; i < n; i++) w[i] = __builtin_fmaf(f->alpha, g[i], w[i]);
}

static void sgdm(const struct gs_update_factors *f, size_t n, float *restrict w, const float *restrict g, float *restrict v) {
    for (size_t i = 0; i < n; i++) {
        v[i] = __builtin_fmaf(f->beta, v[i], g[i]);
        w[i] = __builtin_fmaf(f->alpha, v[i], w[i]);
    }
}

static void rmsprop(const struct gs_update_factors *f, size_t n, float *restrict w, const float *restrict g, float *restrict q) {
    for (size_t i = 0; i < n; i++) {
        q[i] = f->beta * q[i] + f->kept * g[i] * g[i];
        w[i] = w[i] + f->alpha * g[i] / (__builtin_sqrtf(q[i]) + f->epsilon);
    }
}

static void adam(const struct gs_update_factors *f, size_t n, float *restrict w, const float *restrict g, float *restrict m,
                 float *restrict v) {
    for (size_t i = 0; i < n; i++) {
        m[i] = f->beta1 * m[i] + f->kept1 * g[i];
        v[i] = f->beta2 * v[i] + f->kept2 * g[i] * g[i];
        w[i] = w[i] + f->alpha * (m[i] / f->correction1) / (__builtin_sqrtf(v[i] / f->correction2) + f->epsilon);
    }
}

float gs_muon_factor(const struct gs_settings *settings, const struct gs_parameter *parameter, double alpha) {
    const uint64_t longer = parameter->m > parameter->n ? parameter->m : parameter->n;
    return (float)(alpha * settings->muon_kappa * __builtin_sqrt((double)longer));
}

/* theta <- fma(alpha kappa sqrt(max(m, n)), O, theta) */
static void muon(const struct update_job *job, const struct gs_parameter *parameter, size_t n, float *restrict w,
                 const float *restrict direction) {
    const float factor = gs_muon_factor(job->settings, parameter, job->alpha);
    for (size_t i = 0; i < n; i++) w[i] = __builtin_fmaf(factor, direction[i], w[i]);
}

static void decay(const struct gs_update_factors *f, size_t n, float *restrict w) {
    if (f->decay == 0.0f) return;
    for (size_t i = 0; i < n; i++) w[i] = w[i] - f->decay * w[i];
}

static void clip(float factor, size_t n, float *restrict g) {
    if (factor == 1.0f) return;
    for (size_t i = 0; i < n; i++) g[i] = factor * g[i];
}

static void update_block(void *argument, size_t worker, size_t item) {
    const struct update_job *job = argument;
    const struct gs_updater *updater = job->updater;
    const struct gs_optimizer_state *state = updater->state;
    const struct gs_block *block = &updater->blocks.block[item];
    const struct gs_parameter *parameter = &updater->model->program->parameters[block->parameter];
    const size_t place = updater->model->packed[block->parameter] + block->first, n = block->count;
    float *w = updater->model->theta + parameter->offset + block->first;
    float *g = job->estimate + place, *old = updater->old[worker];
    memcpy(old, w, n * sizeof *old);
    const bool whole = by_muon(updater, block->parameter); /* its estimate went into the momentum, clipped */
    decay(&job->factors, n, w);
    if (!whole) clip(job->clip, n, g);
    switch (state->kind) {
    case GS_OPTIMIZER_SGD: sgd(&job->factors, n, w, g); break;
    case GS_OPTIMIZER_SGDM: sgdm(&job->factors, n, w, g, state->first + place); break;
    case GS_OPTIMIZER_RMSPROP: rmsprop(&job->factors, n, w, g, state->second + place); break;
    case GS_OPTIMIZER_ADAM: adam(&job->factors, n, w, g, state->first + place, state->second + place); break;
    case GS_OPTIMIZER_MUON:
        if (whole) {
            muon(job, parameter, n, w, updater->direction + place);
        } else {
            adam(&job->factors, n, w, g, state->first + place, state->second + place);
        }
        break;
    }
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double change = (double)w[i] - (double)old[i];
        sum += change * change;
    }
    updater->block_sums[item] = sum;
}

/* The momentum of one block of a MUON matrix, and the sum of its squares. */
static void momentum_block(void *argument, size_t worker, size_t item) {
    const struct update_job *job = argument;
    const struct gs_updater *updater = job->updater;
    const struct gs_block *block = &updater->blocks.block[item];
    (void)worker;
    if (!by_muon(updater, block->parameter)) return;
    const size_t place = updater->model->packed[block->parameter] + block->first;
    float *restrict m = updater->state->first + place, *restrict g = job->estimate + place;
    const float beta = job->factors.beta;
    double sum = 0.0;
    clip(job->clip, block->count, g);
    for (size_t i = 0; i < block->count; i++) {
        m[i] = __builtin_fmaf(beta, m[i], g[i]);
        sum += (double)m[i] * (double)m[i];
    }
    updater->block_sums[item] = sum;
}

static void orthogonalise(struct update_job *job) {
    struct gs_updater *updater = job->updater;
    const struct gs_blocks *blocks = &updater->blocks;
    gs_pool_run(updater->pool, momentum_block, job, blocks->count);
    for (size_t first = 0, end; first < blocks->count; first = end) {
        const size_t p = blocks->block[first].parameter;
        for (end = first; end < blocks->count && blocks->block[end].parameter == p;) end++;
        if (!by_muon(updater, p)) continue;
        const struct gs_parameter *parameter = &updater->model->program->parameters[p];
        const size_t place = updater->model->packed[p];
        gs_muon_orthogonalise(&updater->muon, updater->state->first + place, root_of_sums(updater, first, end),
                              (size_t)parameter->m, (size_t)parameter->n, job->settings->muon_steps,
                              updater->direction + place);
    }
}

double gs_update(struct gs_updater *updater, const struct gs_settings *settings, double alpha, float *estimate,
                 double norm) {
    updater->state->steps++;
    struct update_job job = {
        .updater = updater, .settings = settings, .alpha = alpha, .estimate = estimate,
        .factors = gs_update_factors(settings, updater->state, alpha), .clip = 1.0f};
    if (norm > settings->update_clip) job.clip = (float)(settings->update_clip / norm);
    if (updater->direction != NULL) orthogonalise(&job);
    gs_pool_run(updater->pool, update_block, &job, updater->blocks.count);
    return root_of_sums(updater, 0, updater->blocks.count);
}
