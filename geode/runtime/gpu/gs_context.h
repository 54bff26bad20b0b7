/* gs_context.h -- what a thread knows of the row and member that it works on, and how it finds a parameter's weights. */
#ifndef GS_CONTEXT_H
#define GS_CONTEXT_H

#include "gs_args.h"
#include "gs_tile.h"

/* One parameter as the units see it for one member: as in ../gs_program.h. */
struct gs_slot {
    GS_GLOBAL const float *w;
    GS_GLOBAL const float *e;
    GS_GLOBAL const float *a;
    GS_GLOBAL const float *b;
    GS_GLOBAL const float *wp;
    float ss;
};

struct gs_tile_context {
    GS_GLOBAL const float *theta; /* mean weights */
    GS_GLOBAL const float *noise; /* of the pair */
    GS_GLOBAL const float *zeros;
    GS_GLOBAL const float *own;   /* weights of the member */
    GS_GLOBAL const uint *table;
    GS_GLOBAL const float *numbers;  /* the state */
    GS_GLOBAL const uint *tables;    /* by table of the program: where its numbers stand in the state */
    GS_STREAM_TABLE streams;      /* of the entry's random call sites */
    GS_GLOBAL const float *reduced;  /* the results of the reductions that have ended */
    GS_GLOBAL float *kept;           /* what an earlier pass leaves for this row and member */
    float ss_dense, ss_factored;  /* with the member's sign */
    float loop_limit;
    bool center;                  /* no member: the mean weights */
    uint row;
    uint me; /* the thread's number in its group, and memory that the group shares: where layers are tiles */
    GS_SHARED_FLOATS weights;
    ulong seed, epoch, member;
};

GS_INLINE ulong gs_join(uint low, uint high) { return ((ulong)high << 32) | (ulong)low; }

/* The numbers of table `number` of the program. */
GS_INLINE GS_GLOBAL const float *gs_table_of(GS_THREAD const struct gs_tile_context *tile, uint number) {
    return tile->numbers + tile->tables[number];
}

/* The slot of parameter `number` of the program. */
GS_INLINE struct gs_slot gs_slot_of(GS_THREAD const struct gs_tile_context *tile, uint number) {
    GS_GLOBAL const uint *row = tile->table + number * GS_PARAMETER_WORDS;
    const uint flags = row[GS_P_FLAGS];
    struct gs_slot slot;
    slot.w = tile->theta + row[GS_P_THETA];
    slot.e = tile->zeros;
    slot.a = tile->zeros;
    slot.b = tile->zeros;
    slot.wp = slot.w;
    slot.ss = 0.0f;
    if (tile->center || (flags & GS_F_TRAINED) == 0u) return slot;
    if ((flags & GS_F_FACTORED) != 0u) {
        slot.a = tile->noise + row[GS_P_A];
        slot.b = tile->noise + row[GS_P_NOISE];
        slot.ss = tile->ss_factored;
    } else {
        slot.e = tile->noise + row[GS_P_NOISE];
        slot.ss = tile->ss_dense;
    }
    if ((flags & GS_F_OWN) != 0u) slot.wp = tile->own + row[GS_P_OWN];
    return slot;
}

#endif
