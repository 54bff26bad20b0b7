/* gs_program.h -- the boundary between one compiled program and the runtime.
 *
 * Generated text (the units, program.c and settings.c) and the runtime (gs_main.c, gs_es.c, ...) know each other
 * through this header alone; a program.c written by hand (tests/runtime/program.c) drives the whole runtime.
 * Everything here is constant data or a pure function over one tile, so any number of workers may share it.
 *
 * A tile holds GS_LANES rows of one member. A value of row shape [k] is stored [k][GS_LANES] (element-major), a
 * uniform value (the same for every row) as [k]. See ARCHITECTURE.md for the levels run, epoch, pair and member.
 */
#ifndef GS_PROGRAM_H
#define GS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gs_settings.h"

#define GS_ABI 1u
#define GS_MAX_AXES 8

/* How the perturbation of a parameter reaches the units that use it (engine.md, "Form"); a tied one may need several. */
enum gs_form {
    GS_FORM_SPLIT = 1,        /* W x + (s sigma)(E x): the unit reads slot.w and slot.e */
    GS_FORM_MATERIALISED = 2, /* (W + s sigma E) x: the unit reads slot.wp */
    GS_FORM_FACTORED = 4,     /* low rank: the unit reads slot.w, slot.a and slot.b */
    GS_FORM_BF16 = 8          /* with BF16, besides FACTORED: the unit reads slot.bf16 */
};

/* One parameter as the units see it for one member. Pointers that the forms of the parameter do not need may be NULL. */
struct gs_slot {
    const float *w;  /* mean weights theta, [m][n] row-major */
    const float *e;  /* the pair's dense noise E, [m][n] */
    const float *a;  /* low rank: A, [m][r] */
    const float *b;  /* low rank: B transposed, [r][n], as its columns are further rows of a layer */
    const float *wp; /* w + ss E, [m][n] (low rank: w + ss A B'); equal to w for a parameter that is not trained */
    const uint16_t *bf16; /* w packed as bfloat16 (gs_bf16.h) */
    float ss;        /* s sigma (low rank: s sigma / sqrt(r)); 0 when evaluating the unperturbed weights */
    /* Tiles of many members: ss of every lane; then e, a, b and wp stand [...][GS_LANES], and w is that of all. */
    const float *ss_by_lane;
};

/* One unit (a word at one specialisation), defined beside its functions. */
struct gs_unit {
    const char *name;
    size_t scratch_floats; /* what its own functions need at most, without the units they call */
    const char *graph;     /* SHA-256 of its graph, in hexadecimal digits; NULL in a program written by hand */
    double flops;          /* nominal, of one row and member: 2 per multiply-add, shared work in full, without its calls */
};

/* One unit at one place of the call tree: which slots are its own, which instances its calls reach, in source order.
 * A call of the root needs scratch of unit->scratch_floats plus the most that one of its calls needs, recursively. */
struct gs_instance {
    const struct gs_unit *unit;
    size_t call_count;
    const uint32_t *slots;
    const struct gs_instance *const *calls;
    size_t slot_count;
    const uint32_t *tables; /* its own, as indices into gs_program.tables */
    size_t table_count;
};

/* What a tile's functions share. The driver fills it in once a tile (slots: once a member). */
struct gs_tile_context {
    const struct gs_slot *slots;
    uint64_t first_row; /* the place in the batch of lane 0 */
    uint32_t live;      /* how many lanes hold a row, 1 ... GS_LANES; the others hold copies of the last live row */
    float loop_limit;   /* LOOP-LIMIT: turns after which a loop of no constant bounds gives a row up */
    uint64_t seed;      /* SEED, and the epoch and member that random words draw for */
    uint64_t epoch;
    uint64_t member;
    const uint64_t *streams; /* of the entry's random call sites */
    const float *const *tables; /* by table of the program */
    const float *reduced;       /* several passes: the results of the reductions that have ended, rounded to float32 */
    float *kept;                /* several passes: what an earlier pass leaves for this tile and member */
    /* Tiles of many members: the row and the member of every lane; NULL in others. */
    const uint64_t *rows, *members;
};

