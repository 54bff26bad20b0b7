\ a data word without the number of columns
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS610_columns_missing.gs:3:41: error GS610: `CSV-INPUT` takes a path and the number of columns: "rows.csv" 100 CSV-INPUT
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
\                                         ^^^^^^^^^
\   stack:   s
\   wanted:  s n
\ 1 error
