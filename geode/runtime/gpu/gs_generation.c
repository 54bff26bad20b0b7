/* gs_generation.c -- sizes and offsets of a stage on a GPU. Kernels count in 32 bits, so what has more is refused here, before
 * anything runs. Memory that grows with the members at work is bounded: as many pairs as fit are at work at a time. */
#include "gs_generation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../gs_batch_sum.h"
#include "../gs_cpu.h"
#include "../gs_evaluate.h"
#include "../gs_fail.h"
#include "../gs_noise.h"
#include "../gs_shaping.h"

#define GS_ROOM ((size_t)256 << 20) /* bytes of a buffer that grows with the members at work, or with the threads */
#define GS_MOST_GROUPS 1024u
#define GS_BATCH_FLOPS 2e10  /* of a batch of dispatches: far below a second on any device */
#define GS_MATRIX_FLOPS 2.5e10 /* of MUON's steps for a matrix by one group: some 0.2 s */
#define GS_STATE_OF_WEIGHT 2 /* numbers of the state: now and before the update */
#define GS_STATE_OF_TRAINED 5 /* further ones of a trained weight: estimate, total, chain, both moments */

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* `count` as 32 bits; ends the program with what it counts if it has more. */
static uint32_t words(size_t count, const char *what) {
    if (count > INT32_MAX) {
        gs_fail_status(GS_EXIT_NO_DEVICE, "%zu %s are more than a kernel counts\n  help: a smaller model or batch, or TARGET-CPU",
                       count, what);
    }
    return (uint32_t)count;
}

/* Bytes that a test gives in place of GS_ROOM: fewer members at work, the same numbers. */
static size_t room(void) {
    const char *text = getenv("GEODE_DEVICE_ROOM");
    return text == NULL ? GS_ROOM : (size_t)strtoull(text, NULL, 10);
}

/* `flops`, or fewer that a test gives in their place. */
static double most_flops(double flops) {
    const char *text = getenv("GEODE_DEVICE_FLOPS");
    return text == NULL ? flops : strtod(text, NULL);
}

static struct gs_words64 split(uint64_t x) { return (struct gs_words64){(uint32_t)x, (uint32_t)(x >> 32)}; }

static double flops_of(const struct gs_instance *instance) {
    double flops = instance->unit->flops;
    for (size_t i = 0; i < instance->call_count; i++) flops += flops_of(instance->calls[i]);
    return flops;
}

/* Numbers of a parameter's noise, of which a draw makes 4, or 128 signs. */
static size_t draws_of(const struct gs_model *model, size_t p) {
    const struct gs_parameter *parameter = &model->program->parameters[p];
    if (!gs_model_trains(model, p)) return 0;
    if (!gs_model_factored(model, p)) return (gs_entries(parameter) + 3) / 4;
    const size_t numbers = (size_t)(parameter->m + parameter->n) * model->rank;
    return model->perturbation == GS_PERTURBATION_OMELETTE_R1 ? (numbers + 127) / 128 : (numbers + 3) / 4;
}

static uint32_t flags_of(const struct gs_device_run *run, size_t p) {
    const struct gs_model *model = run->stage.model;
    const struct gs_parameter *parameter = &model->program->parameters[p];
    uint32_t flags = 0;
    if (!gs_model_trains(model, p)) return 0;
    flags |= GS_F_TRAINED;
    if (gs_model_factored(model, p)) flags |= GS_F_FACTORED;
    if (parameter->forms & GS_FORM_MATERIALISED) flags |= GS_F_OWN;
    if (gs_update_by_muon(model, run->stage.settings->optimizer, p)) {
        flags |= GS_F_MUON;
        if (parameter->m > parameter->n) flags |= GS_F_TALL;
    }
    return flags;
}