/* The functions of a trained, evaluated or predicted word, one per level; NULL where there is no work at that level.
 * `run`, `epoch`, `pair` point at this tile's slice of each level's hoist buffer; a level writes its own slice and
 * reads the outer ones; `scratch` is the worker's, of the size that the call tree needs (see struct gs_instance).
 * `row` is the tile of the data row, [k][GS_LANES], NULL without data. `member` writes `out`, [outputs][GS_LANES], and
 * of an entry of several passes whatever function comes before a reduction. All pointers are aligned to 64 bytes and do not overlap. */
typedef void gs_entry_function(const struct gs_tile_context *tile, const struct gs_instance *self, float *run,
                               float *epoch, float *pair, float *scratch, const float *row, float *out);

/* What follows the last batch reduction: float64 sums over the rows, one per output, and the number of rows -> score. */
typedef double gs_finish_function(const struct gs_tile_context *tile, const struct gs_instance *self, float *scratch,
                                  const double *sums, uint64_t rows);

enum gs_batch_op { GS_BATCH_SUM, GS_BATCH_PRODUCT, GS_BATCH_MAX, GS_BATCH_MIN, GS_BATCH_MEAN };

/* One pass over all rows at one level: the function (NULL where there is no work), then the reductions that it ends in,
 * `count` of the entry's outputs from `first` on. */
struct gs_pass {
    gs_entry_function *function;
    size_t first, count;
};

/* The passes of one level, in order. */
struct gs_level_passes {
    const struct gs_pass *list;
    size_t count;
};

/* A word whose reductions need one another, or are known before the members are. The first `reductions` outputs are what
 * is reduced; those of a predicted word's last pass follow. A member leaves `kept_floats` of a tile for later passes. */
struct gs_passes {
    struct gs_level_passes run, epoch, member;
    size_t reductions, kept_floats;
};

/* `count` elements of a slice, from element `first` on. */
struct gs_stretch {
    size_t first, count;
};

/* One of the three parts of a word whose time is in one loop: before the loop, one turn of it, after it. The parts run
 * with `pair` pointing at what the lanes keep from one to the next, [state_floats]; `end` writes `out`. */
struct gs_part {
    gs_entry_function *run;
    bool reads_weights; /* of the lanes' members */
    bool reads_slices;  /* of the run and epoch levels */
};

/* The second form of a word without data: each lane of a tile is a row of a member of its own, so pair and member levels
 * are one. Outer levels are the entry's own. Either `member` is there, or the parts are. */
struct gs_members_form {
    const struct gs_instance *root;
    gs_entry_function *member;
    struct gs_part begin, step, end;
    size_t state_floats;
    size_t alive;   /* the element of the state that is a lane's flag for more turns; SIZE_MAX: there is none */
    uint64_t turns; /* the most turns of a lane; 0: any number */
    bool nested;    /* a step has loops of its own that go on while any lane does */
    const struct gs_stretch *run_stretches, *epoch_stretches; /* what of the outer slices differs by row */
    size_t run_stretch_count, epoch_stretch_count;
};
struct gs_device;

struct gs_entry {
    const char *word;
    uint32_t number; /* among the program's entries; names its kernels on a device */
    const struct gs_instance *root;
    gs_entry_function *run;
    gs_entry_function *epoch;
    gs_entry_function *pair;
    gs_entry_function *member;
    gs_finish_function *finish; /* NULL for a word that is only predicted */
    size_t run_floats;          /* sizes of one tile's slices, in floats */
    size_t epoch_floats;
    size_t pair_floats;
    size_t row_floats;      /* numbers in a data row, 0 without data */
    size_t outputs;         /* values per row that `member` writes */
    const enum gs_batch_op *ops; /* how each output is reduced over the rows; NULL: all of them are summed */
    const uint64_t *streams; /* by random call site: first 8 bytes of SHA-256 of rand:PATH; NULL without any */
    const struct gs_passes *passes; /* in place of run, epoch and member; NULL for a word of one pass over the members */
    const bool *reaches;    /* by parameter: false where no call leads to it, and a stage leaves it alone; NULL: all */
    const struct gs_members_form *members_form; /* NULL: there is none */
};

