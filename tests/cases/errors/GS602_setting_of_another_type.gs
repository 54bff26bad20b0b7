\ settings that get values of other types
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS
  "many" EPOCHS
  ['] OBJECTIVE POPULATION
  1 METRICS-FILE
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS602_setting_of_another_type.gs:5:10: error GS602: `EPOCHS` takes an integer at least 1, not s
\   "many" EPOCHS
\          ^^^^^^
\   stack:   s
\   wanted:  n
\   help: EPOCHS: rounds of this stage
\ GS602_setting_of_another_type.gs:6:17: error GS602: `POPULATION` takes an integer at least 2 and at most 1073741824, not xt
\   ['] OBJECTIVE POPULATION
\                 ^^^^^^^^^^
\   stack:   xt
\   wanted:  n
\   help: POPULATION: members in each epoch
\ GS602_setting_of_another_type.gs:7:5: error GS602: `METRICS-FILE` takes a text, not n
\   1 METRICS-FILE
\     ^^^^^^^^^^^^
\   stack:   n
\   wanted:  s
\   help: METRICS-FILE: file that gets the metrics as JSON lines
\ 3 errors
