\ scalars summed where there is no batch
: ROW ( r:4 -- r ) SUM SUM ;
: CALLED ( r:4 -- r ) ROW ;
: THRICE ( r:b:4 -- r ) SUM SUM SUM ;
: LOOPED ( r:b:4 -- r ) SUM 3 0 DO SUM LOOP ;
: OBJECTIVE ( r:b:4 -- r ) CALLED SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS306_nothing_to_reduce.gs:2:24: error GS306: `SUM` would reduce the batch, but `ROW` works on one row
\ : ROW ( r:4 -- r ) SUM SUM ;
\                        ^^^
\   stack:   r:b
\   help: name the batch axis in the signature: ( r:b:k -- r )
\   in ROW at GS306_nothing_to_reduce.gs:3:23
\   in CALLED at GS306_nothing_to_reduce.gs:6:28
\ GS306_nothing_to_reduce.gs:4:33: error GS306: `SUM` has nothing to reduce: r is one number for all rows
\ : THRICE ( r:b:4 -- r ) SUM SUM SUM ;
\                                 ^^^
\   stack:   r
\ GS306_nothing_to_reduce.gs:5:36: error GS306: `SUM` can't reduce the batch inside a loop or a branch
\ : LOOPED ( r:b:4 -- r ) SUM 3 0 DO SUM LOOP ;
\                                    ^^^
\   stack:   r:b
\ 3 errors
