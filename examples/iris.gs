\ Fisher's iris flowers: from four measures in cm to one of three species.
\ The network answers with three numbers, trained to be 1 for the flower's species and 0 for the others; the largest is its guess.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-XAVIER TRAINABLE TANH ;
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-XAVIER TRAINABLE ;

\ Measures lie near 0 … 8; centred ones are easier to learn from.
: NETWORK ( r:4 -- r:3 ) 3 - 3 / 8 HIDDEN 3 OUTPUT ;

\ A row: four measures, then the species as one-hot columns.
: OBJECTIVE ( r:7 -- r ) 4 SPLIT { species } NETWORK species LOSS-MSE ;

\ 1 for a row where the guess is right: EVALUATE prints the mean, the share of right guesses.
: CORRECT ( r:7 -- r ) 4 SPLIT { species } NETWORK ARGMAX species ARGMAX = ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  200 EPOCHS 128 POPULATION ANTITHETIC 1 SEED
  0.05 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.05 ALPHA ALPHA-COSINE
  .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/iris.csv" 7 CSV-INPUT { flowers }
  flowers ALL ['] OBJECTIVE TRAIN
  flowers ALL ['] CORRECT EVALUATE ;
