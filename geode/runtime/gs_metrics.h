/* gs_metrics.h -- what an epoch was like, as a line on stdout and as a line of JSON. */
#ifndef GS_METRICS_H
#define GS_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gs_run;

/* Scores are the program's own, losses as losses. */
struct gs_epoch_record {
    uint64_t epoch; /* counted through all stages */
    double best, mean, worst, std; /* over the valid members */
    uint64_t nan; /* members whose score is not finite */
    double alpha, sigma;
    double grad;   /* norm of the estimate, before clipping */
    double update; /* norm of the change of the weights */
    bool has_center;
    double center; /* score of the unperturbed weights */
    double evaluations_per_second, elapsed; /* members a second; seconds since the start: the only times */
};

/* Fills in best, mean, worst, std and nan from the scores of `count` members and gives the member whose score is best,
 * the lowest of equals; `count` if no score is valid. Sums in the order of the members. */
uint64_t gs_metrics_summarise(struct gs_epoch_record *record, const double *scores, uint64_t count, bool minimise);

/* One line `epoch=... ...`, flushed. Ends the program if stdout cannot be written. */
void gs_metrics_print(const struct gs_epoch_record *record);

#define GS_METRICS_NUMBER 24 /* bytes that a number takes at most, with what follows it */

/* Writes a number as metrics show it to `to`, GS_METRICS_NUMBER bytes; its length. From any thread. */
size_t gs_metrics_put(char *to, double x);

/* A number as metrics show it, nine significant digits; never -nan. The text lives until the next call but seven. */
const char *gs_metrics_number(double x);

/* Opens the stage's METRICS-FILE, at its end if it is `begun`, and begins the stage in it. In the stage where a run is resumed,
 * the file is cut where the run goes on and keeps the line that it has. Ends the program if another run writes the file. */
FILE *gs_metrics_open(const struct gs_run *run, size_t stage, bool begun);

/* Writes the line that begins a stage: program, fingerprints and settings. */
void gs_metrics_begin(FILE *file, const struct gs_run *run, size_t stage);

/* The record as a line of JSON, NaN as null, flushed. Ends the program if it cannot be written. */
void gs_metrics_write(FILE *file, const char *path, const struct gs_epoch_record *record);

/* Why training ended after `at` epochs, as a line of JSON. */
void gs_metrics_write_stop(FILE *file, const char *path, const char *reason, uint64_t at);

#endif
