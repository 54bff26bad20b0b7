\ The autoencoder of sine-ae.gs with its width as a CONSTANT, which -D HIDDEN=16 or a sweep changes (sine-ae.sweep.yaml).
TARGET-CPU

8 CONSTANT HIDDEN                                                   \ units of the middle layer

: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;   \ a layer of ReLU units
: LINO   ( <layer> n -- <layer> ) LINEAR INIT-XAVIER TRAINABLE ;    \ a plain linear layer

: FORWARD   ( r:* -- r:100 ) HIDDEN NEURON 100 LINO ;               \ the network: 100 -> HIDDEN -> 100
: OBJECTIVE ( r:b:100 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;       \ reconstruct input; error to minimise

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  200 EPOCHS 0.01 ALPHA 42 SEED
  MUON-UPDATES 5 MUON-WARMUP! 0.9 MUON-BETA! 0.1 MUON-KAPPA!
  256 POPULATION ANTITHETIC SCORE-RANK-SHAPED
  0.01 ES-GAUSSIAN
  .METRICS ;

: MAIN ( -- )
  SETTINGS
  "datasets/sine-1000.csv" 100 CSV-INPUT
  ALL ['] OBJECTIVE TRAIN ;
