\ integers that do not fit in 64 bits
9_223_372_036_854_775_807 CONSTANT LARGEST
LARGEST 1+ CONSTANT LARGER
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS310_integer_beyond_64_bits.gs:3:9: error GS310: `1+` gives an integer that does not fit in 64 bits
\ LARGEST 1+ CONSTANT LARGER
\         ^^
\   stack:   n
\   help: an n lies between -2^63 and 2^63 - 1; write a real, 1e19, for what is larger
\ 1 error
