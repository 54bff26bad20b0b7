\ a label that is a vector of one number
: A ( r:3 -- r ) { x } x 2 LINEAR TRAINABLE x 0 AT 1 VEC LOSS-CROSS-ENTROPY ;
: B ( r:2 -- r ) 1 LINEAR TRAINABLE 1 LOSS-BINARY ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 3 CSV-INPUT ALL ['] A TRAIN "pairs.csv" 2 CSV-INPUT ALL ['] B TRAIN ;

\ == error
\ GS304_label_of_one_number.gs:2:58: error GS304: `LOSS-CROSS-ENTROPY` wants a vector and a label, not r:b:2 and r:b:1
\ : A ( r:3 -- r ) { x } x 2 LINEAR TRAINABLE x 0 AT 1 VEC LOSS-CROSS-ENTROPY ;
\                                                          ^^^^^^^^^^^^^^^^^^
\   stack:   r:b:2 r:b:1
\   wanted:  logits:r:k label:r
\   help: `0 AT` makes a scalar of r:b:1
\ GS304_label_of_one_number.gs:3:39: error GS304: `LOSS-BINARY` wants two scalars, not r:b:1 and r
\ : B ( r:2 -- r ) 1 LINEAR TRAINABLE 1 LOSS-BINARY ;
\                                       ^^^^^^^^^^^
\   stack:   r:b:1 n
\   wanted:  logit:r label:r
\   help: `0 AT` makes a scalar of r:b:1
\ 2 errors
