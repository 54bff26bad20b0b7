/* gs_es.c -- the epoch: draw, evaluate, estimate, update, print, save, test the stop rules.
 *
 * Main thread; the parts share their work out through the pool. All memory of the stage is taken before its first epoch
 * and given back after the last. */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "gs_es.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "gs_cpu.h"
#include "gs_device.h"
#include "gs_estimate.h"
#include "gs_evaluate.h"
#include "gs_fail.h"
#include "gs_fingerprint.h"
#include "gs_finite.h"
#include "gs_help.h"
#include "gs_metrics.h"
#include "gs_profile.h"
#include "gs_rollout.h"
#include "gs_schedule.h"
#include "gs_selftest.h"
#include "gs_shaping.h"
#include "gs_shuffle.h"
#include "gs_state.h"

static volatile sig_atomic_t caught, training_now;

static void tell(const char *message) {
    const ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written; /* there is nobody to tell */
}

/* Between epochs and around them there is something to finish and to save; elsewhere there is not. */
static void on_signal(int number) {
    caught = number;
    if (training_now) {
        tell("stopping after this epoch (once more to stop at once)\n");
        return;
    }
    tell("stopping at once: no epoch is running\n");
    _exit(128 + number);
}

void gs_es_catch_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before; /* the terminal is gone; whoever asked to be left alone (nohup) is */
    sigaction(SIGHUP, NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

int gs_es_signal(void) { return caught; }

struct training {
    struct gs_run *run;
    const struct gs_settings *settings;
    size_t stage;
    bool minimise;
    bool shuffled;
    struct gs_shuffle shuffle;
    struct gs_evaluator evaluator;
    struct gs_estimator estimator;
    struct gs_shaper shaper;
    struct gs_updater updater;
    struct gs_noise_store store;
    struct gs_device_run *device; /* where it trains, or NULL: here, with what stands above */
    struct gs_selftest *test;     /* both are to train, and to be compared; else NULL */
    double *scores, *fitness, *weights; /* by member */
    float *estimate;                    /* packed */
    float *noise;                       /* of the best member's pair, where its weights are kept */
    const char *stop; /* why training ends before its last epoch, or NULL */
};

static const struct gs_device_calls *device_of(const struct training *training) {
    return training->run->program->device->calls;
}

/* Brings the host's copy of what lives on a device up to date; `all`: the optimizer's state too. */
static void fetch(const struct training *training, bool all) {
    if (training->device != NULL) device_of(training)->fetch(training->device, all);
}

static bool better(const struct training *training, double a, double b) {
    return training->minimise ? a < b : a > b;
}

/* True if `score` is a new best. A NaN never is. */
static bool offer(const struct training *training, struct gs_best *best, double score, uint64_t member) {
    if (score - score != 0.0 || (best->some && !better(training, score, best->score))) return false;
    *best = (struct gs_best){true, score, training->run->epoch, member, best->weights};
    return true;
}

static void offer_weights(struct training *training, double score) {
    const struct gs_run *run = training->run;
    struct gs_best *best = &training->run->progress.best_weights;
    if (!offer(training, best, score, 0) || !run->saves) return;
    memcpy(best->weights, run->model.theta, run->program->parameter_floats * sizeof(float));
}

static void offer_member(struct training *training, double score, uint64_t member, struct gs_draw draw) {
    struct gs_best *best = &training->run->progress.best_member;
    if (!offer(training, best, score, member) || !training->run->saves) return;
    const bool antithetic = training->evaluator.antithetic;
    const bool minus = antithetic && member % 2 == 1;
    gs_member_weights(&training->run->model, draw, antithetic ? member / 2 : member, minus, training->noise, best->weights);
}

/* The batch of the last epoch before the run was resumed. */
static void resume_shuffle(struct training *training) {
    struct gs_run *run = training->run;
    if (gs_shuffle_resume(&training->shuffle, run->progress.cursor)) return;
    if (!gs_fingerprint_accepts(run->options.resume_changed, "ROWS")) {
        gs_fail("%s: is no whole state: no batch ends at row %" PRIu64 " of pass %" PRIu64,
                run->options.settings[0].resume_model, run->progress.cursor, run->pass);
    }
    gs_shuffle_next(&training->shuffle); /* other rows: they begin with a pass of their own */
    run->pass = training->shuffle.pass;
}

static bool last_to_train(const struct gs_program *program, size_t stage) {
    for (size_t s = stage + 1; s < program->stage_count; s++) {
        if (program->stages[s].kind == GS_STAGE_TRAIN) return false;
    }
    return true;
}

static void begin_on_device(struct training *training, struct gs_arena *arena, struct gs_dataset data, size_t pairs,
                            bool antithetic) {
    struct gs_run *run = training->run;
    struct gs_selftest *test = training->test;
    const struct gs_device_stage stage = {
        .arena = arena, .model = test ? &test->model : &run->model,
        .optimizer = test ? &test->optimizer : &run->optimizer, .settings = training->settings,
        .entry = run->program->stages[training->stage].entry, .data = data, .pairs = pairs, .antithetic = antithetic,
        .hoist_limit = run->options.hoist_limit, .last = last_to_train(run->program, training->stage)};
    training->evaluator = (struct gs_evaluator){.data = data, .antithetic = antithetic};
    training->device = device_of(training)->begin(run->program->device, &stage);
}

static void set_up(struct training *training, struct gs_arena *arena, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_run *run = training->run;
    const struct gs_settings *settings = training->settings;
    const struct gs_stage *stage = &run->program->stages[training->stage];
    const bool antithetic = settings->sampling == GS_SAMPLING_ANTITHETIC;
    const size_t members = (size_t)settings->population, pairs = antithetic ? members / 2 : members;
    gs_model_begin(&run->model, settings, stage->entry->reaches);
    if (!run->has_optimizer || run->optimizer.kind != settings->optimizer) {
        run->optimizer = gs_optimizer_state_make(&run->arena, &run->model, settings->optimizer);
        run->has_optimizer = true;
    }
    training->shuffled = stage->batch == GS_BATCH_SAMPLE;
    if (training->shuffled) {
        training->shuffle = gs_shuffle_make(arena, data, stage->entry->row_floats, stage->batch_rows, settings->seed,
                                            run->pass);
        data = training->shuffle.batch;
        if (run->resumed && run->progress.epochs > 0) resume_shuffle(training);
    }
    training->minimise = settings->direction == GS_DIRECTION_LOSS;
    training->scores = gs_arena_take(arena, members, sizeof(double), "the scores");
    training->fitness = gs_arena_take(arena, members, sizeof(double), "the scores");
    training->weights = gs_arena_take(arena, members, sizeof(double), "the scores");
    training->estimate = gs_arena_take(arena, run->model.packed_floats, sizeof(float), "the estimate");
    training->noise = gs_arena_take(arena, run->saves ? run->model.noise_floats : 0, sizeof(float), "the best member");
    if (run->program->device != NULL) {
        if (gs_selftest_wanted(run->program)) training->test = gs_selftest_make(arena, &run->model, &run->optimizer, members);
        begin_on_device(training, arena, data, pairs, antithetic);
        if (training->test == NULL) return;
    }
    training->store = gs_noise_store_make(arena, &run->model, pairs);
    training->shaper = gs_shaper_make(arena, settings->shaping, antithetic, members);
    training->estimator = gs_estimator_make(arena, &run->model, pool, &training->store, pairs, antithetic);
    training->updater = gs_updater_make(arena, &run->model, pool, &run->optimizer);
    training->evaluator = gs_evaluator_make(arena, &run->model, stage->entry, pool, data, pairs, antithetic,
                                            &training->store, run->options.hoist_limit);
    training->evaluator.rollout = gs_rollout_make(arena, &training->evaluator, run->options.tiles);
    training->evaluator.loop_limit = (float)settings->loop_limit;
    training->evaluator.seed = settings->seed;
    if (!training->shuffled || run->resumed) gs_evaluate_run(&training->evaluator);
}

static double flops_of(const struct gs_instance *instance) {
    double flops = instance->unit->flops;
    for (size_t i = 0; i < instance->call_count; i++) flops += flops_of(instance->calls[i]);
    return flops;
}

static bool trains_something(const struct gs_model *model) {
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (gs_model_trains(model, p)) return true;
    }
    return false;
}

