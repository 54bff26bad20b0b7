\ data and stage words that get something else
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ['] OBJECTIVE TRAIN ;

\ == error
\ GS610_stage_words_in_another_order.gs:3:67: error GS610: `TRAIN` takes rows and a word: a data set: "rows.csv" 100 CSV-INPUT ALL ['] OBJECTIVE TRAIN
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ['] OBJECTIVE TRAIN ;
\                                                                   ^^^^^
\   stack:   data xt
\   wanted:  batch xt
\ 1 error
