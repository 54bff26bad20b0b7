\ MAIN that trains nothing
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 5 EPOCHS ;

\ == error
\ GS607_main_without_stage.gs:3:3: error GS607: `MAIN` runs no stage
\ : MAIN ( -- ) OBJECTIVE-LOSS 5 EPOCHS ;
\   ^^^^
\   help: end it with: "rows.csv" 100 CSV-INPUT ALL ['] OBJECTIVE TRAIN
\ 1 error
