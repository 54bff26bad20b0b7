\ calls of SHARED words that differ
: L ( <layer> n -- <layer> ) LINEAR TRAINABLE ; SHARED
: SCALED ( r:k r -- r:k ) * k LINEAR TRAINABLE ;
['] SCALED (SHARED)
: INNER ( r:k -- r:2 ) 2 L ;
: OBJECTIVE ( r:b:4 -- r ) 3 L 3 SCALED 4 SCALED INNER SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS503_shared_with_two_shapes.gs:5:26: error GS503: `L` is shared, but this call gives it `r:3 2` and an earlier one `r:4 3`
\ : INNER ( r:k -- r:2 ) 2 L ;
\                          ^
\   stack:   r:b:3 n
\   help: all calls that share weights need the same row shapes and constants
\   note: the earlier call stands here, at GS503_shared_with_two_shapes.gs:6:30
\   in INNER at GS503_shared_with_two_shapes.gs:6:50
\ GS503_shared_with_two_shapes.gs:6:43: error GS503: `SCALED` is shared, but this call gives it `r:3 4` and an earlier one `r:3 3`
\ : OBJECTIVE ( r:b:4 -- r ) 3 L 3 SCALED 4 SCALED INNER SUM SUM ;
\                                           ^^^^^^
\   stack:   r:b:3 n
\   help: all calls that share weights need the same row shapes and constants
\   note: the earlier call stands here, at GS503_shared_with_two_shapes.gs:6:34
\ 2 errors
