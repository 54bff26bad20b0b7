\ an integer is too large
: MAIN ( -- ) 9_223_372_036_854_775_808 DROP ;

\ == error
\ GS124_integer_too_large.gs:2:15: error GS124: the integer `9_223_372_036_854_775_808` does not fit in 64 bits
\ : MAIN ( -- ) 9_223_372_036_854_775_808 DROP ;
\               ^^^^^^^^^^^^^^^^^^^^^^^^^
\   help: write it as a real, `9_223_372_036_854_775_808.`, or keep it between -2^63 and 2^63 - 1
\ 1 error
