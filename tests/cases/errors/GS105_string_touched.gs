\ something touches the end of a string
: MAIN ( -- ) "data.csv"4 CSV-INPUT DROP ;

\ == error
\ GS105_string_touched.gs:2:25: error GS105: `4` touches the string before it
\ : MAIN ( -- ) "data.csv"4 CSV-INPUT DROP ;
\                         ^
\   help: put white space after the closing `"`; a quote inside a string is written `\"`
\ 1 error
