\ the data is no parameter
: OBJECTIVE ( r:b:4 -- r ) TRAINABLE SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS501_data.gs:2:28: error GS501: `TRAINABLE` reaches no parameter: the data is no parameter
\ : OBJECTIVE ( r:b:4 -- r ) TRAINABLE SUM SUM ;
\                            ^^^^^^^^^
\   stack:   r:b:4
\   wanted:  <layer>
\   help: write `TRAINABLE` directly after the parameter word (LINEAR …)
\ 1 error
