\ the quick start's network on rows of six: what its words become
: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: LINO   ( <layer> n -- <layer> ) LINEAR INIT-XAVIER TRAINABLE ;
: FORWARD   ( r:* -- r:6 ) 2 NEURON 6 LINO ;
: OBJECTIVE ( r:b:6 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS ANTITHETIC 0.01 ES-GAUSSIAN
  "rows.csv" 6 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == graph
\ graph NEURON
\   parameter p0 matrix r:2:6 trainable
\   %0 = input 0 : r:b:6  run
\   %1 = linear-mean p0 %0 : r:b:2  epoch
\   %2 = linear-noise p0 %0 : r:b:2  pair
\   %3 = linear-join p0 %2 %1 : r:b:2  member
\   %4 = relu %3 : r:b:2  member
\   leave %4
\ graph LINO
\   parameter p0 matrix r:6:2 trainable
\   %0 = input 0 : r:b:2  member
\   %1 = linear-perturbed p0 %0 : r:b:6  member
\   leave %1
\ graph OBJECTIVE
\   %0 = input 0 : r:b:6  run
\   %1 = call gs_u_NEURON_e97309da %0 : r:b:2  member
\   %2 = call gs_u_LINO_9638d4f9 %1 : r:b:6  member
\   %3 = sub %0 %2 : r:b:6  member
\   %4 = reduce-dot %3 %3 : r:b  member
\   %5 = batch-sum %4 : r  member
\   leave %5

\ == loops
\ unit gs_u_NEURON_e97309da slices run=0 epoch=2 pair=2
\   epoch scratch=0
\     epoch+0(2) = linear p0.w in0(6) 2x6 rows=1
\   pair scratch=0
\     pair+0(2) = linear p0.e in0(6) 2x6 rows=1
\   member scratch=0
\     for 2 elements
\       t3 = noisy(p0.ss, pair+0(2)[e], epoch+0(2)[e])
\       t4 = relu(t3)
\       out0(2)[e] = t4
\ unit gs_u_LINO_9638d4f9 slices run=0 epoch=0 pair=0
\   member scratch=0
\     out0(6) = linear p0.wp in0(2) 6x2 rows=1
\ unit gs_u_OBJECTIVE_2b36fdbe slices run=0 epoch=2 pair=2
\   epoch scratch=0
\     call gs_u_NEURON_e97309da.epoch slices=(None, 0, 0) (in0(6)) -> ()
\   pair scratch=0
\     call gs_u_NEURON_e97309da.pair slices=(None, 0, 0) (in0(6)) -> ()
\   member scratch=8
\     call gs_u_NEURON_e97309da.member slices=(None, 0, 0) () -> (scratch+0(2))
\     call gs_u_LINO_9638d4f9.member slices=(None, None, None) (scratch+0(2)) -> (scratch+2(6))
\     for 6 elements
\       t3 = sub(in0(6)[e], scratch+2(6)[e])
\       a4 = fma(t3, t3, a4)
\       then out0(1)[0] = t4
\   finish scratch=0
\     score reduced0

\ == c
\ /* gs_u_NEURON_e97309da.c -- the word NEURON at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph NEURON
\  *   parameter p0 matrix r:2:6 trainable
\  *   %0 = input 0 : r:b:6  run
\  *   %1 = linear-mean p0 %0 : r:b:2  epoch
\  *   %2 = linear-noise p0 %0 : r:b:2  pair
\  *   %3 = linear-join p0 %2 %1 : r:b:2  member
\  *   %4 = relu %3 : r:b:2  member
\  *   leave %4
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\ #include "kernels/gs_activation.h"
\ #include "kernels/gs_linear.h"
\
\ extern const struct gs_unit gs_u_NEURON_e97309da;
\ void gs_u_NEURON_e97309da_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NEURON_e97309da_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NEURON_e97309da_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0);
\
\ const struct gs_unit gs_u_NEURON_e97309da = { "NEURON", 0, "1d168288e43cb56d1ac1b175a009aaef3b985c799f3465a6858e00ef1c77ec57", 0x1.ap+4 };
\
\ void gs_u_NEURON_e97309da_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     (void)pair;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->w, in0, epoch, 2, 6);
\     GS_LEAVE(1);
\ }
\
\ void gs_u_NEURON_e97309da_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     (void)epoch;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->e, in0, pair, 2, 6);
\     GS_LEAVE(2);
\ }
\
\ void gs_u_NEURON_e97309da_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0) {
\     (void)run;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     for (size_t e = 0; e < 2; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             const gs_vec t3 = gs_noisy(gs_set(slot0->ss), gs_load(pair + (e * GS_LANES + v * GS_VEC)), gs_load(epoch + (e * GS_LANES + v * GS_VEC)));
\             const gs_vec t4 = gs_relu(t3);
\             gs_store(out0 + (e * GS_LANES + v * GS_VEC), t4);
\         }
\     }
\     GS_LEAVE(3);
\ }
\ /* gs_u_LINO_9638d4f9.c -- the word LINO at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph LINO
\  *   parameter p0 matrix r:6:2 trainable
\  *   %0 = input 0 : r:b:2  member
\  *   %1 = linear-perturbed p0 %0 : r:b:6  member
\  *   leave %1
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\ #include "kernels/gs_linear.h"
\
\ extern const struct gs_unit gs_u_LINO_9638d4f9;
\ void gs_u_LINO_9638d4f9_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0);
\
\ const struct gs_unit gs_u_LINO_9638d4f9 = { "LINO", 0, "1ac66264c724bdb3ab2de65ec469838d4c6fa063a6c496a1cbb5af193a277cb2", 0x1.8p+4 };
\
\ void gs_u_LINO_9638d4f9_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0) {
\     (void)run;
\     (void)epoch;
\     (void)pair;
\     (void)scratch;
\     GS_ENTER;
\     const struct gs_slot *const slot0 = &tile->slots[self->slots[0]];
\     gs_linear(slot0->wp, in0, out0, 6, 2);
\     GS_LEAVE(3);
\ }
\ /* gs_u_OBJECTIVE_2b36fdbe.c -- the word OBJECTIVE at one specialisation. Written by Geode from this graph; do not edit.
\  *
\  * graph OBJECTIVE
\  *   %0 = input 0 : r:b:6  run
\  *   %1 = call gs_u_NEURON_e97309da %0 : r:b:2  member
\  *   %2 = call gs_u_LINO_9638d4f9 %1 : r:b:6  member
\  *   %3 = sub %0 %2 : r:b:6  member
\  *   %4 = reduce-dot %3 %3 : r:b  member
\  *   %5 = batch-sum %4 : r  member
\  *   leave %5
\  */
\ #include "gs_program.h"
\ #include "gs_span.h"
\ #include "gs_tile.h"
\
\ extern const struct gs_unit gs_u_OBJECTIVE_2b36fdbe;
\ void gs_u_OBJECTIVE_2b36fdbe_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_OBJECTIVE_2b36fdbe_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_OBJECTIVE_2b36fdbe_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0);
\ double gs_u_OBJECTIVE_2b36fdbe_finish(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict scratch, const double *sums, uint64_t rows);
\ void gs_u_NEURON_e97309da_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NEURON_e97309da_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0);
\ void gs_u_NEURON_e97309da_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, float *restrict out0);
\ void gs_u_LINO_9638d4f9_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0);
\
\ const struct gs_unit gs_u_OBJECTIVE_2b36fdbe = { "OBJECTIVE", 8 * GS_LANES, "0615720538ab8e8546abac070fa7b5a62084ff362afe1493e4dd4e50ce8c30da", 0x1.2p+4 };
\
\ void gs_u_OBJECTIVE_2b36fdbe_epoch(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NEURON_e97309da_epoch(tile, self->calls[0], NULL, epoch, pair, scratch, in0);
\     GS_LEAVE(1);
\ }
\
\ void gs_u_OBJECTIVE_2b36fdbe_pair(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NEURON_e97309da_pair(tile, self->calls[0], NULL, epoch, pair, scratch, in0);
\     GS_LEAVE(2);
\ }
\
\ void gs_u_OBJECTIVE_2b36fdbe_member(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict run, float *restrict epoch, float *restrict pair, float *restrict scratch, const float *restrict in0, float *restrict out0) {
\     (void)run;
\     GS_ENTER;
\     gs_u_NEURON_e97309da_member(tile, self->calls[0], NULL, epoch, pair, scratch + 8 * GS_LANES, scratch);
\     gs_u_LINO_9638d4f9_member(tile, self->calls[1], NULL, NULL, NULL, scratch + 8 * GS_LANES, scratch, scratch + 2 * GS_LANES);
\     gs_vec a4[GS_VECS];
\     GS_UNROLL
\     for (size_t v = 0; v < GS_VECS; v++) {
\         a4[v] = gs_set(0x0p+0f);
\     }
\     for (size_t e = 0; e < 6; e++) {
\         GS_UNROLL
\         for (size_t v = 0; v < GS_VECS; v++) {
\             const gs_vec t3 = gs_sub(gs_load(in0 + (e * GS_LANES + v * GS_VEC)), gs_load(scratch + 2 * GS_LANES + (e * GS_LANES + v * GS_VEC)));
\             a4[v] = gs_fma(t3, t3, a4[v]);
\         }
\     }
\     GS_UNROLL
\     for (size_t v = 0; v < GS_VECS; v++) {
\         gs_store(out0 + v * GS_VEC, a4[v]);
\     }
\     GS_LEAVE(3);
\ }
\
\ double gs_u_OBJECTIVE_2b36fdbe_finish(const struct gs_tile_context *tile, const struct gs_instance *self, float *restrict scratch, const double *sums, uint64_t rows) {
\     (void)tile;
\     (void)self;
\     (void)scratch;
\     (void)rows;
\     return sums[0];
\ }
