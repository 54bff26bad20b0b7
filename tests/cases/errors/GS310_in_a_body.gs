\ an integer in a body that does not fit in 64 bits
: OBJECTIVE ( r:b:4 -- r ) 4611686018427387904 2* * SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS310_in_a_body.gs:2:48: error GS310: `2*` gives an integer that does not fit in 64 bits
\ : OBJECTIVE ( r:b:4 -- r ) 4611686018427387904 2* * SUM SUM ;
\                                                ^^
\   stack:   r:b:4 n
\   help: an n lies between -2^63 and 2^63 - 1; write a real, 1e19, for what is larger
\ 1 error
