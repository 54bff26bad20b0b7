\ a word is used before it is defined
: F ( r -- r ) TWICE ;
: TWICE ( r -- r ) 2* ;
: MAIN ( -- ) ;

\ == error
\ GS202_used_before_defined.gs:2:16: error GS202: `TWICE` is used before it is defined
\ : F ( r -- r ) TWICE ;
\                ^^^^^
\   help: move its definition up; words that call each other want a loop instead
\   note: it is defined here, at GS202_used_before_defined.gs:3:3
\ 1 error
