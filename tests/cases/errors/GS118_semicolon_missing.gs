\ `;` is missing
: F ( r -- r ) 2*
: G ( r -- r ) 0 DO : H ( r -- r ) 2/ ;
: MAIN ( -- )

\ == error
\ GS118_semicolon_missing.gs:2:16: error GS118: `;` is missing at the end of `F`
\ : F ( r -- r ) 2*
\                ^^
\   help: write `;` behind the last word of the definition
\   note: `F` starts here, at GS118_semicolon_missing.gs:2:3
\ GS118_semicolon_missing.gs:3:18: error GS118: `;` is missing at the end of `G`
\ : G ( r -- r ) 0 DO : H ( r -- r ) 2/ ;
\                  ^^
\   help: write `;` behind the last word of the definition
\   note: `G` starts here, at GS118_semicolon_missing.gs:3:3
\   note: `DO` is still open, at GS118_semicolon_missing.gs:3:18
\ GS118_semicolon_missing.gs:4:13: error GS118: `;` is missing at the end of `MAIN`
\ : MAIN ( -- )
\             ^
\   help: write `;` behind the last word of the definition
\   note: `MAIN` starts here, at GS118_semicolon_missing.gs:4:3
\ 3 errors
