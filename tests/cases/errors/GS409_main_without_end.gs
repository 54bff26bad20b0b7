\ a loop in MAIN that never ends
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) BEGIN FALSE UNTIL OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS409_main_without_end.gs:3:21: error GS409: MAIN runs more than 100000 words while compiling
\ : MAIN ( -- ) BEGIN FALSE UNTIL OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
\                     ^^^^^
\   stack:   (empty)
\ 1 error
