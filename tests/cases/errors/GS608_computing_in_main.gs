\ MAIN calls the word instead of handing its token over
: SETTINGS ( -- ) OBJECTIVE-LOSS ;
: RATE ( -- r ) 2 RELU ;
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) SETTINGS RATE ALPHA "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS608_computing_in_main.gs:3:19: error GS608: `RELU` can't stand in `RATE`, which MAIN runs while compiling
\ : RATE ( -- r ) 2 RELU ;
\                   ^^^^
\   stack:   n
\   help: if `RATE` is what a stage runs, hand its token over: ['] RATE
\   in RATE at GS608_computing_in_main.gs:5:24
\ 1 error
