\ places outside an axis
: A ( r:4 -- r ) -1 AT ;
: B ( r:4 -- r:4 ) 0.5 4 PUT ;
: C ( r:4 -- r:4 r ) 4 SPLIT ;
: OBJECTIVE ( r:b:4 -- r ) 4 AT SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS309_outside_the_axis.gs:2:21: error GS309: place -1 is outside an axis of 4
\ : A ( r:4 -- r ) -1 AT ;
\                     ^^
\   stack:   r:4 n
\   help: places run from 0 to 3
\ GS309_outside_the_axis.gs:3:26: error GS309: place 4 is outside an axis of 4
\ : B ( r:4 -- r:4 ) 0.5 4 PUT ;
\                          ^^^
\   stack:   r:4 r n
\   help: places run from 0 to 3
\ GS309_outside_the_axis.gs:4:24: error GS309: `SPLIT` at 4 leaves nothing on one side of an axis of 4
\ : C ( r:4 -- r:4 r ) 4 SPLIT ;
\                        ^^^^^
\   stack:   r:4 n
\   wanted:  r:n k
\ GS309_outside_the_axis.gs:5:30: error GS309: place 4 is outside an axis of 4
\ : OBJECTIVE ( r:b:4 -- r ) 4 AT SUM ;
\                              ^^
\   stack:   r:b:4 n
\   help: places run from 0 to 3
\ 4 errors
