/* gs_finite.h -- numbers that are not finite end a run before they reach the weights or a file. */
#ifndef GS_FINITE_H
#define GS_FINITE_H

#include "gs_update.h"

/* True if a norm is a finite float32. */
bool gs_finite_norm(double norm);

/* True if gs_finite_update looks at weights or state for these norms of estimate and change. */
bool gs_finite_looks(double norm, double change);

/* Ends the run, with the epoch and the parameter, if the estimate's norm is no finite float32. The weights are as they
 * were. */
void gs_finite_estimate(const struct gs_model *model, uint64_t epoch, const float *estimate, double norm);

/* The same after the update, if weights are not finite (then `change`, the norm of what was added, is not) or what the
 * optimizer keeps. `norm` is the estimate's: below 1e15 no moment of a finite state overflows. */
void gs_finite_update(const struct gs_model *model, uint64_t epoch, const struct gs_optimizer_state *state, double norm,
                      double change);

#endif
