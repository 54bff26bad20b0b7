/* gs_selftest.c -- see the header. Main thread. */
#include "gs_selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gs_fail.h"

bool gs_selftest_wanted(const struct gs_program *program) {
    const char *text = getenv("GEODE_SELFTEST");
    return program->device != NULL && text != NULL && strcmp(text, "0") != 0 && *text != '\0';
}

void gs_selftest_write_nothing(const struct gs_program *program, struct gs_options *options) {
    for (size_t s = 0; s < program->stage_count; s++) {
        struct gs_settings *settings = &options->settings[s];
        settings->save_model = settings->save_model_all = settings->metrics_file = NULL;
        settings->save_every = 0;
    }
}

static float *copy(struct gs_arena *arena, const float *from, size_t count) {
    if (from == NULL) return NULL;
    float *to = gs_arena_take(arena, count, sizeof *to, "the self-test");
    memcpy(to, from, count * sizeof *to);
    return to;
}

struct gs_selftest *gs_selftest_make(struct gs_arena *arena, const struct gs_model *model,
                                     const struct gs_optimizer_state *optimizer, size_t members) {
    struct gs_selftest *test = gs_arena_take(arena, 1, sizeof *test, "the self-test");
    test->model = *model;
    test->model.theta = copy(arena, model->theta, model->program->parameter_floats);
    test->optimizer = *optimizer;
    test->optimizer.first = copy(arena, optimizer->first, model->packed_floats);
    test->optimizer.second = copy(arena, optimizer->second, model->packed_floats);
    test->scores = gs_arena_take(arena, members, sizeof *test->scores, "the self-test");
    test->members = members;
    return test;
}

void gs_selftest_same(const char *what, uint64_t number, uint64_t epoch, double device, double here) {
    if (memcmp(&device, &here, sizeof here) == 0 || (device != device && here != here)) return;
    gs_fail_status(GS_EXIT_DEVICE, "self-test: epoch %" PRIu64 ": %s %" PRIu64 " is %a on the device, %a on the processor",
                   epoch, what, number, device, here);
}

/* The packed vectors of a trained parameter, or its weights. */
static void compare(const char *kind, const char *name, uint64_t epoch, const float *device, const float *here, size_t count) {
    char what[200];
    snprintf(what, sizeof what, "%s %s, entry", kind, name);
    for (size_t i = 0; i < count; i++) gs_selftest_same(what, i, epoch, (double)device[i], (double)here[i]);
}

void gs_selftest_compare(const struct gs_selftest *test, const struct gs_selftest_epoch *epoch) {
    const struct gs_program *program = epoch->model->program;
    for (size_t i = 0; i < test->members; i++) {
        gs_selftest_same("the score of member", i, epoch->number, test->scores[i], epoch->scores[i]);
    }
    if (epoch->has_center) {
        gs_selftest_same("the score of the mean weights,", 0, epoch->number, epoch->device.center, epoch->here.center);
    }
    gs_selftest_same("the norm of the estimate,", 0, epoch->number, epoch->device.grad, epoch->here.grad);
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        const size_t count = gs_entries(parameter), packed = epoch->model->packed[p];
        compare("weights", parameter->name, epoch->number, test->model.theta + parameter->offset,
                epoch->model->theta + parameter->offset, count);
        if (packed == GS_NOT_TRAINED) continue;
        if (epoch->optimizer->first != NULL) {
            compare("first moments", parameter->name, epoch->number, test->optimizer.first + packed,
                    epoch->optimizer->first + packed, count);
        }
        if (epoch->optimizer->second != NULL) {
            compare("second moments", parameter->name, epoch->number, test->optimizer.second + packed,
                    epoch->optimizer->second + packed, count);
        }
    }
    gs_selftest_same("the norm of the change,", 0, epoch->number, epoch->device.update, epoch->here.update);
}

void gs_selftest_passed(const struct gs_selftest *test, uint64_t epochs) {
    printf("selftest epochs=%" PRIu64 " members=%zu weights=%" PRIu64 " same\n", epochs, test->members, test->model.entries);
}
