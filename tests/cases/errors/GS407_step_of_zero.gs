\ a step of 0, in a word and in MAIN
: OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO 2* 0 +LOOP SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN
  3 0 DO I SEED 0 +LOOP ;

\ == error
\ GS407_step_of_zero.gs:2:44: error GS407: a step of 0 never ends the loop
\ : OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO 2* 0 +LOOP SUM ;
\                                            ^^^^^
\   stack:   r:b n
\ GS407_step_of_zero.gs:5:19: error GS407: a step of 0 never ends the loop
\   3 0 DO I SEED 0 +LOOP ;
\                   ^^^^^
\   stack:   n
\ 2 errors
