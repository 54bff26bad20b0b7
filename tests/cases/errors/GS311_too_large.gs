\ a parameter, and a value, with too many numbers
: OBJECTIVE ( r:b:4 -- r ) 1_000_000_000 LINEAR SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS311_too_large.gs:2:42: error GS311: `LINEAR` makes a parameter r:1000000000:4, more than 2147483647 numbers
\ : OBJECTIVE ( r:b:4 -- r ) 1_000_000_000 LINEAR SUM SUM ;
\                                          ^^^^^^
\   stack:   r:b:4 n
\ 1 error