static void fill_table(struct gs_device_run *run) {
    const struct gs_model *model = run->stage.model;
    const size_t count = model->program->parameter_count;
    size_t draws = 0;
    for (size_t p = 0; p < count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        uint32_t *row = run->table + p * GS_PARAMETER_WORDS;
        const size_t of_b = gs_padded((size_t)parameter->n * model->rank);
        row[GS_P_THETA] = words(parameter->offset, "weights");
        row[GS_P_FLAGS] = flags_of(run, p);
        row[GS_P_NOISE] = words(model->noise_at[p], "numbers of noise");
        row[GS_P_A] = words(model->noise_at[p] + of_b, "numbers of noise");
        row[GS_P_OWN] = words(model->weights_at[p], "weights");
        row[GS_P_PACKED] = model->packed[p] == GS_NOT_TRAINED ? 0 : words(model->packed[p], "weights");
        row[GS_P_M] = words((size_t)parameter->m, "rows");
        row[GS_P_N] = words((size_t)parameter->n, "columns");
        row[GS_P_STREAM] = (uint32_t)parameter->stream;
        row[GS_P_STREAM + 1] = (uint32_t)(parameter->stream >> 32);
        row[GS_P_ENTRIES] = words(gs_entries(parameter), "weights");
        row[GS_P_DRAW] = words(draws, "draws");
        draws += draws_of(model, p);
        const uint32_t wanted = GS_F_FACTORED | GS_F_OWN;
        run->owns = run->owns || (row[GS_P_FLAGS] & wanted) == wanted;
    }
    run->args.draw_items = words(draws, "draws");
    run->args.block_table = words(count * GS_PARAMETER_WORDS, "parameters");
    for (size_t b = 0; b < run->blocks.count; b++) {
        const struct gs_block *block = &run->blocks.block[b];
        uint32_t *row = run->table + run->args.block_table + b * GS_BLOCK_WORDS;
        row[0] = (uint32_t)block->parameter;
        row[1] = (uint32_t)block->first;
        row[2] = (uint32_t)block->count;
        row[3] = 0;
    }
}

/* How many matrices MUON has. */
static size_t matrices_of(const struct gs_device_run *run) {
    size_t count = 0;
    for (size_t p = 0; p < run->stage.model->program->parameter_count; p++) count += (flags_of(run, p) & GS_F_MUON) != 0;
    return count;
}

/* Room of a matrix of MUON in the state: X and the other X, A and Y. */
static size_t numbers_of_matrix(const struct gs_parameter *parameter) {
    const size_t side = smaller((size_t)parameter->m, (size_t)parameter->n);
    return 2 * gs_padded(gs_entries(parameter)) + 2 * gs_padded(side * side);
}

/* The numbers of the state, as place_state lays it out; geode/graph/check_target.py counts them the same. */
static size_t state_numbers(const struct gs_device_run *run) {
    const struct gs_model *model = run->stage.model;
    const struct gs_program *program = model->program;
    size_t numbers = GS_STATE_OF_WEIGHT * gs_padded(program->parameter_floats) + GS_STATE_OF_TRAINED * model->packed_floats;
    numbers += gs_padded(run->stage.pairs);
    for (size_t p = 0; p < program->parameter_count; p++) {
        if (flags_of(run, p) & GS_F_MUON) numbers += numbers_of_matrix(&program->parameters[p]);
    }
    for (size_t t = 0; t < program->table_count; t++) numbers += gs_padded((size_t)program->tables[t].floats);
    return numbers;
}

/* Ends the program if the state has more numbers than a kernel counts, or than a test gives in their place. */
static void check_state(const struct gs_device_run *run) {
    const char *text = getenv("GEODE_DEVICE_NUMBERS");
    const size_t numbers = state_numbers(run), most = text == NULL ? INT32_MAX : (size_t)strtoull(text, NULL, 10);
    if (numbers <= most) return;
    gs_fail_status(GS_EXIT_NO_DEVICE, "%" PRIu64 " weights and what training keeps for them are %zu numbers, and a kernel counts "
                   "%zu\n  help: a smaller model, %sor TARGET-CPU", run->stage.model->entries, numbers, most,
                   run->stage.settings->optimizer == GS_OPTIMIZER_MUON ? "another optimizer than MUON, " : "");
}

/* Writes the row of the table for matrix `k` of MUON. */
static void write_matrix(struct gs_device_run *run, size_t k) {
    const struct gs_muon_matrix *matrix = &run->muon[k];
    uint32_t *row = run->table + run->args.matrix_table + k * GS_MATRIX_WORDS;
    row[GS_M_PARAMETER] = (uint32_t)matrix->parameter;
    row[GS_M_BLOCK] = (uint32_t)matrix->first_block;
    row[GS_M_BLOCKS] = (uint32_t)matrix->blocks;
    row[GS_M_X] = words(matrix->x, "weights");
    row[GS_M_OTHER] = words(matrix->other, "weights");
    row[GS_M_A] = words(matrix->a, "weights");
    row[GS_M_Y] = words(matrix->y, "weights");
    run->table[matrix->parameter * GS_PARAMETER_WORDS + GS_P_MUON_X] = row[GS_M_X];
}

