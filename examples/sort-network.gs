\ A program that has no derivative learns to sort four numbers.
\ A sorting network is a list of comparators: each compares two places and puts the smaller number first. Which places is
\ learned: a comparator has six weights, one for each pair of places, and takes the pair with the largest weight. So the
\ error moves in jumps, and its gradient is 0 everywhere. Five comparators can do it; the sixth makes it easy to find out how.
TARGET-CPU

6 CONSTANT COMPARATORS

\ Small random numbers: with equal ones, every comparator would begin with the same pair.
: WEIGHTS ( -- r:COMPARATORS:6 ) r:COMPARATORS:6 PARAM 0.5 INIT-NORMAL TRAINABLE ;  SHARED

: FIRST  ( pair:r -- place:r ) 0 0 0 1 1 2 6 VEC SWAP AT ;     \ the pairs: 0 1, 0 2, 0 3, 1 2, 1 3, 2 3
: SECOND ( pair:r -- place:r ) 1 2 3 2 3 3 6 VEC SWAP AT ;

: COMPARATOR ( r:4 pair:r -- r:4 )
  DUP FIRST { i } SECOND { j } { x }
  x i AT { a }  x j AT { b }
  x  a b MIN i PUT  a b MAX j PUT ;

: SORTED ( r:4 -- r:4 ) COMPARATORS 0 DO WEIGHTS I AT ARGMAX COMPARATOR LOOP ;

: ANSWER ( -- r:4 ) 4 IOTA 1+ ;                                \ 1 2 3 4

: OBJECTIVE ( r:4 -- r ) SORTED ANSWER LOSS-L1 ;
: CORRECT   ( r:4 -- r ) SORTED ANSWER LOSS-L1 0= ;            \ EVALUATE prints the share of rows sorted right

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  100 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.5 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.1 ALPHA
  .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/orders.csv" 4 CSV-INPUT { orders }                 \ the 24 orders of 1 2 3 4
  orders ALL ['] OBJECTIVE TRAIN
  orders ALL ['] CORRECT EVALUATE ;