/* What is taken is given page by page as it is used, so that too much of it shows in the middle of an epoch, if at all. */
static void warn_of_memory(size_t bytes) {
    const double free_now = gs_cpu_memory();
    if (free_now <= 0.0 || (double)bytes <= free_now) return;
    gs_warn("the run takes about %.3g GB, and %.3g GB of memory are free: the system may end it\n"
            "  help: a smaller POPULATION takes less", 1e-9 * (double)bytes, 1e-9 * free_now);
}

static void print_header(const struct training *training, const struct gs_arena *arena) {
    const struct gs_run *run = training->run;
    const struct gs_entry *entry = run->program->stages[training->stage].entry;
    if (!trains_something(&run->model)) {
        gs_warn("nothing that %s reaches is TRAINABLE, so all of its epochs have the same weights", entry->word);
    }
    const double rows = (double)training->evaluator.data.rows * (double)training->settings->population;
    const size_t bytes = run->arena.bytes + run->rows.bytes + arena->bytes;
    warn_of_memory(bytes);
    printf("memory bytes=%zu\n", bytes);
    printf("work flops=%s\n", gs_metrics_number(flops_of(entry->root) * rows));
    gs_settings_line_print(run->program, training->stage, training->settings);
    fflush(stdout);
}

static struct gs_draw draw_of(const struct training *training, uint64_t t) {
    const struct gs_settings *settings = training->settings;
    const struct gs_draw draw = {
        .seed = settings->seed,
        .epoch = training->run->epoch / settings->noise_reuse,
        .sigma = gs_sigma_at(settings, t)};
    const float sigma = (float)draw.sigma;
    if (!(sigma > 0.0f) || sigma - sigma != 0.0f) {
        gs_fail("epoch %" PRIu64 ": sigma has become %.9g; it must stay above 0 and finite", training->run->epoch,
                draw.sigma);
    }
    return draw;
}

