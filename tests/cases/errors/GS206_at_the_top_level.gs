# what other languages write outside definitions
VARIABLE X
5 VALUE K
: MAIN ( -- ) ;

\ == error
\ GS206_at_the_top_level.gs:1:1: error GS206: Geode has no word `#`
\ # what other languages write outside definitions
\ ^
\   help: a comment starts with `\ `
\ GS206_at_the_top_level.gs:2:1: error GS206: Geode has no word `VARIABLE`
\ VARIABLE X
\ ^^^^^^^^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS206_at_the_top_level.gs:3:3: error GS206: Geode has no word `VALUE`
\ 5 VALUE K
\   ^^^^^
\   help: what stays is a CONSTANT, `5 CONSTANT NAME`; what changes is a local, `{ x }`, which `TO x` changes
\ 3 errors
