\ there is no `MAIN`
: F ( r -- r ) 2* ;
: Main ( -- ) ;

\ == error
\ GS601_no_main.gs:3:3: error GS601: the program has no word `MAIN`
\ : Main ( -- ) ;
\   ^^^^
\   help: `Main` is another name, for case matters; execution starts at `MAIN`: write `: MAIN ( -- ) … ;` behind the other words
\ 1 error
