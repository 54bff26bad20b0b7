\ a setting that no GPU has, at the word that sets it; EVALUATE runs on the processor and may have it
TARGET-APPLE-METAL
: OBJECTIVE ( r:b:4 -- r ) 4 LINEAR TRAINABLE SUM MEAN ;
: ROWS-OF ( -- data ) "rows.csv" 4 CSV-INPUT ;
: MAIN ( -- )
  OBJECTIVE-LOSS 0.1 EGGROLL-R1
  FLOAT32 ROWS-OF ALL ['] OBJECTIVE TRAIN
  BF16 ROWS-OF ALL ['] OBJECTIVE EVALUATE
  ROWS-OF ALL ['] OBJECTIVE TRAIN
  ROWS-OF ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS612_no_bf16.gs:8:3: error GS612: `BF16` holds for a TRAIN, and `TARGET-APPLE-METAL` trains with float32 numbers alone
\   BF16 ROWS-OF ALL ['] OBJECTIVE EVALUATE
\   ^^^^
\   help: leave it out or write FLOAT32 before TRAIN, or write TARGET-CPU
\ 1 error
