\ settings where values are computed
: OBJECTIVE ( r:b:4 -- r ) 5 EPOCHS SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS608_settings_in_a_word_that_computes.gs:2:30: error GS608: `EPOCHS` is a settings word: it stands in MAIN and the words that MAIN calls
\ : OBJECTIVE ( r:b:4 -- r ) 5 EPOCHS SUM SUM ;
\                              ^^^^^^
\   stack:   r:b:4 n
\   help: a word that computes, like `OBJECTIVE`, can't change the training program
\ 1 error
