\ Rosenbrock's function of ten numbers: a long curved valley whose lowest point, 0, lies at (1, 1, … 1).
\ No data and no network: the parameters are the point itself.
TARGET-CPU

10 CONSTANT SIZE

: POINT ( -- <layer> ) r:SIZE PARAM INIT-ZERO TRAINABLE ;

\ The sum over neighbours x, y of 100 (y - x²)² + (1 - x)².
: ROSENBROCK ( r:n -- r )
  { p }
  p 0 n 1- SLICE { x }              \ all but the last
  p 1 n 1- SLICE { y }              \ all but the first
  y x SQUARE - SQUARE 100 *
  1 x - SQUARE + SUM ;

: OBJECTIVE ( -- r ) POINT ROSENBROCK ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  2000 EPOCHS 64 POPULATION ANTITHETIC 1 SEED
  0.02 ES-GAUSSIAN SIGMA-COSINE SCORE-RANK-SHAPED
  ADAM-UPDATES 0.02 ALPHA ALPHA-COSINE
  .METRICS 100 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  1 EPISODES ['] OBJECTIVE TRAIN    \ one evaluation a member: nothing here is random but the perturbations
  1 EPISODES ['] OBJECTIVE EVALUATE ;
