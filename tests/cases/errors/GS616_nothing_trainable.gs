\ a warning: the layer's weights are not trained
: FIXED ( r:b:4 -- r ) 1 LINEAR SUM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] FIXED TRAIN ;

\ == error
\ GS616_nothing_trainable.gs:4:45: warning GS616: nothing that `FIXED` reaches is TRAINABLE, so this TRAIN changes no weights
\   OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] FIXED TRAIN ;
\                                             ^^^^^^^^^
\   help: TRAINABLE behind a layer or PARAM lets its weights be trained: 8 LINEAR TRAINABLE
\ 1 warning
