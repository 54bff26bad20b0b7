\ a local hides another
: F ( r r -- r ) { x } { x } x ;
: G ( r f -- r ) { x y } y IF 1 { x } ELSE 2 { z } THEN ;
: H ( r -- r ) { a a } ;
: MAIN ( -- ) ;

\ == error
\ GS207_local_hides_local.gs:2:26: error GS207: the local `x` hides another
\ : F ( r r -- r ) { x } { x } x ;
\                          ^
\   help: give it another name, or store in the one there is with `TO x`
\   note: it is opened first here, at GS207_local_hides_local.gs:2:20
\ GS207_local_hides_local.gs:3:35: error GS207: the local `x` hides another
\ : G ( r f -- r ) { x y } y IF 1 { x } ELSE 2 { z } THEN ;
\                                   ^
\   help: give it another name, or store in the one there is with `TO x`
\   note: it is opened first here, at GS207_local_hides_local.gs:3:20
\ GS207_local_hides_local.gs:4:20: error GS207: the local `a` hides another
\ : H ( r -- r ) { a a } ;
\                    ^
\   help: give it another name, or store in the one there is with `TO a`
\   note: it is opened first here, at GS207_local_hides_local.gs:4:18
\ 3 errors
