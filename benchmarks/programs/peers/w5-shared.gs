\ W5: epochs of training W3's network, and between them its EVALUATE; all members see the same 1000 rows.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE RELU ;
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE ;

: NETWORK   ( r:64 -- r:10 ) 512 HIDDEN 512 HIDDEN 10 OUTPUT ;
: OBJECTIVE ( r:74 -- r ) 64 SPLIT { wanted } NETWORK wanted LOSS-MSE ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 2 WORKERS 7 SEED ADAM-UPDATES 0.001 ALPHA
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 EGGROLL-R1 .METRICS ;

: TURN ( -- )                                       \ 1000 rows for training, 256 000 for inference
  "build/bench/peers/inputs/teacher.npy" r:74 NPY-INPUT ALL ['] OBJECTIVE TRAIN
  "build/bench/peers/inputs/many.npy" r:74 NPY-INPUT ALL ['] OBJECTIVE EVALUATE ;

: MAIN ( -- ) SETTINGS TURN TURN TURN TURN TURN TURN ;
