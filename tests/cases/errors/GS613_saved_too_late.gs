\ files that nothing writes any more
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN
  "model.safetensors" SAVE-MODEL ;

\ == error
\ GS613_saved_too_late.gs:5:23: error GS613: `SAVE-MODEL` stands after the last TRAIN and so does nothing
\   "model.safetensors" SAVE-MODEL ;
\                       ^^^^^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ 1 error
