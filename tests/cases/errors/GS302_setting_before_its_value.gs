\ a setting written before its value, as other languages have it
: F ( r:4 -- r ) 4 LINEAR TRAINABLE SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS EPOCHS 2 "rows.csv" 4 CSV-INPUT ALL ['] F TRAIN ;

\ == error
\ GS302_setting_before_its_value.gs:3:30: error GS302: `EPOCHS` takes more values than the stack holds
\ : MAIN ( -- ) OBJECTIVE-LOSS EPOCHS 2 "rows.csv" 4 CSV-INPUT ALL ['] F TRAIN ;
\                              ^^^^^^
\   stack:   (empty)
\   wanted:  n
\   help: what it takes stands before it: `2 EPOCHS`
\ 1 error
