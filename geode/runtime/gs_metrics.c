/* gs_metrics.c -- main thread only. Lines are flushed one by one, so that a reader sees them while the run goes on. */
#include "gs_metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "gs_fail.h"

static bool is_finite(double x) { return x - x == 0.0; }

uint64_t gs_metrics_summarise(struct gs_epoch_record *record, const double *scores, uint64_t count, bool minimise) {
    const double nan = __builtin_nan("");
    uint64_t best = count, valid = 0;
    double sum = 0.0, squares = 0.0, worst = nan;
    for (uint64_t i = 0; i < count; i++) {
        const double x = scores[i];
        if (!is_finite(x)) continue;
        if (best == count || (minimise ? x < scores[best] : x > scores[best])) best = i;
        if (valid == 0 || (minimise ? x > worst : x < worst)) worst = x;
        sum += x;
        valid++;
    }
    record->nan = count - valid;
    record->best = best == count ? nan : scores[best];
    record->worst = worst;
    record->mean = valid == 0 ? nan : sum / (double)valid;
    for (uint64_t i = 0; i < count; i++) {
        if (is_finite(scores[i])) squares += (scores[i] - record->mean) * (scores[i] - record->mean);
    }
    record->std = valid == 0 ? nan : __builtin_sqrt(squares / (double)valid);
    return best;
}

size_t gs_metrics_put(char *to, double x) {
    return (size_t)(x != x ? snprintf(to, GS_METRICS_NUMBER, "nan") : snprintf(to, GS_METRICS_NUMBER, "%.9g", x));
}

const char *gs_metrics_number(double x) {
    static char texts[8][GS_METRICS_NUMBER];
    static unsigned turn;
    char *text = texts[turn++ % 8];
    gs_metrics_put(text, x);
    return text;
}

void gs_metrics_print(const struct gs_epoch_record *r) {
    printf("epoch=%" PRIu64 " best=%s mean=%s worst=%s std=%s nan=%" PRIu64, r->epoch, gs_metrics_number(r->best),
           gs_metrics_number(r->mean), gs_metrics_number(r->worst), gs_metrics_number(r->std), r->nan);
    printf(" alpha=%s sigma=%s grad=%s update=%s", gs_metrics_number(r->alpha), gs_metrics_number(r->sigma),
           gs_metrics_number(r->grad), gs_metrics_number(r->update));
    if (r->has_center) printf(" center=%s", gs_metrics_number(r->center));
    printf(" evals/s=%s elapsed=%s\n", gs_metrics_number(r->evaluations_per_second), gs_metrics_number(r->elapsed));
    if (fflush(stdout) != 0) gs_fail("standard output: %s", strerror(errno));
}

static void write_number(FILE *file, const char *key, double x) {
    if (is_finite(x)) {
        fprintf(file, ",\"%s\":%s", key, gs_metrics_number(x));
    } else {
        fprintf(file, ",\"%s\":null", key);
    }
}

static void finish_line(FILE *file, const char *path) {
    fputc('\n', file);
    if (fflush(file) != 0 || ferror(file)) gs_fail("%s: %s", path, strerror(errno));
}

void gs_metrics_write(FILE *file, const char *path, const struct gs_epoch_record *r) {
    fprintf(file, "{\"epoch\":%" PRIu64, r->epoch);
    write_number(file, "best", r->best);
    write_number(file, "mean", r->mean);
    write_number(file, "worst", r->worst);
    write_number(file, "std", r->std);
    fprintf(file, ",\"nan\":%" PRIu64, r->nan);
    write_number(file, "alpha", r->alpha);
    write_number(file, "sigma", r->sigma);
    write_number(file, "grad", r->grad);
    write_number(file, "update", r->update);
    if (r->has_center) write_number(file, "center", r->center);
    write_number(file, "evals/s", r->evaluations_per_second);
    write_number(file, "elapsed", r->elapsed);
    fputc('}', file);
    finish_line(file, path);
}

void gs_metrics_write_stop(FILE *file, const char *path, const char *reason, uint64_t at) {
    fprintf(file, "{\"stop\":\"%s\",\"at\":%" PRIu64 "}", reason, at);
    finish_line(file, path);
}
