/* gs_args.h -- what the host tells a kernel, and the rows of the parameter table: read by host and kernels alike.
 *
 * All fields have 4 bytes, so that every compiler lays them out the same way; 64-bit numbers are two words, the lower one
 * first. Offsets and strides count floats within the buffer of their role. */
#ifndef GS_ARGS_H
#define GS_ARGS_H

#ifndef GS_KERNEL_TEXT
#include <stdint.h>
#define GS_ARGS_WORD uint32_t
#else
#define GS_ARGS_WORD uint
#endif

#define GS_GROUP 256u          /* threads of a group */
#define GS_NORM_BLOCK 4096u    /* entries that a sum of squares takes at a time */
#define GS_CHAIN_PAIRS 1024u   /* links of a chain of the estimate */
#define GS_BATCH_BLOCK 960u    /* rows of a block of a batch sum */
#define GS_BATCH_PARTS 8u      /* partial sums of a block */
#define GS_ALL 0xffffffffu     /* passes */
#define GS_TILE_SIDE 16u       /* of the square that a group makes of a matrix product that all groups share */

struct gs_words64 {
    GS_ARGS_WORD low, high;
};

struct gs_args {
    GS_ARGS_WORD groups; /* of this dispatch */

    /* rows and tiles */
    GS_ARGS_WORD rows, tiles, row_stride; /* floats of a tile of the data */
    GS_ARGS_WORD hoisted, run_stride, epoch_stride;
    GS_ARGS_WORD run_from, run_to, epoch_from, epoch_to; /* passes of each row's outer levels that this dispatch goes through */
    GS_ARGS_WORD work_stride, work_epoch, work_pair, work_kept; /* of a tile at work, and the parts in it */
    GS_ARGS_WORD work_scratch, work_spare;
    GS_ARGS_WORD outputs;
    float loop_limit;

    /* members: pairs first_pair ... first_pair + some_pairs - 1 are at work, then the mean weights if `center` */
    GS_ARGS_WORD pairs, antithetic, first_pair, some_pairs, center;
    GS_ARGS_WORD draw_pairs, owns; /* how many of them are drawn; members' weights are built from low-rank noise */
    GS_ARGS_WORD noise_stride, zeros, own_stride, parameters, draw_items; /* zeros: in the noise */
    GS_ARGS_WORD theta; /* in the state: where this epoch's weights stand */
    GS_ARGS_WORD family, rank;
    float ss_dense, ss_factored; /* sigma, sigma / sqrt(rank) */
    struct gs_words64 seed, draw_epoch, noise_epoch;

    /* passes over the rows: the one at hand of its level, and the reductions that it ends in */
    GS_ARGS_WORD pass, pass_first, pass_count;
    GS_ARGS_WORD outer;     /* they are the same for all members, whose `slots` places they all go to */
    GS_ARGS_WORD last_pass; /* the scores come of them */
    GS_ARGS_WORD slots, totals_at, reduced_at; /* results by member at work: float64 in the scores, float32 in the outs */

    /* scores: by member, that of the mean weights behind them; in the buffer of scores, in float64 */
    GS_ARGS_WORD minimise, shaping;
    GS_ARGS_WORD weights_at, order_at, utility_at, blocks_at;

    /* the estimate: in the state */
    GS_ARGS_WORD total, chain, estimate, coefficients;
    GS_ARGS_WORD last_pairs; /* the pairs at work end the sum */
    float scale_dense, scale_factored;

    /* the update */
    GS_ARGS_WORD blocks, block_table; /* how many, and where in the table */
    GS_ARGS_WORD tables_at;           /* in the table: where the program's tables stand in the state */
    GS_ARGS_WORD old_theta, first, second, optimizer, clipped;
    struct gs_words64 clip;
    float decay, alpha, beta, kept, epsilon, beta1, kept1, beta2, kept2, correction1, correction2;

    GS_ARGS_WORD matrices, matrix_table, muon_steps; /* MUON's, how many and where in the table */

    /* a matrix of MUON that all groups share: [rows][inner] times [inner][columns] */
    GS_ARGS_WORD parameter, m_rows, m_inner, m_columns, left, right, target, transposed;
    GS_ARGS_WORD muon_x, muon_other, muon_a, muon_y;
};

/* A row of the table of parameters, of the table of blocks, and of that of MUON's matrices. */
#define GS_PARAMETER_WORDS 16u
#define GS_BLOCK_WORDS 4u
#define GS_MATRIX_WORDS 8u
#define GS_M_PARAMETER 0u
#define GS_M_BLOCK 1u /* its first one */
#define GS_M_BLOCKS 2u
#define GS_M_X 3u /* in the state: X as the update finds it, the other X, A and Y */
#define GS_M_OTHER 4u
#define GS_M_A 5u
#define GS_M_Y 6u
#define GS_P_THETA 0u   /* where its weights stand in the vector of all parameters */
#define GS_P_FLAGS 1u
#define GS_P_NOISE 2u   /* in a pair's noise: E, or B transposed */
#define GS_P_A 3u       /* in a pair's noise: A */
#define GS_P_OWN 4u     /* in a member's own weights */
#define GS_P_PACKED 5u  /* in packed vectors */
#define GS_P_M 6u
#define GS_P_N 7u
#define GS_P_STREAM 8u  /* two words */
#define GS_P_ENTRIES 10u
#define GS_P_DRAW 11u   /* the first of its draws, counted over all parameters */
#define GS_P_MUON_X 12u /* in the state: MUON's direction, as the update finds it */
#define GS_P_MUON_STEP 13u /* the bits of alpha kappa sqrt(max(m, n)) */

#define GS_F_TRAINED 1u
#define GS_F_FACTORED 2u
#define GS_F_OWN 4u    /* members have weights of their own */
#define GS_F_MUON 8u
#define GS_F_TALL 16u  /* MUON's direction stands transposed */

#endif
