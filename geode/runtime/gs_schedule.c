/* gs_schedule.c -- pure functions of the settings and the epoch. */
#include "gs_schedule.h"

#include "gs_series.h"

static double half_cosine(const struct gs_settings *s, uint64_t t) {
    return 0.5 * (1.0 + gs_cos_turn(t < s->epochs ? t : s->epochs, s->epochs));
}

double gs_alpha_at(const struct gs_settings *s, uint64_t t) {
    double alpha = s->alpha;
    switch (s->alpha_schedule) {
    case GS_ALPHA_SCHEDULE_CONSTANT: break;
    case GS_ALPHA_SCHEDULE_COSINE: alpha = alpha * half_cosine(s, t); break;
    case GS_ALPHA_SCHEDULE_DECAY: alpha = alpha * gs_power(s->alpha_factor, t); break;
    }
    if (s->optimizer == GS_OPTIMIZER_MUON && t < s->muon_warmup) {
        alpha = alpha * ((double)(t + 1) / (double)s->muon_warmup);
    }
    return alpha;
}

double gs_sigma_at(const struct gs_settings *s, uint64_t t) {
    const double end = s->sigma / 10.0;
    switch (s->sigma_schedule) {
    case GS_SIGMA_SCHEDULE_CONSTANT: break;
    case GS_SIGMA_SCHEDULE_COSINE: return end + (s->sigma - end) * half_cosine(s, t);
    case GS_SIGMA_SCHEDULE_DECAY: return s->sigma * gs_power(s->sigma_factor, t);
    }
    return s->sigma;
}
