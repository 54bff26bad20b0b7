/* gs_schedule.h -- alpha and sigma of an epoch. */
#ifndef GS_SCHEDULE_H
#define GS_SCHEDULE_H

#include "gs_settings.h"

/* Step size of epoch t of the stage, float64: constant, alpha (1 + cos(pi t / EPOCHS)) / 2, or alpha factor^t; under
 * MUON times (t + 1) / MUON-WARMUP in the first MUON-WARMUP epochs. */
double gs_alpha_at(const struct gs_settings *settings, uint64_t t);

/* Standard deviation of the perturbation in epoch t of the stage: as alpha, the cosine between sigma and sigma / 10. */
double gs_sigma_at(const struct gs_settings *settings, uint64_t t);

#endif