static double alpha_of(const struct training *training, uint64_t t) {
    const double alpha = gs_alpha_at(training->settings, t);
    const float rounded = (float)alpha;
    if (rounded - rounded != 0.0f) {
        gs_fail("epoch %" PRIu64 ": alpha has become %.9g; it must stay finite", training->run->epoch, alpha);
    }
    return alpha;
}

/* The stop rule that holds by what the run has come to, or NULL: the same whether it was resumed here or not. */
static const char *stop_rule(const struct training *training) {
    const struct gs_settings *settings = training->settings;
    const struct gs_progress *progress = &training->run->progress;
    if (progress->score < settings->stop_below) return "stop-below";
    if (progress->score > settings->stop_above) return "stop-above";
    if (settings->patience > 0 && progress->waited >= settings->patience) return "patience";
    return NULL;
}

/* Why training ends after this epoch, or NULL. */
static const char *stop_reason(const struct training *training, double elapsed) {
    const char *rule = stop_rule(training);
    if (rule != NULL) return rule;
    if (elapsed > training->settings->time_limit) return "time-limit";
    if (caught != 0) return "signal";
    if (training->test != NULL && training->run->progress.epochs >= GS_SELFTEST_EPOCHS) return "self-test";
    if (training->run->epoch >= training->run->options.stop_at_epoch) return "stop-at-epoch";
    return NULL;
}

static void report(const struct training *training, const struct gs_epoch_record *record, uint64_t t) {
    const struct gs_settings *settings = training->settings;
    const bool last = t + 1 == settings->epochs || training->stop != NULL;
    if (t % settings->metrics_every != 0 && !last) return;
    if (settings->metrics) gs_metrics_print(record);
    if (training->run->metrics != NULL) {
        gs_metrics_write(training->run->metrics, training->run->metrics_path, record);
    }
}

/* Takes the scores of an epoch in: the best, the totals and what the stop rules look at. */
static void take_scores(struct training *training, struct gs_epoch_record *record, struct gs_draw draw) {
    struct gs_run *run = training->run;
    struct gs_progress *progress = &run->progress;
    const size_t members = (size_t)training->settings->population;
    const bool by_center = training->settings->evaluate_every > 0;
    const struct gs_best *watched = by_center ? &progress->best_weights : &progress->best_member;
    const uint64_t best = gs_metrics_summarise(record, training->scores, members, training->minimise);
    if (best == members) {
        /* What has never been a number is seldom a matter of steps that are too large. */
        const char *help = progress->epochs == 0
                               ? "a label outside 0 .. classes - 1 in LOSS-CROSS-ENTROPY, an index outside the axis in AT "
                                 "or EMBED, LN or SQRT of a negative number, a division by 0, "
                                 "or data so large that something overflows"
                               : "a smaller ALPHA or sigma, or an objective that cannot overflow";
        gs_fail("epoch %" PRIu64 ": the scores of all %zu members are NaN or infinite; the weights are as they were "
                "before it\n  help: %s; a loop that a row does not leave within LOOP-LIMIT turns gives NaN too",
                run->epoch, members, help);
    }
    if (record->has_center) offer_weights(training, record->center);
    offer_member(training, record->best, best, draw);
    const bool news = progress->epochs == 0 || (watched->some && watched->epoch == run->epoch);
    progress->waited = news ? 0 : progress->waited + 1;
    progress->score = !by_center ? record->best : record->has_center ? record->center : __builtin_nan("");
    run->evaluations += members;
    run->nan_members += record->nan;
    for (size_t i = 0; i < members; i++) {
        const double score = training->minimise ? -training->scores[i] : training->scores[i];
        training->fitness[i] = score - score == 0.0 ? score : __builtin_nan("");
    }
}

