\ words that take more values than there are
: F ( r:4 r -- r:4 ) * ;
: BELOW ( r:4 -- r ) SUM + ;
: LOCALS ( r:4 -- r ) { a b } a b * SUM ;
: DEEP ( r:4 -- r ) 3 PICK ;
: OBJECTIVE ( r:b:4 -- r ) F SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS302_stack_too_short.gs:3:26: error GS302: `+` takes more values than the stack holds
\ : BELOW ( r:4 -- r ) SUM + ;
\                          ^
\   stack:   r
\   wanted:  x y
\ GS302_stack_too_short.gs:4:23: error GS302: `{ a b }` takes more values than the stack holds
\ : LOCALS ( r:4 -- r ) { a b } a b * SUM ;
\                       ^^^^^^^
\   stack:   r:4
\   wanted:  a b
\ GS302_stack_too_short.gs:5:23: error GS302: `3 PICK` looks below the bottom of a stack of 1 values
\ : DEEP ( r:4 -- r ) 3 PICK ;
\                       ^^^^
\   stack:   r:4 n
\ GS302_stack_too_short.gs:6:28: error GS302: `F` takes more values than the stack holds
\ : OBJECTIVE ( r:b:4 -- r ) F SUM SUM ;
\                            ^
\   stack:   r:b:4
\   wanted:  r:4 r
\ 4 errors
