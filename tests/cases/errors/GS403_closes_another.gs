\ a control word closes another structure
: F ( r f -- r ) IF 2* LOOP ;
: G ( r f -- r ) IF 1 ELSE 2 ELSE 3 THEN ;
: H ( r -- r ) BEGIN 3 0 DO 2* UNTIL ;
: MAIN ( -- ) ;

\ == error
\ GS403_closes_another.gs:2:24: error GS403: `LOOP` cannot close `IF`
\ : F ( r f -- r ) IF 2* LOOP ;
\                        ^^^^
\   help: write `f IF … ELSE … THEN`
\   note: `IF` stands here, at GS403_closes_another.gs:2:18
\ GS403_closes_another.gs:3:30: error GS403: `ELSE` cannot close `ELSE`
\ : G ( r f -- r ) IF 1 ELSE 2 ELSE 3 THEN ;
\                              ^^^^
\   help: write `f IF … ELSE … THEN`
\   note: `ELSE` stands here, at GS403_closes_another.gs:3:23
\ GS403_closes_another.gs:4:32: error GS403: `UNTIL` cannot close `DO`
\ : H ( r -- r ) BEGIN 3 0 DO 2* UNTIL ;
\                                ^^^^^
\   help: write `limit start DO … LOOP`
\   note: `DO` stands here, at GS403_closes_another.gs:4:26
\ 3 errors