/* MUON's matrices, each with room of its own from `at` on in the state; returns the end. */
static size_t place_muon(struct gs_device_run *run, size_t at) {
    const double most = most_flops(GS_MATRIX_FLOPS);
    run->muon = gs_arena_take(run->stage.arena, run->stage.model->program->parameter_count, sizeof *run->muon, "MUON");
    for (size_t first = 0, end; first < run->blocks.count; first = end) {
        const size_t p = run->blocks.block[first].parameter;
        const uint32_t *row = run->table + p * GS_PARAMETER_WORDS;
        for (end = first; end < run->blocks.count && run->blocks.block[end].parameter == p;) end++;
        if (!(row[GS_P_FLAGS] & GS_F_MUON)) continue;
        const size_t side = smaller(row[GS_P_M], row[GS_P_N]), entries = gs_padded(row[GS_P_ENTRIES]);
        struct gs_muon_matrix *matrix = &run->muon[run->muon_count];
        *matrix = (struct gs_muon_matrix){.parameter = p, .first_block = first, .blocks = end - first, .x = at};
        matrix->other = matrix->x + entries;
        matrix->a = matrix->other + entries;
        matrix->y = matrix->a + gs_padded(side * side);
        at = matrix->y + gs_padded(side * side);
        write_matrix(run, run->muon_count++);
        const double rows = (double)side, square = rows * rows;
        const double step = 3.0 * square * ((double)row[GS_P_ENTRIES] / rows) + square * rows; /* half of A and of Y */
        run->muon_wide = run->muon_wide || step * (double)run->stage.settings->muon_steps > most;
    }
    run->args.matrices = (uint32_t)run->muon_count;
    return at;
}

/* The program's tables from `at` on in the state, and where each begins; returns the end. */
static size_t place_tables(struct gs_device_run *run, size_t at) {
    const struct gs_program *program = run->stage.model->program;
    for (size_t t = 0; t < program->table_count; t++) {
        run->table[run->args.tables_at + t] = words(at, "numbers of tables");
        at += gs_padded((size_t)program->tables[t].floats);
    }
    return at;
}

static void write_tables(struct gs_device_run *run) {
    const struct gs_program *program = run->stage.model->program;
    for (size_t t = 0; t < program->table_count; t++) {
        const size_t offset = (size_t)run->table[run->args.tables_at + t] * sizeof(float);
        const float *numbers = run->stage.model->tables[t];
        if (numbers == NULL) continue; /* no stage that trains reads it */
        run->device->api->write(run->gpu, GS_ROLE_STATE, offset, numbers, (size_t)program->tables[t].floats * sizeof(float));
    }
}

static void place_state(struct gs_device_run *run) {
    const struct gs_model *model = run->stage.model;
    const struct gs_optimizer_state *optimizer = run->stage.optimizer;
    const size_t weights = gs_padded(model->program->parameter_floats), packed = model->packed_floats;
    struct gs_args *args = &run->args;
    size_t at = 0;
    args->theta = words(at, "weights");
    args->old_theta = words(at += weights, "weights");
    args->estimate = words(at += weights, "weights");
    args->total = words(at += packed, "weights");
    args->chain = words(at += packed, "weights");
    args->first = words(at += packed, "weights");
    args->second = words(at += packed, "weights");
    args->coefficients = words(at += packed, "weights");
    at = place_tables(run, place_muon(run, at + gs_padded(run->stage.pairs)));
    const struct gs_gpu_api *api = run->device->api;
    api->allocate(run->gpu, GS_ROLE_STATE, words(at, "numbers of the state") * sizeof(float));
    write_tables(run);
    api->write(run->gpu, GS_ROLE_STATE, 0, model->theta, model->program->parameter_floats * sizeof(float));
    if (optimizer->first != NULL) {
        api->write(run->gpu, GS_ROLE_STATE, args->first * sizeof(float), optimizer->first, packed * sizeof(float));
    }
    if (optimizer->second != NULL) {
        api->write(run->gpu, GS_ROLE_STATE, args->second * sizeof(float), optimizer->second, packed * sizeof(float));
    }
}

