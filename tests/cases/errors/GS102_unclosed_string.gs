\ a string is never closed
: MAIN ( -- ) "data.csv ;

\ == error
\ GS102_unclosed_string.gs:2:15: error GS102: this string is never closed
\ : MAIN ( -- ) "data.csv ;
\               ^^^^^^^^^
\   help: a string ends with `"` on the line where it starts
\ 1 error