/* An epoch's work, here: scores, then weights, estimate and update. */
static void train_here(struct training *training, struct gs_epoch_record *record, struct gs_draw draw) {
    struct gs_run *run = training->run;
    if (training->shuffled) gs_evaluate_run(&training->evaluator);
    training->evaluator.draw_epoch = run->epoch;
    gs_evaluate_epoch(&training->evaluator);
    gs_profile_mark(GS_PHASE_HOIST);
    gs_evaluate_population(&training->evaluator, draw, training->scores);
    gs_profile_mark(GS_PHASE_POPULATION);
    if (record->has_center) record->center = gs_evaluate_center(&training->evaluator);
    gs_profile_mark(GS_PHASE_CENTER);
    take_scores(training, record, draw);
    gs_shape(&training->shaper, training->fitness, training->weights);
    gs_profile_mark(GS_PHASE_SHAPE);
    gs_estimate(&training->estimator, draw, training->weights, training->estimate);
    gs_profile_mark(GS_PHASE_ESTIMATE);
    record->grad = gs_update_norm(&training->updater, training->estimate);
    gs_finite_estimate(&run->model, run->epoch, training->estimate, record->grad);
    record->update = gs_update(&training->updater, training->settings, record->alpha, training->estimate, record->grad);
}

/* The same on a device, which has updated its weights already when the scores come back; the host's are still the old
 * ones, as the best member needs them. */
static void train_on_device(struct training *training, struct gs_epoch_record *record, struct gs_draw draw) {
    struct gs_run *run = training->run;
    struct gs_device_result result = {0};
    const struct gs_device_epoch epoch = {.number = run->epoch, .draw = draw, .alpha = record->alpha,
                                          .center = record->has_center, .new_rows = training->shuffled};
    device_of(training)->epoch(training->device, &epoch, training->scores, &result);
    gs_profile_mark(GS_PHASE_POPULATION); /* all of it: the device does not tell its parts */
    record->center = result.center;
    take_scores(training, record, draw);
    record->grad = result.grad;
    if (!gs_finite_norm(record->grad)) device_of(training)->estimate(training->device, training->estimate);
    gs_finite_estimate(&run->model, run->epoch, training->estimate, record->grad);
    record->update = result.update;
    if (run->saves || gs_finite_looks(record->grad, record->update)) fetch(training, true);
}

/* Both, and all that they came to is compared. */
static void train_twice(struct training *training, struct gs_epoch_record *record, struct gs_draw draw) {
    struct gs_run *run = training->run;
    struct gs_selftest_epoch both = {.number = run->epoch, .has_center = record->has_center, .scores = training->scores,
                                     .model = &run->model, .optimizer = &run->optimizer};
    const struct gs_device_epoch epoch = {.number = run->epoch, .draw = draw, .alpha = record->alpha,
                                          .center = record->has_center, .new_rows = training->shuffled};
    device_of(training)->epoch(training->device, &epoch, training->test->scores, &both.device);
    train_here(training, record, draw);
    fetch(training, true);
    both.here = (struct gs_device_result){record->center, record->grad, record->update};
    gs_selftest_compare(training->test, &both);
}

static void run_epoch(struct training *training) {
    struct gs_run *run = training->run;
    const struct gs_settings *settings = training->settings;
    const uint64_t t = run->progress.epochs;
    const double start = gs_cpu_seconds();
    const struct gs_draw draw = draw_of(training, t);
    struct gs_epoch_record record = {.epoch = run->epoch, .sigma = draw.sigma, .alpha = alpha_of(training, t)};
    if (training->shuffled) {
        gs_shuffle_next(&training->shuffle);
        run->pass = training->shuffle.pass;
        run->progress.cursor = training->shuffle.cursor;
    }
    record.has_center = settings->evaluate_every > 0 && t % settings->evaluate_every == 0;
    if (training->test != NULL) {
        train_twice(training, &record, draw);
    } else if (training->device != NULL) {
        train_on_device(training, &record, draw);
    } else {
        train_here(training, &record, draw);
    }
    gs_finite_update(&run->model, run->epoch, &run->optimizer, record.grad, record.update);
    gs_profile_mark(GS_PHASE_UPDATE);
    const double now = gs_cpu_seconds();
    record.evaluations_per_second = (double)settings->population / (now - start);
    record.elapsed = now - run->start;
    run->epoch++;
    run->progress.epochs++;
    training->stop = stop_reason(training, record.elapsed);
    report(training, &record, t);
    gs_profile_mark(GS_PHASE_REPORT);
}

