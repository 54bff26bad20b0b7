\ an odd population in pairs, and signs without pairs
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 5 POPULATION ANTITHETIC
  "rows.csv" 4 CSV-INPUT { d }
  d ALL ['] OBJECTIVE TRAIN
  INDEPENDENT SCORE-SIGN
  d ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS603_settings_that_contradict.gs:6:23: error GS603: ANTITHETIC needs an even POPULATION, not 5
\   d ALL ['] OBJECTIVE TRAIN
\                       ^^^^^
\   note: `ANTITHETIC` stands here, at GS603_settings_that_contradict.gs:4:31
\   note: `POPULATION` stands here, at GS603_settings_that_contradict.gs:4:20
\ GS603_settings_that_contradict.gs:8:23: error GS603: SCORE-SIGN compares the two members of a pair: it needs ANTITHETIC
\   d ALL ['] OBJECTIVE TRAIN ;
\                       ^^^^^
\   note: `SCORE-SIGN` stands here, at GS603_settings_that_contradict.gs:7:15
\ 2 errors
