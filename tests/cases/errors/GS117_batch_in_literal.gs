\ a shape literal with a batch axis or a star
: MAIN ( -- ) r:b:3 ZEROS DROP ;

\ == error
\ GS117_batch_in_literal.gs:2:17: error GS117: `b` cannot stand in the shape of a value that is made
\ : MAIN ( -- ) r:b:3 ZEROS DROP ;
\                 ^
\   help: a shape literal is the shape of one row; `b` and `*` belong in signatures
\ 1 error
