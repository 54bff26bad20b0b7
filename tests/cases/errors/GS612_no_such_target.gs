\ a target without a compiler
TARGET-APPLE-METAL
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS612_no_such_target.gs:2:1: error GS612: this version does not compile for `TARGET-APPLE-METAL`
\ TARGET-APPLE-METAL
\ ^^^^^^^^^^^^^^^^^^
\   help: write TARGET-CPU, or leave the target out
\ 1 error
