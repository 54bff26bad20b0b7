\ a target without a compiler
TARGET-CUDA
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS612_no_compiler.gs:2:1: error GS612: this version does not compile for `TARGET-CUDA`
\ TARGET-CUDA
\ ^^^^^^^^^^^
\   help: write TARGET-CPU, or leave the target out
\ 1 error