/* The score of the mean weights in an epoch that no training sees. */
static double score_of_center(struct training *training) {
    double device = 0.0;
    if (training->device != NULL) device = device_of(training)->center(training->device, UINT64_MAX);
    if (training->device != NULL && training->test == NULL) return device;
    training->evaluator.draw_epoch = UINT64_MAX;
    gs_evaluate_epoch(&training->evaluator);
    const double here = gs_evaluate_center(&training->evaluator);
    if (training->test == NULL) return here;
    gs_selftest_same("the score of the mean weights,", 0, training->run->epoch, device, here);
    gs_selftest_passed(training->test, training->run->progress.epochs);
    return here;
}

static void print_results(struct training *training) {
    const struct gs_run *run = training->run;
    const struct gs_best *weights = &run->progress.best_weights, *member = &run->progress.best_member;
    const double last = score_of_center(training);
    if (training->stop != NULL) printf("stop reason=%s at=%" PRIu64 "\n", training->stop, run->epoch);
    printf("result last score=%s at=%" PRIu64 "\n", gs_metrics_number(last), run->epoch);
    if (weights->some) {
        printf("result best-weights score=%s at=%" PRIu64 "\n", gs_metrics_number(weights->score), weights->epoch);
    }
    if (member->some) {
        printf("result best-member score=%s at=%" PRIu64 " member=%" PRIu64 "\n", gs_metrics_number(member->score),
               member->epoch, member->member);
    }
    if (fflush(stdout) != 0) gs_fail("cannot write standard output");
}

static void save(const struct training *training) {
    const char *path = training->settings->save_model_all;
    if (path != NULL) gs_state_save(training->run, path);
}

bool gs_es_train(struct gs_run *run, size_t stage, struct gs_dataset data, struct gs_pool *pool) {
    struct gs_arena arena = {0};
    struct training training = {.run = run, .settings = &run->options.settings[stage], .stage = stage};
    struct gs_progress *progress = &run->progress;
    set_up(&training, &arena, data, pool);
    if (!run->resumed) {
        *progress = (struct gs_progress){.stage = stage, .score = __builtin_nan(""),
                                         .best_member.weights = progress->best_member.weights,
                                         .best_weights.weights = progress->best_weights.weights};
    }
    run->resumed = false;
    print_header(&training, &arena);
    gs_profile_mark(GS_PHASE_READ);
    const uint64_t begun = progress->epochs;
    training_now = 1;
    if (progress->epochs > 0) training.stop = stop_rule(&training);
    if (training.stop == NULL && run->epoch >= run->options.stop_at_epoch) training.stop = "stop-at-epoch";
    while (progress->epochs < training.settings->epochs && training.stop == NULL) {
        run_epoch(&training);
        const uint64_t every = training.settings->save_every;
        const bool last = progress->epochs == training.settings->epochs || training.stop != NULL;
        if (every > 0 && progress->epochs % every == 0 && !last) save(&training);
        gs_profile_mark(GS_PHASE_REPORT);
    }
    if (training.stop != NULL && run->metrics != NULL) {
        gs_metrics_write_stop(run->metrics, run->metrics_path, training.stop, run->epoch);
    }
    fetch(&training, true);
    save(&training);
    if (training.settings->save_model != NULL) gs_state_save_weights(run, training.settings->save_model);
    gs_profile_mark(GS_PHASE_REPORT);
    print_results(&training);
    gs_profile_mark(GS_PHASE_CENTER);
    gs_profile_end(&(struct gs_profile_stage){.number = stage + 1, .kind = "train", .pool = pool,
                                              .entry = run->program->stages[stage].entry,
                                              .rows = training.evaluator.data.rows,
                                              .population = training.settings->population,
                                              .epochs = progress->epochs - begun});
    if (training.device != NULL) device_of(&training)->end(training.device);
    gs_arena_free(&arena);
    training_now = 0;
    return caught == 0 && run->epoch < run->options.stop_at_epoch;
}
