\ shapes that are neither equal, nor scalar, nor one the end of the other
: F ( r:4 r:3 -- r:4 ) * ;
: G ( r:4 r:3 -- r ) LOSS-EUCLIDEAN ;
: OBJECTIVE ( r:b:4 -- r ) DUP 3 LINEAR + SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS304_shapes_do_not_combine.gs:2:24: error GS304: `*` can't combine r:4 and r:3
\ : F ( r:4 r:3 -- r:4 ) * ;
\                        ^
\   stack:   r:4 r:3
\   wanted:  equal row shapes, a scalar, or one shape that ends the other
\ GS304_shapes_do_not_combine.gs:3:22: error GS304: `LOSS-EUCLIDEAN` wants two values of one row shape, not r:4 and r:3
\ : G ( r:4 r:3 -- r ) LOSS-EUCLIDEAN ;
\                      ^^^^^^^^^^^^^^
\   stack:   r:4 r:3
\   wanted:  x y
\ GS304_shapes_do_not_combine.gs:4:41: error GS304: `+` can't combine r:b:4 and r:b:3
\ : OBJECTIVE ( r:b:4 -- r ) DUP 3 LINEAR + SUM SUM ;
\                                         ^
\   stack:   r:b:4 r:b:3
\   wanted:  equal row shapes, a scalar, or one shape that ends the other
\ 3 errors
