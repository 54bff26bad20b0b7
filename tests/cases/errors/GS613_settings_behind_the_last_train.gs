\ what no stage uses; SEED and LOOP-LIMIT are for EVALUATE too, and a loop's ALPHA is for its next turn
: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d }
  3 0 DO d ALL ['] OBJECTIVE TRAIN 0.5 ALPHA LOOP
  7 SEED 90 LOOP-LIMIT 5 EPOCHS 0.5 ES-GAUSSIAN SCORE-SIGN .METRICS
  d ALL ['] OBJECTIVE EVALUATE
  8 SEED ADAM-UPDATES ;

\ == error
\ GS613_settings_behind_the_last_train.gs:6:26: error GS613: `EPOCHS` stands after the last TRAIN and so does nothing
\   7 SEED 90 LOOP-LIMIT 5 EPOCHS 0.5 ES-GAUSSIAN SCORE-SIGN .METRICS
\                          ^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ GS613_settings_behind_the_last_train.gs:6:37: error GS613: `ES-GAUSSIAN` stands after the last TRAIN and so does nothing
\   7 SEED 90 LOOP-LIMIT 5 EPOCHS 0.5 ES-GAUSSIAN SCORE-SIGN .METRICS
\                                     ^^^^^^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ GS613_settings_behind_the_last_train.gs:6:49: error GS613: `SCORE-SIGN` stands after the last TRAIN and so does nothing
\   7 SEED 90 LOOP-LIMIT 5 EPOCHS 0.5 ES-GAUSSIAN SCORE-SIGN .METRICS
\                                                 ^^^^^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ GS613_settings_behind_the_last_train.gs:6:60: error GS613: `.METRICS` stands after the last TRAIN and so does nothing
\   7 SEED 90 LOOP-LIMIT 5 EPOCHS 0.5 ES-GAUSSIAN SCORE-SIGN .METRICS
\                                                            ^^^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ GS613_settings_behind_the_last_train.gs:7:23: error GS603: SCORE-SIGN compares the two members of a pair: it needs ANTITHETIC
\   d ALL ['] OBJECTIVE EVALUATE
\                       ^^^^^^^^
\   note: `SCORE-SIGN` stands here, at GS613_settings_behind_the_last_train.gs:6:49
\ GS613_settings_behind_the_last_train.gs:8:5: error GS613: `SEED` stands after the last TRAIN and so does nothing
\   8 SEED ADAM-UPDATES ;
\     ^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ GS613_settings_behind_the_last_train.gs:8:10: error GS613: `ADAM-UPDATES` stands after the last TRAIN and so does nothing
\   8 SEED ADAM-UPDATES ;
\          ^^^^^^^^^^^^
\   help: settings hold for the stages behind them: write it before TRAIN
\ 7 errors
