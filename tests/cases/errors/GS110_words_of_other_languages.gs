# what other languages write outside definitions
VARIABLE X
5 VALUE K
: MAIN ( -- ) ;

\ == error
\ GS110_words_of_other_languages.gs:1:1: error GS110: `#` is outside any definition, and Geode has no such word
\ # what other languages write outside definitions
\ ^
\   help: a comment starts with `\ `
\ GS110_words_of_other_languages.gs:2:1: error GS110: `VARIABLE` is outside any definition, and Geode has no such word
\ VARIABLE X
\ ^^^^^^^^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS110_words_of_other_languages.gs:3:3: error GS110: `VALUE` is outside any definition, and Geode has no such word
\ 5 VALUE K
\   ^^^^^
\   help: what stays is a CONSTANT, `5 CONSTANT NAME`; what changes is a local, `{ x }`, which `TO x` changes
\ 3 errors
