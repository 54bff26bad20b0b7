\ `TO` of something that is no local
8 CONSTANT HIDDEN
: F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
: G ( r -- r ) { width } 1 TO widht width ;
: H ( r f -- r ) IF { y } THEN 1 TO y ;
: MAIN ( -- ) ;

\ == error
\ GS209_to_of_no_local.gs:3:19: error GS209: no local `x` is in scope
\ : F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
\                   ^
\   help: `TO` stores in a local: open it before with `{ x }`
\ GS209_to_of_no_local.gs:3:24: error GS209: `k` is a dimension of the signature, not a local
\ : F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
\                        ^
\   help: `TO` stores in a local: open it before with `{ x }`
\ GS209_to_of_no_local.gs:3:29: error GS209: `HIDDEN` is a CONSTANT, not a local
\ : F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
\                             ^^^^^^
\   help: `TO` stores in a local: open it before with `{ x }`
\ GS209_to_of_no_local.gs:3:39: error GS209: no local `F` is in scope
\ : F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
\                                       ^
\   help: `TO` stores in a local: open it before with `{ x }`
\ GS209_to_of_no_local.gs:3:44: error GS209: `DUP` is a word, not a local
\ : F ( r:k -- ) TO x TO k TO HIDDEN TO F TO DUP ;
\                                            ^^^
\   help: `TO` stores in a local: open it before with `{ x }`
\ GS209_to_of_no_local.gs:4:31: error GS209: no local `widht` is in scope
\ : G ( r -- r ) { width } 1 TO widht width ;
\                               ^^^^^
\   help: did you mean `width`?
\ GS209_to_of_no_local.gs:5:37: error GS209: no local `y` is in scope
\ : H ( r f -- r ) IF { y } THEN 1 TO y ;
\                                     ^
\   help: `TO` stores in a local: open it before with `{ x }`
\ 7 errors
