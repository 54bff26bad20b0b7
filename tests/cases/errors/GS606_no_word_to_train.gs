\ words that no stage can train
: PER-ROW ( r:b:4 -- r:b ) SUM ;
: VECTOR ( r:4 -- r:4 ) 2* ;
: INTEGER ( r:4 -- n ) DROP 1 ;
: PAIR ( r:4 r:4 -- r ) LOSS-EUCLIDEAN ;
: NONE ( -- r ) 1 ;
: MAIN ( -- )
  OBJECTIVE-LOSS
  "rows.csv" 4 CSV-INPUT ALL { rows }
  rows ['] PER-ROW TRAIN
  rows ['] VECTOR TRAIN
  rows ['] INTEGER TRAIN
  rows ['] PAIR TRAIN
  rows ['] NONE TRAIN
  rows ['] SUM TRAIN ;

\ == error
\ GS606_no_word_to_train.gs:10:8: error GS606: TRAIN wants a word that leaves one number, but `PER-ROW` leaves r:b
\   rows ['] PER-ROW TRAIN
\        ^^^^^^^^^^^
\   wanted:  ( r:b:k -- r ) or ( r:k -- r )
\   help: end the word with SUM or MEAN
\ GS606_no_word_to_train.gs:11:8: error GS606: TRAIN wants a word that leaves one number, but `VECTOR` leaves r:b:4
\   rows ['] VECTOR TRAIN
\        ^^^^^^^^^^
\   wanted:  ( r:b:k -- r ) or ( r:k -- r )
\   help: end the word with SUM or MEAN
\ GS606_no_word_to_train.gs:12:8: error GS606: TRAIN wants a word that leaves one number, but `INTEGER` leaves n
\   rows ['] INTEGER TRAIN
\        ^^^^^^^^^^^
\   wanted:  ( r:b:k -- r ) or ( r:k -- r )
\   help: end the word with SUM or MEAN
\ GS606_no_word_to_train.gs:13:8: error GS606: `PAIR` takes 2 values, but here it gets r:b:4
\   rows ['] PAIR TRAIN
\        ^^^^^^^^
\   wanted:  r:4 r:4
\ GS606_no_word_to_train.gs:14:8: error GS606: `NONE` takes no value, but here it gets r:b:4
\   rows ['] NONE TRAIN
\        ^^^^^^^^
\ GS606_no_word_to_train.gs:15:8: error GS606: `SUM` is no word that can be trained
\   rows ['] SUM TRAIN ;
\        ^^^^^^^
\   help: a stage runs a word defined with `:` in this program
\ 6 errors
