\ XOR: the smallest task that a network without a hidden layer cannot learn.
\ A 2-4-1 network with TANH gives for two bits whether they differ. Loss: mean squared error over the four rows.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-XAVIER TRAINABLE TANH ;   \ weights, bias, squashed to -1 … 1
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-XAVIER TRAINABLE ;        \ weights and bias alone

: NETWORK ( r:2 -- r:1 ) 4 HIDDEN 1 OUTPUT ;

\ A row of the file holds two bits and the answer; 2 SPLIT takes it apart. The word sees one row,
\ so TRAIN minimises the mean over all rows.
: OBJECTIVE ( r:3 -- r ) 2 SPLIT { answer } NETWORK answer LOSS-MSE ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  200 EPOCHS 64 POPULATION ANTITHETIC 1 SEED
  0.1 ES-GAUSSIAN SCORE-RANK-SHAPED       \ perturbations of every weight by 0.1
  ADAM-UPDATES 0.05 ALPHA
  .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/xor.csv" 3 CSV-INPUT { rows }
  rows ALL ['] OBJECTIVE TRAIN
  rows ALL ['] OBJECTIVE EVALUATE ;       \ the loss of the trained network
