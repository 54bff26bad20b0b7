/* gs_state.h -- a run as files: everything that an exact resume needs, or the weights alone.
 *
 * The file of a state has the parameters under their names; optimizer/v/NAME, optimizer/q/NAME, optimizer/m/NAME and
 * optimizer/M/NAME; best/weights/NAME and best/member/NAME; and notes: `format`, `data` (SHA-256 of all of these),
 * `header` (that of their names and shapes and of the other notes), the fingerprint (gs_fingerprint.h), the
 * counters of gs_run.h, `optimizer` and `optimizer-steps`, epoch, score and member of the best, and `resume-changed`. */
#ifndef GS_STATE_H
#define GS_STATE_H

#include "gs_dataset.h"
#include "gs_run.h"
#include "gs_text.h"

#define GS_STATE_FORMAT "geode-state-1"
#define GS_WEIGHTS_FORMAT "geode-model-1"

/* Ends the program with a message if a stage could not save where it should, or if RESUME-MODEL stands too late. Says
 * in run->saves whether any stage saves, and takes the memory for that. Before the first stage. */
void gs_state_prepare(struct gs_run *run);

/* Writes SAVE-MODEL-ALL's file: equal states give equal bytes. */
void gs_state_save(const struct gs_run *run, const char *path);

/* Writes SAVE-MODEL's files: the weights to `path`, those of the best center and the best member, where there are such,
 * to NAME.best-weights.EXTENSION and NAME.best-member.EXTENSION. */
void gs_state_save_weights(const struct gs_run *run, const char *path);

/* m.safetensors -> m.best-member.safetensors; without an extension the kind stands at the end. */
struct gs_text gs_state_path_of_best(const char *path, const char *kind);

/* Loads RESUME-MODEL's file. A state of a program that trains: the run goes on there; ends with a message that lists the
 * differences if it is another program's, unless --resume-changed accepts them. Any other file: its weights alone. */
void gs_state_resume(struct gs_run *run, const char *path);

/* Takes the rows of a TRAIN stage into the fingerprint; ends with a message if the state that was resumed was trained on
 * others. */
void gs_state_take_rows(struct gs_run *run, size_t stage, struct gs_dataset data);

#endif
