\ `I`, `J` or `LEAVE` outside a counted loop
: F ( -- r ) I ;
: G ( -- r ) 3 0 DO J LOOP LEAVE ;
: MAIN ( -- ) ;

\ == error
\ GS405_index_outside_loop.gs:2:14: error GS405: `I` stands outside a counted loop
\ : F ( -- r ) I ;
\              ^
\   help: it belongs between `DO` and `LOOP` of this definition; a called word is given the index
\ GS405_index_outside_loop.gs:3:21: error GS405: `J` stands outside a counted loop in another
\ : G ( -- r ) 3 0 DO J LOOP LEAVE ;
\                     ^
\   help: it belongs between `DO` and `LOOP` of this definition; a called word is given the index
\ GS405_index_outside_loop.gs:3:28: error GS405: `LEAVE` stands outside a counted loop
\ : G ( -- r ) 3 0 DO J LOOP LEAVE ;
\                            ^^^^^
\   help: it belongs between `DO` and `LOOP` of this definition; a called word is given the index
\ 3 errors
