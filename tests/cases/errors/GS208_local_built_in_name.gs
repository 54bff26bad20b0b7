\ a local has the name of a built-in word
: F ( r -- r ) { SUM } 1 ;
: G ( r -- r ) { I J DUP THEN } 2 ;
: MAIN ( -- ) ;

\ == error
\ GS208_local_built_in_name.gs:2:18: error GS208: the local `SUM` has the name of a built-in word
\ : F ( r -- r ) { SUM } 1 ;
\                  ^^^
\   help: give the local another name, `sum`
\ GS208_local_built_in_name.gs:3:18: error GS208: the local `I` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } 2 ;
\                  ^
\   help: give the local another name, `i`
\ GS208_local_built_in_name.gs:3:20: error GS208: the local `J` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } 2 ;
\                    ^
\   help: give the local another name, `j`
\ GS208_local_built_in_name.gs:3:22: error GS208: the local `DUP` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } 2 ;
\                      ^^^
\   help: give the local another name, `dup`
\ GS208_local_built_in_name.gs:3:26: error GS208: the local `THEN` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } 2 ;
\                          ^^^^
\   help: give the local another name, `then`
\ 5 errors
