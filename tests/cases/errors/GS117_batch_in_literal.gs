\ a shape literal with a batch axis or a star
: MAIN ( -- ) r:b:3 DROP r:* DROP ;

\ == error
\ GS117_batch_in_literal.gs:2:17: error GS117: `b` cannot stand in the shape of a value that is made
\ : MAIN ( -- ) r:b:3 DROP r:* DROP ;
\                 ^
\   help: a shape literal is the shape of one row; `b` and `*` belong in signatures
\ GS117_batch_in_literal.gs:2:28: error GS117: `*` cannot stand in the shape of a value that is made
\ : MAIN ( -- ) r:b:3 DROP r:* DROP ;
\                            ^
\   help: a shape literal is the shape of one row; `b` and `*` belong in signatures
\ 2 errors
