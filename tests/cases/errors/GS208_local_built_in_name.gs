\ a local has the name of a built-in word
: F ( r -- r ) { E } E ;
: G ( r -- r ) { I J DUP THEN } I ;
: MAIN ( -- ) ;

\ == error
\ GS208_local_built_in_name.gs:2:18: error GS208: the local `E` has the name of a built-in word
\ : F ( r -- r ) { E } E ;
\                  ^
\   help: give the local another name, `e`
\ GS208_local_built_in_name.gs:3:18: error GS208: the local `I` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } I ;
\                  ^
\   help: give the local another name, `i`
\ GS208_local_built_in_name.gs:3:20: error GS208: the local `J` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } I ;
\                    ^
\   help: give the local another name, `j`
\ GS208_local_built_in_name.gs:3:22: error GS208: the local `DUP` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } I ;
\                      ^^^
\   help: give the local another name, `dup`
\ GS208_local_built_in_name.gs:3:26: error GS208: the local `THEN` has the name of a built-in word
\ : G ( r -- r ) { I J DUP THEN } I ;
\                          ^^^^
\   help: give the local another name, `then`
\ GS208_local_built_in_name.gs:3:33: error GS405: `I` stands outside a counted loop
\ : G ( r -- r ) { I J DUP THEN } I ;
\                                 ^
\   help: it belongs between `DO` and `LOOP` of this definition; a called word is given the index
\ 6 errors
