\ `SHARED` in the wrong place
SHARED
: MAIN ( -- ) ;

\ == error
\ GS120_shared_misplaced.gs:2:1: error GS120: `SHARED` stands directly after a definition
\ SHARED
\ ^^^^^^
\   help: write it behind the definition's `;`, or write `['] NAME (SHARED)`
\ 1 error
