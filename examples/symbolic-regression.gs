\ Symbolic regression: the form of a law is known, its constants are not.
\ y = a exp(-b x) cos(c x + d), a damped oscillation. The data were made with a = 2.5, b = 0.4, c = 3, d = 0.5 and noise of
\ standard deviation 0.01, so no constants get much below a mean squared error of 0.0001.
TARGET-CPU

\ A constant is a parameter: one number, the same for every row. SHARED makes all uses of such a word one parameter.
: AMPLITUDE ( -- r ) r PARAM 1 INIT-CONSTANT TRAINABLE ;    SHARED
: DECAY     ( -- r ) r PARAM 1 INIT-CONSTANT TRAINABLE ;    SHARED
: FREQUENCY ( -- r ) r PARAM 2.5 INIT-CONSTANT TRAINABLE ;  SHARED    \ other frequencies are hills to climb: start near it
: PHASE     ( -- r ) r PARAM TRAINABLE ;                    SHARED    \ starts at 0

: LAW ( x:r -- y:r )
  { x }
  AMPLITUDE  DECAY x * NEGATE EXP *  FREQUENCY x * PHASE + COS * ;

: OBJECTIVE ( r:2 -- r ) UNVEC { x y } x LAW y LOSS-MSE ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  500 EPOCHS 64 POPULATION ANTITHETIC 1 SEED
  0.02 ES-GAUSSIAN SIGMA-COSINE SCORE-RANK-SHAPED
  ADAM-UPDATES 0.05 ALPHA ALPHA-COSINE
  .METRICS 50 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  "datasets/oscillation.csv" 2 CSV-INPUT ALL ['] OBJECTIVE TRAIN
  1 EPISODES { once }
  once ['] AMPLITUDE EVALUATE                    \ the constants that were found
  once ['] DECAY     EVALUATE
  once ['] FREQUENCY EVALUATE
  once ['] PHASE     EVALUATE ;
