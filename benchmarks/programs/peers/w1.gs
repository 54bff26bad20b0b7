\ W1: the sine auto-encoder, 100-8-100 with biases, dense perturbations.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE RELU ;

\ The last layer stands in the objective, so that its outputs go from the registers into the loss.
: OBJECTIVE ( r:b:100 -- r ) DUP 8 HIDDEN 100 AFFINE INIT-HE TRAINABLE LOSS-EUCLIDEAN SUM ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 2 WORKERS 7 SEED ADAM-UPDATES 0.01 ALPHA
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 ES-GAUSSIAN .METRICS ;

: MAIN ( -- )
  SETTINGS
  "build/bench/peers/inputs/waves.npy" r:100 NPY-INPUT ALL ['] OBJECTIVE TRAIN ;
