\ values that are no constants
1 2 CONSTANT TWO
1 DROP CONSTANT NONE
1 .METRICS CONSTANT A
: F ( -- n ) 1 ;
F CONSTANT B
TWO B + CONSTANT FINE
: OBJECTIVE ( r:b:4 -- r ) FINE * SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS609_no_constant.gs:2:1: error GS609: `CONSTANT TWO` takes one value, here stand 2
\ 1 2 CONSTANT TWO
\ ^^^^^^^^^^^^^^^^
\   stack:   n n
\ GS609_no_constant.gs:3:1: error GS609: `CONSTANT NONE` takes one value, here stand none
\ 1 DROP CONSTANT NONE
\ ^^^^^^^^^^^^^^^^^^^^
\   stack:   (empty)
\ GS609_no_constant.gs:4:3: error GS609: `.METRICS` can't be part of a CONSTANT
\ 1 .METRICS CONSTANT A
\   ^^^^^^^^
\   stack:   n
\   help: a CONSTANT is an integer, a real or a string, or arithmetic on literals and CONSTANTs
\ GS609_no_constant.gs:6:1: error GS609: `F` can't be part of a CONSTANT
\ F CONSTANT B
\ ^
\   stack:   (empty)
\   help: a CONSTANT is an integer, a real or a string, or arithmetic on literals and CONSTANTs
\ 4 errors
