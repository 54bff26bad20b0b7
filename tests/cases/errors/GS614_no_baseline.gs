\ a warning: the program compiles
: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS SCORE-RAW INDEPENDENT
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS614_no_baseline.gs:4:18: warning GS614: `SCORE-RAW` under INDEPENDENT takes the scores as weights without a baseline: the steps are mostly noise
\   OBJECTIVE-LOSS SCORE-RAW INDEPENDENT
\                  ^^^^^^^^^
\   help: SCORE-ZSCORE subtracts the mean; ANTITHETIC takes differences
\ 1 warning
