/* gs_finite.c -- main thread, once an epoch. An infinity or NaN shows in the norms that an epoch has anyway, so that
 * numbers are looked at one by one only where something is wrong, or the estimate is very large. */
#include "gs_finite.h"

#include <inttypes.h>

#include "gs_fail.h"

#define GS_LARGE 1e15 /* squares of estimates below this, and geometric sums of them, are far from overflow */

static bool is_finite(double x) { return x - x == 0.0; }

static bool all_finite(const float *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (x[i] - x[i] != 0.0f) return false;
    }
    return true;
}

bool gs_finite_norm(double norm) { return is_finite((float)norm); }

bool gs_finite_looks(double norm, double change) { return !is_finite(change) || !(norm < GS_LARGE); }

void gs_finite_estimate(const struct gs_model *model, uint64_t epoch, const float *estimate, double norm) {
    if (gs_finite_norm(norm)) return;
    const char *name = "all parameters together";
    for (size_t p = model->program->parameter_count; p-- > 0;) {
        const size_t count = gs_entries(&model->program->parameters[p]);
        if (!gs_model_trains(model, p) || all_finite(estimate + model->packed[p], count)) continue;
        name = model->program->parameters[p].name;
    }
    gs_fail("epoch %" PRIu64 ": the estimate of %s is not finite; the weights are as they were before it\n"
            "  help: SCORE-RANK-SHAPED or SCORE-ZSCORE bound it, and so does a larger sigma", epoch, name);
}

/* The first trained parameter whose optimizer keeps a number that is not finite, or NULL. */
static const char *overflown_state(const struct gs_model *model, const struct gs_optimizer_state *state) {
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        struct gs_optimizer_part parts[2];
        const size_t count = gs_optimizer_parts(state, model, p, parts);
        for (size_t k = 0; k < count; k++) {
            if (!all_finite(parts[k].data, gs_entries(&model->program->parameters[p]))) {
                return model->program->parameters[p].name;
            }
        }
    }
    return NULL;
}

static const char *overflown_weights(const struct gs_model *model) {
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        if (!all_finite(model->theta + parameter->offset, gs_entries(parameter))) return parameter->name;
    }
    return NULL;
}

void gs_finite_update(const struct gs_model *model, uint64_t epoch, const struct gs_optimizer_state *state, double norm,
                      double change) {
    if (!is_finite(change)) {
        const char *name = overflown_weights(model);
        gs_fail("epoch %" PRIu64 ": the update makes weights of %s infinite or NaN; nothing of this epoch is saved\n"
                "  help: a smaller ALPHA or WEIGHT-DECAY, or UPDATE-CLIP", epoch, name == NULL ? "a parameter" : name);
    }
    if (norm < GS_LARGE) return;
    const char *name = overflown_state(model, state);
    if (name == NULL) return;
    gs_fail("epoch %" PRIu64 ": what the optimizer keeps of %s overflows, since the estimate's norm is %.3g; nothing of "
            "this epoch is saved\n  help: SCORE-RANK-SHAPED or SCORE-ZSCORE bound the estimate, and so does UPDATE-CLIP",
            epoch, name, norm);
}
