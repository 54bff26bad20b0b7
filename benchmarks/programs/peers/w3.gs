\ W3: a wide network, 64-512-512-10, perturbations of rank 1. A row is 64 inputs and the 10 outputs wanted.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE RELU ;
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE ;

: NETWORK   ( r:64 -- r:10 ) 512 HIDDEN 512 HIDDEN 10 OUTPUT ;
: OBJECTIVE ( r:74 -- r ) 64 SPLIT { wanted } NETWORK wanted LOSS-MSE ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 2 WORKERS 7 SEED ADAM-UPDATES 0.001 ALPHA
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 EGGROLL-R1 .METRICS ;

: MAIN ( -- )
  SETTINGS
  "build/bench/peers/inputs/teacher.npy" r:74 NPY-INPUT ALL ['] OBJECTIVE TRAIN ;
