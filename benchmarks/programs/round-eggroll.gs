\ The quick start's network and data with rank-1 perturbations: what `baselines/round.c eggroll` does by hand.
TARGET-CPU

: NEURON ( <layer> n -- <layer> ) AFFINE TRAINABLE RELU ;
: LINO   ( <layer> n -- <layer> ) AFFINE TRAINABLE ;

: FORWARD   ( r:* -- r:100 ) 8 NEURON 100 LINO ;
: OBJECTIVE ( r:b:100 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 100 EPOCHS 1 WORKERS 0.01 ALPHA 42 SEED SGDM-UPDATES
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 1 EGGROLL .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/sine-1000.csv" 100 CSV-INPUT
  ALL ['] OBJECTIVE TRAIN ;
