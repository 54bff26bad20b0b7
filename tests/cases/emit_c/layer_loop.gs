\ a layer's outputs go from the registers into what follows: a bias, an activation, a sum; a layer's input that a loop carries stays
: NET ( r:6 -- r:10 ) 10 LINEAR TRAINABLE BIAS TRAINABLE RELU ;
: CELL ( r:10 -- r:10 ) 10 LINEAR TRAINABLE TANH ;
: OBJECTIVE ( r:b:6 -- r ) NET { h } 3 0 DO h 2 * CELL TO h LOOP h NORM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS ANTITHETIC 0.01 1 EGGROLL
  "rows.csv" 6 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == loops
\ unit gs_u_NET_1db92214 slices run=0 epoch=10 pair=1
\   epoch scratch=0
\     epoch+0(10) = linear p0.w in0(6) 10x6 rows=1
\   pair scratch=0
\     pair+0(1) = linear p0.b in0(6) 1x6 rows=1
\   member scratch=0
\     for 10 elements
\       t3 = fma(weights0(0u)[e * 1 + 0], scaled_noise(p0.ss, pair+0(1)[0]), epoch+0(10)[e])
\       t5 = add(t3, weights1(10u)[e])
\       t6 = relu(t5)
\       out0(10)[e] = t6
\ unit gs_u_CELL_192436b6 slices run=0 epoch=0 pair=0
\   member scratch=1
\     scratch+0(1) = linear p0.b in0(10) 1x10 rows=1
\     for 10 outputs t2 = factored p0 in0(10) scratch+0(1) rank=1 10x10
\       t3 = tanh(t2)
\       out0(10)[e] = t3
\ unit gs_u_OBJECTIVE_3e21afca slices run=0 epoch=10 pair=1
\   epoch scratch=0
\     call gs_u_NET_1db92214.epoch slices=(None, 0, 0) (in0(6)) -> ()
\   pair scratch=0
\     call gs_u_NET_1db92214.pair slices=(None, 0, 0) (in0(6)) -> ()
\   member scratch=30
\     call gs_u_NET_1db92214.member slices=(None, 0, 0) () -> (scratch+0(10))
\     for 10 elements
\       scratch+10(10)[e] = scratch+0(10)[e]
\     loop 4: 3 turns
\       for 10 elements
\         t5 = scratch+10(10)[e]
\         t8 = mul(t5, 2.0)
\         scratch+0(10)[e] = t8
\       call gs_u_CELL_192436b6.member slices=(None, None, None) (scratch+0(10)) -> (scratch+20(10))
\       for 10 elements
\         scratch+10(10)[e] = scratch+20(10)[e]
\     for 10 elements
\       t14 = scratch+10(10)[e]
\       a16 = fma(t14, t14, a16)
\       then scratch+0(1)[0] = t16
\     for 1 elements
\       t17 = sqrt(scratch+0(1)[e])
\       out0(1)[e] = t17
\   finish scratch=0
\     score reduced0

