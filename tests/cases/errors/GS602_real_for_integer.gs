\ reals where integers are wanted, and EGGROLL's two values in the other order
: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS 1e3 EPOCHS 64. POPULATION 2.5 SEED 4 0.01 EGGROLL
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS602_real_for_integer.gs:4:22: error GS602: `EPOCHS` takes an integer at least 1, not the real number 1000
\   OBJECTIVE-LOSS 1e3 EPOCHS 64. POPULATION 2.5 SEED 4 0.01 EGGROLL
\                      ^^^^^^
\   stack:   r
\   wanted:  n
\   help: an integer is written without a point and an exponent: 1000
\ GS602_real_for_integer.gs:4:33: error GS602: `POPULATION` takes an integer at least 2 and at most 1073741824, not the real number 64
\   OBJECTIVE-LOSS 1e3 EPOCHS 64. POPULATION 2.5 SEED 4 0.01 EGGROLL
\                                 ^^^^^^^^^^
\   stack:   r
\   wanted:  n
\   help: an integer is written without a point and an exponent: 64
\ GS602_real_for_integer.gs:4:48: error GS602: `SEED` takes an integer at least 0, not the real number 2.5
\   OBJECTIVE-LOSS 1e3 EPOCHS 64. POPULATION 2.5 SEED 4 0.01 EGGROLL
\                                                ^^^^
\   stack:   r
\   wanted:  n
\   help: SEED: seed of every random stream
\ GS602_real_for_integer.gs:4:60: error GS602: `EGGROLL` takes an integer at least 1 and at most 65536, not the real number 0.01
\   OBJECTIVE-LOSS 1e3 EPOCHS 64. POPULATION 2.5 SEED 4 0.01 EGGROLL
\                                                            ^^^^^^^
\   stack:   n r
\   wanted:  r n
\   help: sigma comes first, then the rank: `0.01 4 EGGROLL`
\ 4 errors
