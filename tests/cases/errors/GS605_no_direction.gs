\ neither minimised nor maximised
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) 5 EPOCHS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS605_no_direction.gs:3:65: error GS605: this stage doesn't know whether to minimise or to maximise
\ : MAIN ( -- ) 5 EPOCHS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
\                                                                 ^^^^^
\   stack:   batch xt
\   help: write OBJECTIVE-LOSS or OBJECTIVE-REWARD before TRAIN
\ 1 error
