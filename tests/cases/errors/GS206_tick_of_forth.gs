\ ' NAME is one mistake, and the help names the word; a word of that name is a word
: F ( r:4 -- r ) 4 LINEAR TRAINABLE SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ' NET TRAIN "rows.csv" 4 CSV-INPUT ALL ' F EVALUATE ' 3 ;

\ == error
\ GS206_tick_of_forth.gs:3:57: error GS206: Geode has no word `'`
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ' NET TRAIN "rows.csv" 4 CSV-INPUT ALL ' F EVALUATE ' 3 ;
\                                                         ^
\   help: write `['] NET`
\ GS206_tick_of_forth.gs:3:96: error GS206: Geode has no word `'`
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ' NET TRAIN "rows.csv" 4 CSV-INPUT ALL ' F EVALUATE ' 3 ;
\                                                                                                ^
\   help: write `['] F`
\ GS206_tick_of_forth.gs:3:109: error GS206: Geode has no word `'`
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ' NET TRAIN "rows.csv" 4 CSV-INPUT ALL ' F EVALUATE ' 3 ;
\                                                                                                             ^
\   help: write `['] NAME`
\ 3 errors
