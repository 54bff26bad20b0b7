\ two choices of one kind with no TRAIN between them
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: SETTINGS ( -- ) OBJECTIVE-LOSS ADAM-UPDATES SCORE-RAW ;
: MAIN ( -- )
  SETTINGS ADAM-UPDATES MUON-UPDATES SCORE-SIGN OBJECTIVE-REWARD
  "rows.csv" 4 CSV-INPUT { d }
  d ALL ['] OBJECTIVE TRAIN
  SGD-UPDATES SCORE-UTILITY
  d ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS604_two_of_one_kind.gs:5:25: error GS604: `MUON-UPDATES` and `ADAM-UPDATES` choose the same thing, and no TRAIN stands between them
\   SETTINGS ADAM-UPDATES MUON-UPDATES SCORE-SIGN OBJECTIVE-REWARD
\                         ^^^^^^^^^^^^
\   help: keep one of them
\   note: `ADAM-UPDATES` stands here, at GS604_two_of_one_kind.gs:5:12
\ GS604_two_of_one_kind.gs:5:38: error GS604: `SCORE-SIGN` and `SCORE-RAW` choose the same thing, and no TRAIN stands between them
\   SETTINGS ADAM-UPDATES MUON-UPDATES SCORE-SIGN OBJECTIVE-REWARD
\                                      ^^^^^^^^^^
\   help: keep one of them
\   note: `SCORE-RAW` stands here, at GS604_two_of_one_kind.gs:3:47
\ GS604_two_of_one_kind.gs:5:49: error GS604: `OBJECTIVE-REWARD` and `OBJECTIVE-LOSS` choose the same thing, and no TRAIN stands between them
\   SETTINGS ADAM-UPDATES MUON-UPDATES SCORE-SIGN OBJECTIVE-REWARD
\                                                 ^^^^^^^^^^^^^^^^
\   help: keep one of them
\   note: `OBJECTIVE-LOSS` stands here, at GS604_two_of_one_kind.gs:3:19
\ 3 errors
