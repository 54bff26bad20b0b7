\ a list of locals is badly formed
: F ( r r -- r ) { } + ;
: G ( r r -- r ) { a -- b } ;
: H ( r -- r ) { a ;
: MAIN ( -- ) ;

\ == error
\ GS122_locals_form.gs:2:18: error GS122: this list names no local
\ : F ( r r -- r ) { } + ;
\                  ^^^
\   help: write `{ a b c }`
\ GS122_locals_form.gs:3:22: error GS122: `--` is no name for a local
\ : G ( r r -- r ) { a -- b } ;
\                      ^^
\   help: `{ a b c }` holds names alone: it takes one value for each
\ GS122_locals_form.gs:4:16: error GS122: this list of locals is never closed
\ : H ( r -- r ) { a ;
\                ^
\   help: write `{ a b c }`; the last was on top of the stack
\ 3 errors
