\ a word that stands in the trained one twice
: L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:4 -- r ) L L SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d }
  d ALL ['] OBJECTIVE TRAIN
  d ['] L "out.csv" PREDICT ;

\ == error
\ GS505_several_instances.gs:7:5: error GS505: `L` stands in the trained program 2 times, each with weights of its own: L, L.2
\   d ['] L "out.csv" PREDICT ;
\     ^^^^^
\   help: mark it SHARED, or let this stage run a word that calls the one `L` that is meant
\ 1 error
