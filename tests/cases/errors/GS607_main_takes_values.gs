\ MAIN with a signature of its own
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( n -- ) EPOCHS OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS607_main_takes_values.gs:3:8: error GS607: `MAIN` takes and leaves nothing: ( -- )
\ : MAIN ( n -- ) EPOCHS OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
\        ^^^^^^^^
\ 1 error
