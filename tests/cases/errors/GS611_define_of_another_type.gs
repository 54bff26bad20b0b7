\ options: -D HIDDEN=many
8 CONSTANT HIDDEN
: OBJECTIVE ( r:b:4 -- r ) HIDDEN LINEAR TRAINABLE SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS611_define_of_another_type.gs:2:12: error GS611: -D HIDDEN=many: `HIDDEN` is an integer within 64 bits
\ 8 CONSTANT HIDDEN
\            ^^^^^^
\ 1 error
