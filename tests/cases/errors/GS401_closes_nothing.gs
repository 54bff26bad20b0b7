\ a control word closes nothing
: F ( r -- r ) 2* THEN ;
: G ( r -- r ) LOOP ;
: H ( r -- r ) REPEAT ;
: MAIN ( -- ) ;

\ == error
\ GS401_closes_nothing.gs:2:19: error GS401: `THEN` closes nothing
\ : F ( r -- r ) 2* THEN ;
\                   ^^^^
\   help: it belongs to `f IF … ELSE … THEN`
\ GS401_closes_nothing.gs:3:16: error GS401: `LOOP` closes nothing
\ : G ( r -- r ) LOOP ;
\                ^^^^
\   help: it belongs to `limit start DO … LOOP`
\ GS401_closes_nothing.gs:4:16: error GS401: `REPEAT` closes nothing
\ : H ( r -- r ) REPEAT ;
\                ^^^^^^
\   help: it belongs to `BEGIN … f WHILE … REPEAT`
\ 3 errors
