\ something outside any definition
2 3 +
: MAIN ( -- ) ;

\ == error
\ GS110_outside_definition.gs:2:1: error GS110: `2` is outside any definition
\ 2 3 +
\ ^
\   help: what runs stands in a definition, `: MAIN ( -- ) … ;`; a value here wants `CONSTANT NAME` after it
\ 1 error
