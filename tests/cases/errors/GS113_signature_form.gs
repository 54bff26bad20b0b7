\ a signature is badly formed
: F ( r r ) DROP ;
: G ( r -- r -- ) ;
: H ( r -- r 2* ;
: MAIN ( -- ) ;

\ == error
\ GS113_signature_form.gs:2:5: error GS113: this signature has no `--`
\ : F ( r r ) DROP ;
\     ^^^^^^^
\   help: write `( before -- after )`, the top of the stack last on both sides
\ GS113_signature_form.gs:3:14: error GS113: a signature has one `--`
\ : G ( r -- r -- ) ;
\              ^^
\   help: write `( before -- after )`, the top of the stack last on both sides
\ GS113_signature_form.gs:4:5: error GS113: this signature is never closed
\ : H ( r -- r 2* ;
\     ^
\   help: write ` )` after the types that the word leaves
\ 3 errors
