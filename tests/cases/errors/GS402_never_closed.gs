\ a control structure is never closed
: F ( r f -- r ) IF 2* ;
: G ( r -- r ) 3 0 DO 2* ;
: H ( r -- r ) BEGIN DUP 0 > WHILE 2/ ;
: MAIN ( -- ) ;

\ == error
\ GS402_never_closed.gs:2:18: error GS402: `IF` is never closed
\ : F ( r f -- r ) IF 2* ;
\                  ^^
\   help: write `f IF … ELSE … THEN`
\ GS402_never_closed.gs:3:20: error GS402: `DO` is never closed
\ : G ( r -- r ) 3 0 DO 2* ;
\                    ^^
\   help: write `limit start DO … LOOP`
\ GS402_never_closed.gs:4:30: error GS402: `WHILE` is never closed
\ : H ( r -- r ) BEGIN DUP 0 > WHILE 2/ ;
\                              ^^^^^
\   help: write `BEGIN … f WHILE … REPEAT`
\ 3 errors
