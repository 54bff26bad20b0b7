\ a `;` without a blank before it is part of a word
: F ( r:4 -- r ) SUM;
: G ( r:4 -- r ) SUM; SHARED
: MAIN ( -- ) ;

\ == error
\ GS118_glued_semicolon.gs:2:18: error GS118: `;` is missing at the end of `F`
\ : F ( r:4 -- r ) SUM;
\                  ^^^^
\   help: `SUM;` is one word: put a blank before its `;`
\   note: `F` starts here, at GS118_glued_semicolon.gs:2:3
\ GS118_glued_semicolon.gs:3:23: error GS118: `;` is missing at the end of `G`
\ : G ( r:4 -- r ) SUM; SHARED
\                       ^^^^^^
\   help: `SUM;` is one word: put a blank before its `;`
\   note: `G` starts here, at GS118_glued_semicolon.gs:3:3
\ GS118_glued_semicolon.gs:3:23: error GS119: `SHARED` stands outside definitions
\ : G ( r:4 -- r ) SUM; SHARED
\                       ^^^^^^
\   help: close the definition of `G` with `;` first
\ 3 errors
