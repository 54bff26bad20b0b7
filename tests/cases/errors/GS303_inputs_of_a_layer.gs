\ LINEAR takes the number of outputs alone
: F ( r:4 -- r ) 4 8 LINEAR TRAINABLE SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] F TRAIN ;

\ == error
\ GS303_inputs_of_a_layer.gs:2:22: error GS303: `LINEAR` wants a value with at least one axis, not a scalar
\ : F ( r:4 -- r ) 4 8 LINEAR TRAINABLE SUM ;
\                      ^^^^^^
\   stack:   r:b:4 n n
\   wanted:  x:r:k n
\   help: the inputs are counted by the value below: give the outputs alone, `8 LINEAR`
\ 1 error
