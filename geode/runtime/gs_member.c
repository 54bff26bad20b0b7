/* gs_member.c -- writes to what the caller gives, so any thread may. */
#include "gs_member.h"

#include <string.h>

void gs_member_slots(const struct gs_model *model, double sigma, size_t p, const float *noise, struct gs_slot *plus,
                     struct gs_slot *minus) {
    if (gs_model_factored(model, p)) {
        plus->a = gs_model_a(model, p, noise);
        plus->b = noise + model->noise_at[p];
        plus->ss = (float)(sigma / __builtin_sqrt((double)model->rank));
    } else {
        plus->e = noise + model->noise_at[p];
        plus->ss = (float)sigma;
    }
    if (minus == NULL) return;
    minus->e = plus->e;
    minus->a = plus->a;
    minus->b = plus->b;
    minus->ss = -plus->ss;
}

static void add_noise(const float *restrict w, const float *restrict e, float ss, float *restrict out, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = __builtin_fmaf(ss, e[i], w[i]);
}

static void add_factored_noise(const struct gs_slot *slot, size_t m, size_t n, size_t rank, float *restrict out) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float e = 0.0f;
            for (size_t q = 0; q < rank; q++) e = __builtin_fmaf(slot->a[i * rank + q], slot->b[q * n + j], e);
            out[i * n + j] = __builtin_fmaf(slot->ss, e, slot->w[i * n + j]);
        }
    }
}

void gs_member_parameter(const struct gs_model *model, size_t p, const struct gs_slot *slot, float *out) {
    const struct gs_parameter *parameter = &model->program->parameters[p];
    if (gs_model_factored(model, p)) {
        add_factored_noise(slot, (size_t)parameter->m, (size_t)parameter->n, model->rank, out);
    } else {
        add_noise(slot->w, slot->e, slot->ss, out, gs_entries(parameter));
    }
}

void gs_member_weights(const struct gs_model *model, struct gs_draw draw, uint64_t pair, bool minus, float *noise,
                       float *weights) {
    const struct gs_program *program = model->program;
    memcpy(weights, model->theta, program->parameter_floats * sizeof *weights);
    gs_model_draw(model, draw.seed, draw.epoch, pair, noise);
    for (size_t p = 0; p < program->parameter_count; p++) {
        if (!gs_model_trains(model, p)) continue;
        const size_t offset = program->parameters[p].offset;
        struct gs_slot slot = {.w = model->theta + offset};
        gs_member_slots(model, minus ? -draw.sigma : draw.sigma, p, noise, &slot, NULL);
        gs_member_parameter(model, p, &slot, weights + offset);
    }
}
