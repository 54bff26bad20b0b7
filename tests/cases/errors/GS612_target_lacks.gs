\ a word that the language of a GPU cannot compute
TARGET-APPLE-METAL
: HELPER ( r:b:4 -- r:b:4 ) ATAN ;
: OBJECTIVE ( r:b:4 -- r ) HELPER SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS612_target_lacks.gs:3:29: error GS612: `TARGET-APPLE-METAL` has no `ATAN`: it is computed in float64, which kernels do not do
\ : HELPER ( r:b:4 -- r:b:4 ) ATAN ;
\                             ^^^^
\   help: write TARGET-CPU, or leave the target out
\ 1 error
