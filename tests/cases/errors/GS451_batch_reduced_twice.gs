\ the mean of the batch, then the variance from it
: OBJECTIVE ( r:b:4 -- r ) SUM DUP MEAN - SQUARE MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS451_batch_reduced_twice.gs:2:50: error GS451: `MEAN` reduces the batch a second time, with the result of the first
\ : OBJECTIVE ( r:b:4 -- r ) SUM DUP MEAN - SQUARE MEAN ;
\                                                  ^^^^
\   stack:   r:b
\   help: a program goes through the rows once a member; put what is known of all rows into one reduction
\ 1 error
