\ W5: W3's network with weights that nothing trains, so the fastest that Geode computes it: 256 000 rows, six times.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE RELU ;
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-HE ;

: NETWORK   ( r:64 -- r:10 ) 512 HIDDEN 512 HIDDEN 10 OUTPUT ;
: OBJECTIVE ( r:74 -- r ) 64 SPLIT { wanted } NETWORK wanted LOSS-MSE ;

: TURN ( -- ) "build/bench/peers/inputs/many.npy" r:74 NPY-INPUT ALL ['] OBJECTIVE EVALUATE ;

: MAIN ( -- ) OBJECTIVE-LOSS 2 WORKERS 7 SEED TURN TURN TURN TURN TURN TURN ;
