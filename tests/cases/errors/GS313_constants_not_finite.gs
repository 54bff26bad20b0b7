\ arithmetic on constants that is not finite is told; INF and NAN, and what is made of them, are meant
1 0 / CONSTANT K
INF NEGATE CONSTANT LOW
: F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] F TRAIN -1 0 / DROP ;

\ == error
\ GS313_constants_not_finite.gs:2:5: warning GS313: `/` of 1 and 0 is infinite as a float32
\ 1 0 / CONSTANT K
\     ^
\   help: write `INF` where that is meant
\ GS313_constants_not_finite.gs:4:54: warning GS313: `SQRT` of -1 is not a number
\ : F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
\                                                      ^^^^
\   help: write `NAN` where that is meant
\ GS313_constants_not_finite.gs:4:63: warning GS313: `LN` of 0 is infinite as a float32
\ : F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
\                                                               ^^
\   help: write `INF NEGATE` where that is meant
\ GS313_constants_not_finite.gs:4:78: warning GS313: `*` of 1.00000002e+30 and 1.00000002e+30 is infinite as a float32
\ : F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
\                                                                              ^
\   help: write `INF` where that is meant
\ GS313_constants_not_finite.gs:4:94: warning GS313: `/` of 0 and 0 is not a number
\ : F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
\                                                                                              ^
\   help: write `NAN` where that is meant
\ GS313_constants_not_finite.gs:4:102: warning GS313: `MOD` of 3 and 0 is not a number
\ : F ( r:4 -- r ) 4 LINEAR TRAINABLE K MIN LOW MAX -1 SQRT + 0 LN + 1e30 1e30 * + NAN + 0.0 0 / + 3 0 MOD + SUM ;
\                                                                                                      ^^^
\   help: write `NAN` where that is meant
\ GS313_constants_not_finite.gs:5:74: warning GS313: `/` of -1 and 0 is infinite as a float32
\ : MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] F TRAIN -1 0 / DROP ;
\                                                                          ^
\   help: write `INF NEGATE` where that is meant
\ 7 warnings
