\ `(SHARED)` of something that is no word of the program
['] LINEAR (SHARED)
: MAIN ( -- ) ;

\ == error
\ GS210_shared_of_no_word.gs:2:5: error GS210: `LINEAR` is no word of this program
\ ['] LINEAR (SHARED)
\     ^^^^^^
\   help: only a word defined with `:` can be SHARED
\ 1 error