/* Scores, and what shaping and norms keep behind them. */
static void place_scores(struct gs_device_run *run) {
    const struct gs_device_stage *stage = &run->stage;
    const size_t members = (size_t)stage->settings->population;
    struct gs_args *args = &run->args;
    const struct gs_gpu_api *api = run->device->api;
    args->order_at = words(members + 1, "members");
    args->utility_at = words(args->order_at + members + 3, "members");
    args->blocks_at = words(args->utility_at + members, "members");
    args->totals_at = words(args->blocks_at + 3 * larger(run->blocks.count, 1), "blocks");
    const size_t all = args->totals_at + (size_t)args->slots * args->outputs;
    api->allocate(run->gpu, GS_ROLE_SCORES, words(all, "results") * sizeof(uint64_t));
    if (stage->settings->shaping != GS_SHAPING_UTILITY) return;
    const struct gs_shaper shaper = gs_shaper_make(stage->arena, GS_SHAPING_UTILITY, stage->antithetic, members);
    api->write(run->gpu, GS_ROLE_SCORES, args->utility_at * sizeof(uint64_t), shaper.utility, members * sizeof(double));
}

/* Rows, what is kept by row, and scratch. */
static void place_rows(struct gs_device_run *run) {
    const struct gs_device_stage *stage = &run->stage;
    const struct gs_entry *entry = stage->entry;
    const struct gs_dataset *data = &stage->data;
    const struct gs_gpu_api *api = run->device->api;
    struct gs_args *args = &run->args;
    args->rows = words((size_t)data->rows, "rows");
    args->tiles = words(data->tile_count, "tiles");
    words(data->tile_count * data->lanes, "rows");
    args->row_stride = data->tiles == NULL ? 0 : words(data->stride, "numbers of a tile");
    args->outputs = words(entry->outputs, "results");
    words((size_t)args->row_stride * data->tile_count, "numbers of data");
    api->allocate(run->gpu, GS_ROLE_DATA, larger((size_t)args->row_stride * data->tile_count, 1) * sizeof(float));
    if (data->tiles != NULL) {
        api->write(run->gpu, GS_ROLE_DATA, 0, data->tiles, data->tile_count * data->stride * sizeof(float));
    }
    const size_t of_group = GS_GROUP / data->lanes; /* tiles; the threads of the last group write theirs whole */
    const size_t tiles = (data->tile_count + of_group - 1) / of_group * of_group;
    const size_t slices = (entry->run_floats + entry->epoch_floats) * tiles;
    args->hoisted = slices * sizeof(float) <= stage->hoist_limit && slices <= INT32_MAX;
    args->run_stride = args->hoisted ? words(entry->run_floats, "numbers of a tile") : 0;
    args->epoch_stride = args->hoisted ? words(entry->epoch_floats, "numbers of a tile") : 0;
    api->allocate(run->gpu, GS_ROLE_SLICES, (args->hoisted ? larger(slices, 1) : 1) * sizeof(float));
    args->work_epoch = args->hoisted ? 0 : words(entry->run_floats, "numbers of a tile");
    args->work_pair = args->hoisted ? 0 : args->work_epoch + words(entry->epoch_floats, "numbers of a tile");
    args->work_kept = args->work_pair + words(entry->pair_floats, "numbers of a tile");
    args->work_scratch = args->work_kept + words(run->passes.kept_floats, "numbers of a tile");
    args->work_spare = args->work_scratch + words(larger(gs_evaluate_scratch(entry->root), data->lanes), "numbers of a tile");
    args->work_stride = args->work_spare + words(entry->outputs * data->lanes, "numbers of a tile");
    const size_t scratch = (size_t)args->work_stride * of_group;
    run->most_groups = smaller(larger(room() / (scratch * sizeof(float)), 1), GS_MOST_GROUPS);
    words(run->most_groups * scratch, "numbers of scratch");
    api->allocate(run->gpu, GS_ROLE_WORK, run->most_groups * scratch * sizeof(float));
}

