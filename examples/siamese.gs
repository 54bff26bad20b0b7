\ Siamese network: have two waves the same frequency, whatever their phases?
\ Both go through one network, and the distance between its two answers decides. The waves are drawn anew in each epoch.
TARGET-CPU

: WAVE ( frequency:r -- r:32 )                          \ 32 samples, with a phase by chance
  32 IOTA 32 / * RAND + 2 PI * * SIN ;

: PITCH ( -- r ) RAND 4 * FLOOR 1+ ;                    \ 1, 2, 3 or 4 cycles
: OTHER ( pitch:r -- r ) RAND 3 * FLOOR + 4 MOD 1+ ;    \ one of the other three

: PAIR ( -- r:32 r:32 same:r )                          \ two waves, and 1 if their pitch is the same, else 0
  PITCH { first }  RAND 0.5 < { same }
  first  first OTHER same SELECT  { second }
  first WAVE  second WAVE  same 0 + ;

: ENCODER ( r:32 -- r:4 ) 16 AFFINE INIT-HE TRAINABLE SQUARE 4 AFFINE TRAINABLE TANH ;

\ One instance of the encoder, used twice: `~` makes it, and its name applies it.
: LOGIT ( r:32 r:32 -- r )                              \ above 0: the same
  ['] ENCODER ~ { x y encode }
  r PARAM 1 INIT-CONSTANT TRAINABLE  x encode y encode LOSS-EUCLIDEAN - ;

: OBJECTIVE ( -- r ) PAIR { same } LOGIT same LOSS-BINARY ;
: CORRECT   ( -- r ) PAIR { same } LOGIT 0 > same 0 > = ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  200 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.1 ES-GAUSSIAN SIGMA-COSINE SCORE-RANK-SHAPED
  ADAM-UPDATES 0.05 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  256 EPISODES ['] OBJECTIVE TRAIN
  2000 EPISODES ['] CORRECT EVALUATE ;                  \ the share of 2000 other pairs judged right
