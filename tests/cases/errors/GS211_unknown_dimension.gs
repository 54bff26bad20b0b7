\ an unknown dimension
8 CONSTANT HIDDEN
: F ( r:HIDEN -- r:k ) ;
: G ( -- ) r:k DROP r:LATER DROP ;
4 CONSTANT LATER
: MAIN ( -- ) ;

\ == error
\ GS211_unknown_dimension.gs:3:7: error GS211: no CONSTANT `HIDEN` is defined here
\ : F ( r:HIDEN -- r:k ) ;
\       ^^^^^^^
\   help: did you mean `HIDDEN`?
\ GS211_unknown_dimension.gs:4:12: error GS211: no CONSTANT `k` is defined here
\ : G ( -- ) r:k DROP r:LATER DROP ;
\            ^^^
\   help: a size is an integer, a CONSTANT or a dimension variable
\ GS211_unknown_dimension.gs:4:21: error GS202: `LATER` is used before it is defined
\ : G ( -- ) r:k DROP r:LATER DROP ;
\                     ^^^^^^^
\   help: move its definition up; words that call each other want a loop instead
\   note: it is defined here, at GS211_unknown_dimension.gs:5:12
\ 3 errors