\ == c
\ /* gs_u_NET_1db92214.c -- the word NET at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph NET
\  *   parameter p0 matrix r:10:6 trainable
\  *   parameter p1 vector r:10 trainable
\  *   %0 = input 0 : r:b:6  run
\  *   %1 = linear-mean p0 %0 : r:b:10  epoch
\  *   %2 = linear-factor p0 %0 : r:b:1  pair
\  *   %3 = linear-correct p0 %2 %1 : r:b:10  member
\  *   %4 = parameter-value p1 : r:10  member
\  *   %5 = add %3 %4 : r:b:10  member
\  *   %6 = relu %5 : r:b:10  member
\  *   leave %6
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\ #include "kernels/gs_activation.h"
\ #include "kernels/gs_linear.h"
\
\ extern const struct gs_unit gs_u_NET_1db92214;
\ void gs_u_NET_1db92214_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NET_1db92214_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NET_1db92214_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0);
\
\ const struct gs_unit gs_u_NET_1db92214 = { "NET", 0, "cb6c49e9a13cf2aaf8c6fe794841cddbbc7b1f12e07abcd54e4c3fbc5f243e1b", 0x1.18p+7 };
\
\ void gs_u_NET_1db92214_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     (void)pair;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->w, in0, epoch, 10, 6);
\     GS_LEAVE(1);
\ }
\
\ void gs_u_NET_1db92214_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     (void)epoch;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->b, in0, pair, 1, 6);
\     GS_LEAVE(2);
\ }
\
\ void gs_u_NET_1db92214_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0) {
\     (void)run;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     const struct gs_slot *const slot1 = &tile->slots[self->slots[1]];
\     for (size_t e = 0; e < 10; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             const gs_vec t3 = gs_fma(gs_set(slot0->a[e]), gs_scaled_noise(gs_set(slot0->ss), gs_load(pair + v * GS_VEC)), gs_load(epoch + (e * GS_LANES + v * GS_VEC)));
\             const gs_vec t5 = gs_add(t3, gs_set(slot1->wp[e]));
\             const gs_vec t6 = gs_relu(t5);
\             gs_store(out0 + (e * GS_LANES + v * GS_VEC), t6);
\         }
\     }
\     GS_LEAVE(3);
\ }
\ /* gs_u_CELL_192436b6.c -- the word CELL at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph CELL
\  *   parameter p0 matrix r:10:10 trainable
\  *   %0 = input 0 : r:b:10  member
\  *   %1 = linear-factor p0 %0 : r:b:1  member
\  *   %2 = linear-factored p0 %1 %0 : r:b:10  member
\  *   %3 = tanh %2 : r:b:10  member
\  *   leave %3
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\ #include "gs_math.h"
\ #include "kernels/gs_factored.h"
\ #include "kernels/gs_linear.h"
\
\ extern const struct gs_unit gs_u_CELL_192436b6;
\ void gs_u_CELL_192436b6_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0);
\
\ const struct gs_unit gs_u_CELL_192436b6 = { "CELL", 1 * GS_LANES, "fda9af1dfd50b11fd01c1854cd103f39dbe18f0b00a3368e34f9fbd885bea91d", 0x1.a4p+7 };
\
\ void gs_u_CELL_192436b6_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0) {
\     (void)run;
\     (void)epoch;
\     (void)pair;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->b, in0, scratch, 1, 10);
\     for (size_t g = 0; g < GS_GROUPS; g++) {
\         for (size_t j = 0; j < gs_blocks(10); j++) {
\             gs_vec acc[8][3];
\             gs_block_clear(acc, GS_BLOCK_OUTPUTS, GS_GROUP);
\             gs_linear_chains(acc, slot0->w + j * GS_BLOCK_OUTPUTS * 10, in0 + g * (GS_GROUP * GS_VEC), 10, GS_BLOCK_OUTPUTS, GS_GROUP);
\             gs_factored_chains(acc, slot0->a + j * GS_BLOCK_OUTPUTS, slot0->ss, scratch + g * (GS_GROUP * GS_VEC), 1, GS_BLOCK_OUTPUTS, GS_GROUP);
\             gs_vec done[8][3];
\             GS_UNROLL
\             for (size_t o = 0; o < GS_BLOCK_OUTPUTS; o++) {
\                 GS_UNROLL
\                 for (size_t k = 0; k < GS_GROUP; k++) {
\                     done[o][k] = acc[o][k];
\                 }
\             }
\             for (size_t o = 0; o < GS_BLOCK_OUTPUTS; o++) {
\                 const size_t e = j * GS_BLOCK_OUTPUTS + o;
\                 GS_UNROLL
\                 for (size_t k = 0; k < GS_GROUP; k++) {
\                     const size_t v = g * GS_GROUP + k;
\                     const gs_vec t2 = done[o][k];
\                     const gs_vec t3 = gs_tanh(t2);
\                     gs_store(out0 + (e * GS_LANES + v * GS_VEC), t3);
\                 }
\             }
\         }
\         const size_t rest = gs_rest(10);
\         for (size_t j = 0; j < (rest != 0); j++) {
\             gs_vec acc[8][3];
\             gs_block_clear(acc, (int)rest, GS_GROUP);
\             gs_linear_chains(acc, slot0->w + (10 - rest) * 10, in0 + g * (GS_GROUP * GS_VEC), 10, (int)rest, GS_GROUP);
\             gs_factored_chains(acc, slot0->a + (10 - rest), slot0->ss, scratch + g * (GS_GROUP * GS_VEC), 1, (int)rest, GS_GROUP);
\             gs_vec done[8][3];
\             GS_UNROLL
\             for (size_t o = 0; o < rest; o++) {
\                 GS_UNROLL
\                 for (size_t k = 0; k < GS_GROUP; k++) {
\                     done[o][k] = acc[o][k];
\                 }
\             }
\             for (size_t o = 0; o < rest; o++) {
\                 const size_t e = 10 - rest + o;
\                 GS_UNROLL
\                 for (size_t k = 0; k < GS_GROUP; k++) {
\                     const size_t v = g * GS_GROUP + k;
\                     const gs_vec t2 = done[o][k];
\                     const gs_vec t3 = gs_tanh(t2);
\                     gs_store(out0 + (e * GS_LANES + v * GS_VEC), t3);
\                 }
\             }
\         }
\     }
\     GS_LEAVE(3);
\ }
\ /* gs_u_OBJECTIVE_3e21afca.c -- the word OBJECTIVE at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph OBJECTIVE
\  *   %0 = input 0 : r:b:6  run
\  *   %1 = call gs_u_NET_1db92214 %0 : r:b:10  member
\  *   %2 = known 0x0.0p+0 : r  run
\  *   %3 = known 0x1.8000000000000p+1 : r  run
\  *   %4 = loop 3 turns carrying %1 %2 : r  member
\  *   %5 = carried 0 of %4 : r:b:10  member
\  *   %6 = carried 1 of %4 : r  member
\  *   %7 = known 0x1.0000000000000p+1 : r  run
\  *   %8 = mul %5 %7 : r:b:10  member
\  *   %9 = call gs_u_CELL_192436b6 %8 : r:b:10  member
\  *   %10 = known 0x1.0000000000000p+0 : r  run
\  *   %11 = add %6 %10 : r  member
\  *   %12 = is_lt %11 %3 : f  member
\  *   %13 = end of %4 %9 %11 : r  member
\  *   %14 = result 0 of %13 : r:b:10  member
\  *   %15 = result 1 of %13 : r  member
\  *   %16 = reduce-dot %14 %14 : r:b  member
\  *   %17 = sqrt %16 : r:b  member
\  *   %18 = batch-mean %17 : r  member
\  *   leave %18
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\
\ extern const struct gs_unit gs_u_OBJECTIVE_3e21afca;
\ void gs_u_OBJECTIVE_3e21afca_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_OBJECTIVE_3e21afca_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_OBJECTIVE_3e21afca_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0);
\ double gs_u_OBJECTIVE_3e21afca_finish(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict scratch, const double *sums, uint64_t rows);
\ void gs_u_NET_1db92214_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NET_1db92214_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NET_1db92214_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0);
\ void gs_u_CELL_192436b6_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0);
\
\ const struct gs_unit gs_u_OBJECTIVE_3e21afca = { "OBJECTIVE", 30 * GS_LANES, "da70101a2b9939ce3cc097092238e0f27e88c72e5bf579de23e90e02d7d87a0b", 0x1.c8p+5 };
\
\ void gs_u_OBJECTIVE_3e21afca_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NET_1db92214_epoch(tile, self->calls[0], NULL, epoch, pair, scratch, in0);
\     GS_LEAVE(1);
\ }
\
\ void gs_u_OBJECTIVE_3e21afca_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NET_1db92214_pair(tile, self->calls[0], NULL, epoch, pair, scratch, in0);
\     GS_LEAVE(2);
\ }
\
\ void gs_u_OBJECTIVE_3e21afca_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NET_1db92214_member(tile, self->calls[0], NULL, epoch, pair, scratch + 30 * GS_LANES, scratch);
\     for (size_t e = 0; e < 10; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             gs_store(scratch + 10 * GS_LANES + (e * GS_LANES + v * GS_VEC), gs_load(scratch + (e * GS_LANES + v * GS_VEC)));
\         }
\     }
\     for (size_t turn4 = 0; turn4 < 3; turn4++) {
\         for (size_t e = 0; e < 10; e++) {
\             GS_UNROLL
\             for (size_t v = 0; v < GS_VECS; v++) {
\                 const gs_vec t5 = gs_load(scratch + 10 * GS_LANES + (e * GS_LANES + v * GS_VEC));
\                 const gs_vec t8 = gs_mul(t5, gs_set(0x1p+1f));
\                 gs_store(scratch + (e * GS_LANES + v * GS_VEC), t8);
\             }
\         }
\         gs_u_CELL_192436b6_member(tile, self->calls[1], NULL, NULL, NULL, scratch + 30 * GS_LANES, scratch, scratch + 20 * GS_LANES);
\         for (size_t e = 0; e < 10; e++) {
\             GS_UNROLL
\             for (size_t v = 0; v < GS_VECS; v++) {
\                 gs_store(scratch + 10 * GS_LANES + (e * GS_LANES + v * GS_VEC), gs_load(scratch + 20 * GS_LANES + (e * GS_LANES + v * GS_VEC)));
\             }
\         }
\     }
\     gs_vec a16[GS_VECS];
\     GS_UNROLL
\     for (size_t v = 0; v < GS_VECS; v++) {
\         a16[v] = gs_set(0x0p+0f);
\     }
\     for (size_t e = 0; e < 10; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             const gs_vec t14 = gs_load(scratch + 10 * GS_LANES + (e * GS_LANES + v * GS_VEC));
\             a16[v] = gs_fma(t14, t14, a16[v]);
\         }
\     }
\     GS_UNROLL
\     for (size_t v = 0; v < GS_VECS; v++) {
\         gs_store(scratch + v * GS_VEC, a16[v]);
\     }
\     for (size_t e = 0; e < 1; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             const gs_vec t17 = gs_sqrt(gs_load(scratch + (e * GS_LANES + v * GS_VEC)));
\             gs_store(out0 + (e * GS_LANES + v * GS_VEC), t17);
\         }
\     }
\     GS_LEAVE(3);
\ }
\
\ double gs_u_OBJECTIVE_3e21afca_finish(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict scratch, const double *sums, uint64_t rows) {
\     (void)tile;
\     (void)self;
\     (void)scratch;
\     return sums[0] / (double)(rows);
\ }
