TARGET-CPU

: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;   \ a layer of ReLU units
: LINO   ( <layer> n -- <layer> ) LINEAR INIT-XAVIER TRAINABLE ;    \ a plain linear layer

: FORWARD   ( r:* -- r:100 ) 8 NEURON 100 LINO ;               \ the network: 100 -> 8 -> 100
: OBJECTIVE ( r:b:100 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;  \ reconstruct input; error to minimise

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  200 EPOCHS 4 WORKERS 0.01 ALPHA 42 SEED       \ 200 rounds, fixed seed for repeatability
  MUON-UPDATES 5 MUON-WARMUP! 0.9 MUON-BETA! 0.1 MUON-KAPPA!
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED   \ 256 perturbations per round
  0.01 ES-GAUSSIAN
  .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/sine-1000.csv" 100 CSV-INPUT        \ dataset path, resolved at run time relative to your cwd
  ALL ['] OBJECTIVE TRAIN ;
