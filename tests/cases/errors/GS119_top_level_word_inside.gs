\ a word for the top level inside a definition
: MAIN ( -- ) 8 CONSTANT HIDDEN ;

\ == error
\ GS119_top_level_word_inside.gs:2:17: error GS119: `CONSTANT` stands outside definitions
\ : MAIN ( -- ) 8 CONSTANT HIDDEN ;
\                 ^^^^^^^^
\   help: close the definition of `MAIN` with `;` first
\ 1 error
