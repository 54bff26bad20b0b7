\ a word of Forth that Geode lacks
: F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
: G ( r r -- r ) 2DUP == IF F+ ELSE ** THEN cr ;
: MAIN ( -- ) ;

\ == error
\ GS206_forth_word.gs:2:16: error GS206: Geode has no word `>R`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                ^^
\   help: there is no return stack: put the value in a local, `{ x }`, and name it where it is wanted
\ GS206_forth_word.gs:2:21: error GS206: Geode has no word `R>`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                     ^^
\   help: there is no return stack: put the value in a local, `{ x }`, and name it where it is wanted
\ GS206_forth_word.gs:2:26: error GS206: Geode has no word `.`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                          ^
\   help: only EVALUATE, PREDICT and the metrics print; `.S` shows the types on the stack while compiling
\ GS206_forth_word.gs:2:28: error GS206: Geode has no word `EMIT`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                            ^^^^
\   help: only EVALUATE, PREDICT and the metrics print; `.S` shows the types on the stack while compiling
\ GS206_forth_word.gs:2:33: error GS206: Geode has no word `@`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                                 ^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS206_forth_word.gs:2:35: error GS206: Geode has no word `!`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                                   ^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS206_forth_word.gs:2:37: error GS206: Geode has no word `VARIABLE`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                                     ^^^^^^^^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS206_forth_word.gs:2:46: error GS206: Geode has no word `EXIT`
\ : F ( r -- r ) >R 1 R> + . EMIT @ ! VARIABLE EXIT ;
\                                              ^^^^
\   help: let the rest of the word stand in a branch, `IF … ELSE … THEN`, or leave a counted loop with `LEAVE`
\ GS206_forth_word.gs:3:23: error GS206: Geode has no word `==`
\ : G ( r r -- r ) 2DUP == IF F+ ELSE ** THEN cr ;
\                       ^^
\   help: equality is written `=`
\ GS206_forth_word.gs:3:29: error GS206: Geode has no word `F+`
\ : G ( r r -- r ) 2DUP == IF F+ ELSE ** THEN cr ;
\                             ^^
\   help: the words of arithmetic take integers and reals alike: leave the `F` out
\ GS206_forth_word.gs:3:37: error GS206: Geode has no word `**`
\ : G ( r r -- r ) 2DUP == IF F+ ELSE ** THEN cr ;
\                                     ^^
\   help: write `POW`
\ GS206_forth_word.gs:3:45: error GS206: Geode has no word `cr`
\ : G ( r r -- r ) 2DUP == IF F+ ELSE ** THEN cr ;
\                                             ^^
\   help: only EVALUATE, PREDICT and the metrics print; `.S` shows the types on the stack while compiling
\ 12 errors
