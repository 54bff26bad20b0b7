\ Layers of 512, dense perturbations: the share of the processor's peak that a wide layer reaches.
\ The work that counts is that of the second layer, 2 x 512 x 512 a row and member; the first is a third of it at most, and shared.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;

: OBJECTIVE ( -- r ) RANDN r:64 FILL 512 HIDDEN 512 HIDDEN MEAN ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 6 EPOCHS 1 WORKERS 0.001 ALPHA 1 SEED SGDM-UPDATES
  8 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 ES-GAUSSIAN .METRICS ;

: MAIN ( -- ) SETTINGS 1920 EPISODES ['] OBJECTIVE TRAIN ;
