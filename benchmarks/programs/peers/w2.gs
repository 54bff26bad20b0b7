\ W2: the sine auto-encoder with perturbations of rank 1 on its matrices, dense ones on its biases.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE RELU ;

\ The last layer stands in the objective, so that its outputs go from the registers into the loss.
: OBJECTIVE ( r:b:100 -- r ) DUP 8 HIDDEN 100 AFFINE INIT-HE TRAINABLE LOSS-EUCLIDEAN SUM ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 2 WORKERS 7 SEED ADAM-UPDATES 0.01 ALPHA
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 EGGROLL-R1 .METRICS ;

: MAIN ( -- )
  SETTINGS
  "build/bench/peers/inputs/waves.npy" r:100 NPY-INPUT ALL ['] OBJECTIVE TRAIN ;
