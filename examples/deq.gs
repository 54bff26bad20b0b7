\ Deep equilibrium: a network with one layer, applied until its state no longer changes.
\ Each flower of the iris data settles in its own time; the state that it settles in is read out as its species.
TARGET-CPU

1e-3 CONSTANT CLOSE
8    CONSTANT STATE

: LAYER ( state:r:STATE input:r:STATE -- r:STATE ) SWAP STATE LINEAR INIT-XAVIER TRAINABLE + TANH ;

\ A call in a loop is one call site, so every turn has the same weights: that is what makes it an equilibrium.
: SETTLED ( input:r:STATE -- state:r:STATE )
  { input }
  r:STATE ZEROS { state }
  100 0 DO
    state input LAYER  DUP state LOSS-EUCLIDEAN { moved }  TO state
    moved CLOSE < IF LEAVE THEN
  LOOP
  state ;

: NETWORK ( r:4 -- r:3 ) 3 - 3 / STATE AFFINE TRAINABLE SETTLED 3 AFFINE TRAINABLE ;

: OBJECTIVE ( r:7 -- r ) 4 SPLIT { species } NETWORK species LOSS-MSE ;
: CORRECT   ( r:7 -- r ) 4 SPLIT { species } NETWORK ARGMAX species ARGMAX = ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  150 EPOCHS 128 POPULATION ANTITHETIC 1 SEED
  0.05 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.05 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  "datasets/iris.csv" 7 CSV-INPUT { flowers }
  flowers ALL ['] OBJECTIVE TRAIN
  flowers ALL ['] CORRECT EVALUATE ;                    \ the share of right guesses
