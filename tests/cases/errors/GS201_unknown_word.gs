\ an unknown word
: F ( r:4 -- r:2 ) 2 LINAER ;
: G ( r -- r ) dup * frobnicate ;
: H ( r -- r ) 1.5f + 0x10 * \no (no) ;
: HIDDEN ( r r -- r ) { width height } wdth heigth * hiden ;
: MAIN ( -- ) ;

\ == error
\ GS201_unknown_word.gs:2:22: error GS201: unknown word `LINAER`
\ : F ( r:4 -- r:2 ) 2 LINAER ;
\                      ^^^^^^
\   help: did you mean `LINEAR`?
\ GS201_unknown_word.gs:3:16: error GS201: unknown word `dup`
\ : G ( r -- r ) dup * frobnicate ;
\                ^^^
\   help: did you mean `DUP`? Case matters
\ GS201_unknown_word.gs:3:22: error GS201: unknown word `frobnicate`
\ : G ( r -- r ) dup * frobnicate ;
\                      ^^^^^^^^^^
\ GS201_unknown_word.gs:4:16: error GS201: unknown word `1.5f`
\ : H ( r -- r ) 1.5f + 0x10 * \no (no) ;
\                ^^^^
\   help: numbers are written `42`, `-7`, `1_000`, `0.01`, `.5`, `1e-3`
\ GS201_unknown_word.gs:4:23: error GS201: unknown word `0x10`
\ : H ( r -- r ) 1.5f + 0x10 * \no (no) ;
\                       ^^^^
\   help: numbers are written `42`, `-7`, `1_000`, `0.01`, `.5`, `1e-3`
\ GS201_unknown_word.gs:4:30: error GS201: unknown word `\no`
\ : H ( r -- r ) 1.5f + 0x10 * \no (no) ;
\                              ^^^
\   help: a comment starts with `\` and a space
\ GS201_unknown_word.gs:4:34: error GS201: unknown word `(no)`
\ : H ( r -- r ) 1.5f + 0x10 * \no (no) ;
\                                  ^^^^
\   help: a comment starts with `(` and a space, and ends with a space and `)`
\ GS201_unknown_word.gs:5:40: error GS201: unknown word `wdth`
\ : HIDDEN ( r r -- r ) { width height } wdth heigth * hiden ;
\                                        ^^^^
\   help: did you mean `width`?
\ GS201_unknown_word.gs:5:45: error GS201: unknown word `heigth`
\ : HIDDEN ( r r -- r ) { width height } wdth heigth * hiden ;
\                                             ^^^^^^
\   help: did you mean `height`?
\ GS201_unknown_word.gs:5:54: error GS201: unknown word `hiden`
\ : HIDDEN ( r r -- r ) { width height } wdth heigth * hiden ;
\                                                      ^^^^^
\ 10 errors
