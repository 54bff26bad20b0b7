\ a name is missing
: 
: F ( r -- r ) [']
;
"F" CONSTANT
: MAIN ( -- ) 2 TO ;

\ == error
\ GS111_name_missing.gs:2:1: error GS111: `:` wants a name after it
\ :
\ ^
\   help: write `: NAME ( before -- after ) … ;`
\ GS111_name_missing.gs:3:16: error GS111: `[']` wants a name after it
\ : F ( r -- r ) [']
\                ^^^
\   help: write `['] NAME`
\ GS111_name_missing.gs:5:5: error GS111: `CONSTANT` wants a name after it
\ "F" CONSTANT
\     ^^^^^^^^
\   help: write `value CONSTANT NAME`
\ GS111_name_missing.gs:6:17: error GS111: `TO` wants a name after it
\ : MAIN ( -- ) 2 TO ;
\                 ^^
\   help: write `TO name`
\ 4 errors
