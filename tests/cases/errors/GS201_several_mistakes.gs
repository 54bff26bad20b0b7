\ independent mistakes in several words are told in one run, each at its place
TARGET-CPU
: ONE ( r:100 -- r:8 ) 8 LINAER ;
: TWO ( r -- r
: THREE ( r -- r ) IF 1 THEN THEN ;
	: FOUR ( r -- r ) é 世界 @ ;
: FIVE ( r -- r ) "open ;
: SIX ( r -- r ) ONE TWO + ;
\ == error
\ GS201_several_mistakes.gs:3:26: error GS201: unknown word `LINAER`
\ : ONE ( r:100 -- r:8 ) 8 LINAER ;
\                          ^^^^^^
\   help: did you mean `LINEAR`?
\ GS201_several_mistakes.gs:4:7: error GS113: this signature is never closed
\ : TWO ( r -- r
\       ^
\   help: write ` )` after the types that the word leaves
\ GS201_several_mistakes.gs:5:30: error GS401: `THEN` closes nothing
\ : THREE ( r -- r ) IF 1 THEN THEN ;
\                              ^^^^
\   help: it belongs to `f IF … ELSE … THEN`
\ GS201_several_mistakes.gs:6:20: error GS201: unknown word `é`
\ 	: FOUR ( r -- r ) é 世界 @ ;
\ 	                  ^
\ GS201_several_mistakes.gs:6:22: error GS201: unknown word `世界`
\ 	: FOUR ( r -- r ) é 世界 @ ;
\ 	                    ^^^^
\ GS201_several_mistakes.gs:6:25: error GS206: Geode has no word `@`
\ 	: FOUR ( r -- r ) é 世界 @ ;
\ 	                         ^
\   help: there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`
\ GS201_several_mistakes.gs:7:19: error GS102: this string is never closed
\ : FIVE ( r -- r ) "open ;
\                   ^^^^^
\   help: a string ends with `"` on the line where it starts
\ GS201_several_mistakes.gs:8:3: error GS601: the program has no word `MAIN`
\ : SIX ( r -- r ) ONE TWO + ;
\   ^^^
\   help: execution starts at `MAIN`: write `: MAIN ( -- ) … ;` behind the other words
\ 8 errors
