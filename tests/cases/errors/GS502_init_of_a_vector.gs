\ one axis has no fan
: OBJECTIVE ( r:b:4 -- r ) r:4 PARAM INIT-HE TRAINABLE * r PARAM INIT-ORTHOGONAL + SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS502_init_of_a_vector.gs:2:38: error GS502: `INIT-HE` needs a parameter of at least two axes, not r:4
\ : OBJECTIVE ( r:b:4 -- r ) r:4 PARAM INIT-HE TRAINABLE * r PARAM INIT-ORTHOGONAL + SUM SUM ;
\                                      ^^^^^^^
\   stack:   r:b:4 r:4
\ 1 error
