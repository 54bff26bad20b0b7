\ a word calls itself
: F ( r -- r ) 2/ F ;
: G ( r -- r ) RECURSE ;
: H ( r -- r ) ['] H DROP ;
: MAIN ( -- ) ;

\ == error
\ GS205_recursion.gs:2:19: error GS205: `F` calls itself
\ : F ( r -- r ) 2/ F ;
\                   ^
\   help: write a loop: `DO … LOOP`, `BEGIN … f WHILE … REPEAT`, or `n xt TIMES`
\ GS205_recursion.gs:3:16: error GS205: a word cannot call itself
\ : G ( r -- r ) RECURSE ;
\                ^^^^^^^
\   help: write a loop: `DO … LOOP`, `BEGIN … f WHILE … REPEAT`, or `n xt TIMES`
\ GS205_recursion.gs:4:20: error GS205: `H` calls itself
\ : H ( r -- r ) ['] H DROP ;
\                    ^
\   help: write a loop: `DO … LOOP`, `BEGIN … f WHILE … REPEAT`, or `n xt TIMES`
\ 3 errors
