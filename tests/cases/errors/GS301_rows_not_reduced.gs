\ one MEAN is over the columns, the rows want another
: OBJECTIVE ( r:b:3 -- r ) 1 LINEAR TRAINABLE SQUARE MEAN ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS301_rows_not_reduced.gs:2:13: error GS301: the body does not leave what the signature of `OBJECTIVE` declares
\ : OBJECTIVE ( r:b:3 -- r ) 1 LINEAR TRAINABLE SQUARE MEAN ;
\             ^^^^^^^^^^^^^^
\   declared ( r:b:3 -- r )
\   inferred ( r:b:3 -- r:b )
\   help: `r` takes one value for all rows, not r:b; one more MEAN (or SUM) reduces the batch
\ 1 error
