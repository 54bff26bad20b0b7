\ Layers of 512, dense perturbations: the share of the processor's peak that a wide layer reaches.
\ Measured beside the same program without its second layer, so that what the second adds is seen.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;

: OBJECTIVE ( -- r ) RANDN r:64 FILL 512 HIDDEN 512 HIDDEN MEAN ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS 6 EPOCHS 1 WORKERS 0.001 ALPHA 1 SEED SGDM-UPDATES
  8 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.01 ES-GAUSSIAN .METRICS ;

: MAIN ( -- ) SETTINGS 1920 EPISODES ['] OBJECTIVE TRAIN ;
