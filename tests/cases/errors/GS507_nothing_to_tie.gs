\ instances of words that have no weights of their own
: L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ; SHARED
: A ( r:4 -- r:4 ) ['] L ~ { w } w ;
: OBJECTIVE ( r:b:4 -- r ) ['] ABS ~ { w } w SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS507_nothing_to_tie.gs:3:26: error GS507: `L` is SHARED: it has one set of weights, and no instances
\ : A ( r:4 -- r:4 ) ['] L ~ { w } w ;
\                          ^
\   stack:   r:4 xt
\   help: call it by its name
\ GS507_nothing_to_tie.gs:4:36: error GS507: `ABS` is a built-in word and has no weights to tie
\ : OBJECTIVE ( r:b:4 -- r ) ['] ABS ~ { w } w SUM SUM ;
\                                    ^
\   stack:   r:b:4 xt
\ 2 errors