/* How many pairs are at work at a time, and what grows with them. */
static void place_members(struct gs_device_run *run) {
    const struct gs_device_stage *stage = &run->stage;
    const struct gs_model *model = stage->model;
    const struct gs_gpu_api *api = run->device->api;
    struct gs_args *args = &run->args;
    const size_t signs = stage->antithetic ? 2 : 1;
    const size_t outs = stage->entry->outputs * args->rows, threads = (size_t)args->tiles * stage->data.lanes;
    size_t chunk = stage->pairs, longest = 1;
    const size_t most[] = {model->noise_floats, signs * model->weights_floats, signs * outs};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        if (most[i] > 0) chunk = smaller(chunk, larger(room() / (most[i] * sizeof(float)), 1));
    }
    const size_t counted = larger(larger(threads, args->draw_items), larger(model->noise_floats, model->weights_floats));
    chunk = larger(smaller(chunk, (size_t)INT32_MAX / larger(2 * counted, 1)), 1);
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        const struct gs_parameter *parameter = &model->program->parameters[p];
        longest = larger(longest, gs_entries(parameter));
        longest = larger(longest, model->rank * (size_t)(parameter->m > parameter->n ? parameter->m : parameter->n));
    }
    /* A pass goes through those before it again. */
    const double again = 0.5 * (double)(1 + larger(run->passes.member.count, 1));
    const double flops = (double)signs * (double)args->rows * flops_of(stage->entry->root) * again;
    const double batch = flops > 0.0 ? most_flops(GS_BATCH_FLOPS) / flops : (double)stage->pairs;
    run->batch = batch >= (double)stage->pairs ? stage->pairs : larger((size_t)batch, 1);
    run->chunk = smaller(chunk, run->batch);
    args->pairs = words(stage->pairs, "pairs");
    args->antithetic = stage->antithetic;
    args->noise_stride = words(model->noise_floats, "numbers of noise");
    args->zeros = words(run->chunk * model->noise_floats, "numbers of noise");
    args->own_stride = words(model->weights_floats, "weights");
    words(run->chunk * signs * model->weights_floats, "weights");
    args->slots = words(run->chunk * signs + 1, "members");
    args->reduced_at = words(args->slots * outs, "results");
    const size_t results = words(args->reduced_at + (size_t)args->slots * args->outputs, "results");
    api->allocate(run->gpu, GS_ROLE_NOISE, (args->zeros + longest) * sizeof(float));
    float *zeros = gs_arena_take(stage->arena, longest, sizeof *zeros, "zeros");
    api->write(run->gpu, GS_ROLE_NOISE, args->zeros * sizeof(float), zeros, longest * sizeof(float));
    api->allocate(run->gpu, GS_ROLE_OWN, larger(run->chunk * signs * model->weights_floats, 1) * sizeof(float));
    api->allocate(run->gpu, GS_ROLE_OUTS, results * sizeof(float));
}

void gs_generation_place(struct gs_device_run *run) {
    struct gs_device_stage *stage = &run->stage;
    const struct gs_model *model = stage->model;
    const struct gs_settings *settings = stage->settings;
    check_state(run);
    run->passes = gs_evaluate_passes(stage->arena, stage->entry);
    run->blocks = gs_blocks_make(stage->arena, model, GS_NORM_BLOCK);
    run->block_sums = gs_arena_take(stage->arena, run->blocks.count, sizeof(double), "the norms");
    run->scores = gs_arena_take(stage->arena, (size_t)settings->population + 1, sizeof *run->scores, "the scores");
    run->args.tables_at = words(model->program->parameter_count * GS_PARAMETER_WORDS + run->blocks.count * GS_BLOCK_WORDS,
                                "blocks");
    run->args.matrix_table = words(run->args.tables_at + model->program->table_count, "tables");
    run->table_words = run->args.matrix_table + matrices_of(run) * GS_MATRIX_WORDS;
    run->table = gs_arena_take(stage->arena, larger(run->table_words, 1), sizeof *run->table, "the parameter table");
    run->args.parameters = (uint32_t)model->program->parameter_count;
    run->args.family = settings->perturbation;
    run->args.rank = (uint32_t)model->rank;
    run->args.seed = split(settings->seed);
    run->args.loop_limit = (float)settings->loop_limit;
    run->args.muon_steps = words((size_t)settings->muon_steps, "steps");
    run->args.minimise = settings->direction == GS_DIRECTION_LOSS;
    run->args.shaping = settings->shaping;
    run->args.optimizer = settings->optimizer;
    run->args.clipped = settings->update_clip < __builtin_inf();
    uint64_t clip;
    memcpy(&clip, &settings->update_clip, sizeof clip);
    run->args.clip = split(clip);
    fill_table(run);
    run->args.blocks = words(run->blocks.count, "blocks");
    place_state(run);
    place_rows(run);
    place_members(run);
    place_scores(run);
    run->device->api->allocate(run->gpu, GS_ROLE_TABLE, larger(run->table_words, 1) * sizeof *run->table);
    run->fresh = true;
}

void gs_generation_write_table(struct gs_device_run *run, double alpha) {
    const struct gs_model *model = run->stage.model;
    for (size_t k = 0; k < run->muon_count; k++) {
        const size_t p = run->muon[k].parameter;
        const float step = gs_muon_factor(run->stage.settings, &model->program->parameters[p], alpha);
        memcpy(run->table + p * GS_PARAMETER_WORDS + GS_P_MUON_STEP, &step, sizeof step);
    }
    run->device->api->write(run->gpu, GS_ROLE_TABLE, 0, run->table, run->table_words * sizeof *run->table);
}
