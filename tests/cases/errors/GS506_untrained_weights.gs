\ weights that no stage has trained
: OBJECTIVE ( r:4 -- r ) 4 LINEAR TRAINABLE SUM ;
: OTHER ( r:4 -- r ) 4 LINEAR TRAINABLE 2 LINEAR TRAINABLE SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d }
  d ALL ['] OBJECTIVE TRAIN
  d ALL ['] OTHER EVALUATE ;

\ == error
\ GS506_untrained_weights.gs:7:9: error GS506: no earlier stage has trained `weight.2`, which `OTHER` reads here
\   d ALL ['] OTHER EVALUATE ;
\         ^^^^^^^^^
\   help: a stage takes over weights by name: mark the word that makes them SHARED, in both stages
\   note: the parameter is made here, at GS506_untrained_weights.gs:3:43
\ 1 error
