\ a name is defined twice
: F ( r -- r ) 2* ;
: F ( r -- r ) 2/ ;
: MAIN ( -- ) ;

\ == error
\ GS204_defined_twice.gs:3:3: error GS204: `F` is defined twice
\ : F ( r -- r ) 2/ ;
\   ^
\   help: give one of them another name
\   note: it is defined first here, at GS204_defined_twice.gs:2:3
\ 1 error
