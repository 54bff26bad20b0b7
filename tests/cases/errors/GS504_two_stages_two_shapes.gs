\ one name, two shapes in two stages
: L ( <layer> n -- <layer> ) LINEAR TRAINABLE ; SHARED
: FIRST ( r:k -- r ) 3 L SUM ;
: SECOND ( r:k -- r ) 3 L SUM SQUARE ;
: MAIN ( -- )
  OBJECTIVE-LOSS
  "a.csv" 4 CSV-INPUT ALL ['] FIRST TRAIN
  "b.csv" 5 CSV-INPUT ALL ['] SECOND TRAIN ;

\ == error
\ GS504_two_stages_two_shapes.gs:8:27: error GS504: the parameter `=L/weight` of `SECOND` is r:3:5 in this stage and r:3:4 in an earlier one
\   "b.csv" 5 CSV-INPUT ALL ['] SECOND TRAIN ;
\                           ^^^^^^^^^^
\   help: a stage takes over the weights of the same name: give both stages rows of one shape, or the words other names
\   note: the parameter is made here, at GS504_two_stages_two_shapes.gs:2:30
\ 1 error
