\ a definition has the name of a built-in word
: SQUARE ( r -- r ) DUP * ;
: MAIN ( -- ) ;

\ == error
\ GS203_built_in_name.gs:2:3: error GS203: `SQUARE` is a built-in word
\ : SQUARE ( r -- r ) DUP * ;
\   ^^^^^^
\   help: give it another name; case matters, and a name in lower case is never a built-in word
\ 1 error
