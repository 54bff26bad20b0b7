\ Handwritten digits of 8 by 8 pixels, read by a small convolutional network.
\ 1500 pictures are for training, 256 of them in each epoch; the other 297 tell how well it reads what it has never seen.
TARGET-CPU

: FILTERS ( <layer> n -- <layer> ) 3 CONV2D INIT-HE BIAS TRAINABLE RELU ;    \ n filters of 3 by 3, same size

: NETWORK ( r:64 -- r:10 )                    \ pixels to ten scores
  16 / r:1:8:8 RESHAPE                        \ one channel of 8 by 8, values 0 … 1
  8 FILTERS 2 MAXPOOL                         \ 8 channels of 4 by 4
  r:128 RESHAPE
  10 AFFINE TRAINABLE ;

\ A row: 64 pixels, then the digit.
: PICTURE ( r:65 -- r:64 digit:r ) 64 SPLIT 0 AT ;

: OBJECTIVE ( r:65 -- r ) PICTURE { digit } NETWORK digit LOSS-CROSS-ENTROPY ;
: CORRECT   ( r:65 -- r ) PICTURE { digit } NETWORK digit ACCURACY ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  600 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.1 ES-GAUSSIAN SIGMA-COSINE SCORE-RANK-SHAPED
  ADAM-UPDATES 0.05 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  "datasets/digits.csv" 65 CSV-INPUT { digits }
  digits 0 1500 ROWS 256 BATCH ['] OBJECTIVE TRAIN
  digits 1500 297 ROWS ALL ['] CORRECT EVALUATE ;
