/* gs_table.c -- main thread, before the first stage; afterwards tables are only read. */
#include "gs_table.h"

#include "gs_input.h"

void gs_table_load(struct gs_run *run) {
    const struct gs_program *program = run->program;
    if (program->table_count == 0) return;
    const float **tables = gs_arena_take(&run->arena, program->table_count, sizeof *tables, "the tables");
    for (size_t k = 0; k < program->table_count; k++) {
        const struct gs_table_file *table = &program->tables[k];
        char option[32];
        gs_options_table_name(program, k, option, sizeof option);
        float *numbers = gs_arena_take(&run->arena, (size_t)table->floats, sizeof *numbers, "a table");
        gs_input_table(table, run->options.table_paths[k], option, numbers);
        tables[k] = numbers;
    }
    run->model.tables = tables;
}

/* Adds the tables of a place of the call tree and of all places below it. */
static bool add_tables(struct gs_sha256 *hash, const struct gs_run *run, const struct gs_instance *instance) {
    bool some = instance->table_count > 0;
    for (size_t i = 0; i < instance->table_count; i++) {
        const uint32_t k = instance->tables[i];
        const struct gs_table_file *table = &run->program->tables[k];
        gs_sha256_add(hash, table->shape, sizeof table->shape);
        gs_sha256_add(hash, run->model.tables[k], (size_t)table->floats * sizeof(float));
    }
    for (size_t i = 0; i < instance->call_count; i++) some = add_tables(hash, run, instance->calls[i]) || some;
    return some;
}

bool gs_table_digest(const struct gs_run *run, char hex[GS_SHA256_HEX]) {
    const struct gs_program *program = run->program;
    struct gs_sha256 hash;
    bool some = false;
    gs_sha256_start(&hash);
    for (size_t s = 0; s < program->stage_count; s++) {
        const struct gs_stage *stage = &program->stages[s];
        if (stage->kind == GS_STAGE_TRAIN) some = add_tables(&hash, run, stage->entry->root) || some;
    }
    gs_sha256_finish(&hash, hex);
    return some;
}
