/* gs_bf16.c -- packing is by tiles of a matrix, in the pool; every tile is written by one item. */
#if defined(__linux__)
#define _GNU_SOURCE /* syscall */
#endif
#include "gs_bf16.h"
#include "gs_bf16_way.h"

#include <string.h>

#include "gs_fail.h"
#include "gs_model.h"
#include "gs_pool.h"
#include "gs_program.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if GS_BF16_WAY == GS_BF16_AMX
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define LEAF7_1_EAX_AVX512_BF16 (1u << 5)
#define LEAF7_EDX_AMX_BF16 (1u << 22)
#define LEAF7_EDX_AMX_TILE (1u << 24)
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

const char *gs_bf16_way(void) {
    static const char *const names[] = {"plain", "avx512", "amx"};
    return names[GS_BF16_WAY];
}

bool gs_bf16_used(const struct gs_program *program) {
    for (size_t p = 0; p < program->parameter_count; p++) {
        if (program->parameters[p].forms & GS_FORM_BF16) return true;
    }
    return false;
}

#if GS_BF16_WAY != GS_BF16_PLAIN
static bool has_avx512_bf16(void) {
    unsigned a = 0, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & LEAF7_1_EAX_AVX512_BF16) != 0;
}
#endif

#if GS_BF16_WAY == GS_BF16_AMX
/* Linux gives a process the matrix unit when it asks for it. */
static bool gets_amx(void) {
    const unsigned needed = LEAF7_EDX_AMX_BF16 | LEAF7_EDX_AMX_TILE;
    unsigned a, b, c, d = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & needed) != needed) return false;
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}
#endif

void gs_bf16_prepare(const struct gs_program *program) {
    if (!gs_bf16_used(program)) return;
#if GS_BF16_WAY != GS_BF16_PLAIN
    if (!has_avx512_bf16()) {
        gs_fail("this machine has no AVX-512-BF16, for which the program was compiled; build it here, or with --profile "
                "portable");
    }
#endif
#if GS_BF16_WAY == GS_BF16_AMX
    if (!gets_amx()) {
        gs_fail("this machine, or its system, has no AMX for bfloat16, for which the program was compiled; build it here, "
                "or with --profile portable");
    }
#else
    gs_warn("BF16 is computed without a matrix unit here (way %s): FLOAT32 is at least as fast", gs_bf16_way());
#endif
}

static size_t tiles(uint64_t entries, size_t size) { return ((size_t)entries + size - 1) / size; }

uint16_t **gs_bf16_make(struct gs_arena *arena, const struct gs_program *program) {
    uint16_t **packed = gs_arena_take(arena, program->parameter_count, sizeof *packed, "the parameter table");
    for (size_t p = 0; p < program->parameter_count; p++) {
        const struct gs_parameter *parameter = &program->parameters[p];
        if (!(parameter->forms & GS_FORM_BF16)) continue;
        const size_t count = tiles(parameter->m, GS_BF16_ROWS) * tiles(parameter->n, GS_BF16_COLUMNS);
        packed[p] = gs_arena_take(arena, count, GS_BF16_ROWS * GS_BF16_COLUMNS * sizeof(uint16_t), "bfloat16 weights");
    }
    return packed;
}

/* x rounded to nearest, ties to even; a NaN stays one. */
static uint16_t round_number(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* The `item`th row of tiles of all matrices together. */
static void pack_rows(void *context, size_t worker, size_t item) {
    const struct gs_model *model = context;
    const struct gs_program *program = model->program;
    (void)worker;
    size_t p = 0;
    for (;; p++) {
        if (model->bf16[p] == NULL) continue;
        const size_t own = tiles(program->parameters[p].m, GS_BF16_ROWS);
        if (item < own) break;
        item -= own;
    }
    const struct gs_parameter *parameter = &program->parameters[p];
    const size_t m = (size_t)parameter->m, n = (size_t)parameter->n, across = tiles(n, GS_BF16_COLUMNS);
    uint16_t *const out = model->bf16[p] + item * across * GS_BF16_ROWS * GS_BF16_COLUMNS;
    for (size_t row = 0; row < GS_BF16_ROWS && item * GS_BF16_ROWS + row < m; row++) {
        const float *const w = model->theta + parameter->offset + (item * GS_BF16_ROWS + row) * n;
        for (size_t i = 0; i < n; i++) {
            const size_t tile = i / GS_BF16_COLUMNS;
            out[(tile * GS_BF16_ROWS + row) * GS_BF16_COLUMNS + i % GS_BF16_COLUMNS] = round_number(w[i]);
        }
    }
}

void gs_bf16_pack(const struct gs_model *model, struct gs_pool *pool) {
    size_t items = 0;
    for (size_t p = 0; p < model->program->parameter_count; p++) {
        if (model->bf16[p] != NULL) items += tiles(model->program->parameters[p].m, GS_BF16_ROWS);
    }
    if (items > 0) gs_pool_run(pool, pack_rows, (void *)(uintptr_t)model, items);
}
