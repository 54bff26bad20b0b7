\ a token of a word that cannot be called
: MAIN ( -- ) ['] IF DROP ;

\ == error
\ GS212_token_of_syntax_word.gs:2:19: error GS212: `IF` has no token
\ : MAIN ( -- ) ['] IF DROP ;
\                   ^^
\   help: `[']` takes a word that could be called
\ 1 error