enum gs_init {
    GS_INIT_CONSTANT, /* init_value in every entry */
    GS_INIT_NORMAL,   /* normal, standard deviation init_value, from the stream init:NAME */
    GS_INIT_UNIFORM,  /* uniform in [-init_value, init_value] */
    GS_INIT_ORTHOGONAL
};

enum gs_parameter_kind {
    GS_KIND_MATRIX, /* LINEAR and CONV2D weights: low-rank perturbations and MUON apply */
    GS_KIND_TABLE,  /* matrix-shaped PARAM and EMBED: low-rank perturbations apply, updated by ADAM under MUON */
    GS_KIND_VECTOR  /* one axis or none: always dense noise, updated by ADAM under MUON */
};

struct gs_parameter {
    const char *name; /* path of call sites, FORWARD/NEURON/weight */
    uint32_t axes;
    uint64_t shape[GS_MAX_AXES];
    uint64_t m, n;     /* the parameter as a matrix [m][n]; a vector is [1][n] */
    size_t offset;     /* of entry 0 in the flat vector of all parameters, in floats, a multiple of 16 */
    bool trainable;
    enum gs_parameter_kind kind;
    unsigned forms;    /* union of enum gs_form over all units that use it */
    enum gs_init init;
    double init_value;
    uint64_t stream;      /* first 8 bytes of SHA-256 of the name: `hi` of its perturbation streams */
    uint64_t init_stream; /* the same of init:NAME */
};

enum gs_data_kind { GS_DATA_CSV, GS_DATA_NPY, GS_DATA_TEXT };

struct gs_data_file {
    const char *path; /* as compiled in; --data or --data-k replaces it */
    enum gs_data_kind kind;
    uint32_t axes; /* of a row; a CSV's or text's has one */
    uint64_t shape[GS_MAX_AXES];
    uint64_t row_floats;
};

/* An array that is read from a CSV or npy file when the program starts. */
struct gs_table_file {
    const char *path; /* as compiled in; --table or --table-k replaces it */
    uint32_t axes;
    uint64_t shape[GS_MAX_AXES];
    uint64_t floats;
};

enum gs_stage_kind { GS_STAGE_TRAIN, GS_STAGE_EVALUATE, GS_STAGE_PREDICT };
enum gs_batch_kind { GS_BATCH_ALL, GS_BATCH_SAMPLE, GS_BATCH_EPISODES };

struct gs_stage {
    enum gs_stage_kind kind;
    const struct gs_entry *entry;
    enum gs_batch_kind batch;
    uint64_t batch_rows;  /* BATCH and EPISODES: n */
    int32_t data;         /* index into data_files, -1 for EPISODES */
    uint64_t first_row;   /* ROWS: the slice of the file that is used */
    uint64_t row_count;   /* 0: all rows from first_row on */
    const char *predict_path;
};

struct gs_program {
    uint32_t abi; /* GS_ABI */
    const char *name;
    uint32_t lanes; /* GS_LANES of the units */
    const struct gs_parameter *parameters; /* in the order of their first call sites */
    size_t parameter_count;
    size_t parameter_floats; /* length of the flat vector, padding included */
    const struct gs_data_file *data_files;
    size_t data_file_count;
    const struct gs_table_file *tables;
    size_t table_count;
    const struct gs_stage *stages;
    const struct gs_settings *settings; /* one per stage, from settings.c */
    size_t stage_count;
    const struct gs_device *device; /* where TRAIN runs, see gs_device.h; NULL: on the processor */
};

extern const struct gs_program gs_program;
extern const struct gs_settings gs_stage_settings[];

#endif
