\ two schedules of one number with no TRAIN between them
: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS ALPHA-COSINE 0.9 ALPHA-DECAY SIGMA-COSINE SIGMA-CONSTANT
  "rows.csv" 4 CSV-INPUT { d } d ALL ['] OBJECTIVE TRAIN
  ALPHA-CONSTANT SIGMA-COSINE d ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS604_two_schedules.gs:4:35: error GS604: `ALPHA-DECAY` and `ALPHA-COSINE` choose the same thing, and no TRAIN stands between them
\   OBJECTIVE-LOSS ALPHA-COSINE 0.9 ALPHA-DECAY SIGMA-COSINE SIGMA-CONSTANT
\                                   ^^^^^^^^^^^
\   help: keep one of them
\   note: `ALPHA-COSINE` stands here, at GS604_two_schedules.gs:4:18
\ GS604_two_schedules.gs:4:60: error GS604: `SIGMA-CONSTANT` and `SIGMA-COSINE` choose the same thing, and no TRAIN stands between them
\   OBJECTIVE-LOSS ALPHA-COSINE 0.9 ALPHA-DECAY SIGMA-COSINE SIGMA-CONSTANT
\                                                            ^^^^^^^^^^^^^^
\   help: keep one of them
\   note: `SIGMA-COSINE` stands here, at GS604_two_schedules.gs:4:47
\ 2 errors
