\ sizes that are no constants, or no sizes
2.5 CONSTANT HALF
0 CONSTANT NONE
"w" CONSTANT WIDTH
: A ( r:WIDTH -- r ) SUM ;
: B ( r:4 -- r:NONE ) ;
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS305_no_size.gs:5:7: error GS305: `WIDTH` is "w", no size
\ : A ( r:WIDTH -- r ) SUM ;
\       ^^^^^^^
\   help: a dimension is an integer from 1 to 2147483647, a CONSTANT that is one, or a dimension variable
\ GS305_no_size.gs:6:14: error GS305: `NONE` is 0, no size
\ : B ( r:4 -- r:NONE ) ;
\              ^^^^^^
\   help: a dimension is an integer from 1 to 2147483647, a CONSTANT that is one, or a dimension variable
\ 2 errors
