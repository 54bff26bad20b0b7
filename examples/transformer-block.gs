\ A transformer block learns to copy: four letters, then four blanks at which it must repeat them.
\ The block stands in the library; here it is applied twice, with the same weights.
TARGET-CPU
INCLUDE <nn>

6  CONSTANT LETTERS
16 CONSTANT WIDTH

: LETTER ( -- r ) RAND LETTERS * FLOOR ;
: TEXT   ( -- r:4 ) LETTER LETTER LETTER LETTER 4 VEC ;

\ Letters become vectors, and so do places; the number LETTERS stands for the blank.
: EMBEDDED ( text:r:4 -- r:8:WIDTH )
  LETTERS r:4 FILL CONCAT
  LETTERS 1+ WIDTH EMBED 0.5 INIT-NORMAL TRAINABLE
  r:8:WIDTH PARAM 0.5 INIT-NORMAL TRAINABLE + ;

: NETWORK ( text:r:4 -- scores:r:4:LETTERS )
  EMBEDDED  2 ['] TRANSFORMER-BLOCK TIMES
  RMSNORM TRAINABLE  LETTERS LINEAR TRAINABLE
  TRANSPOSE 4 4 SLICE TRANSPOSE ;               \ what stands at the last four places

: OBJECTIVE ( -- r )
  TEXT { text } text NETWORK { scores }
  0 { loss } 4 0 DO loss  scores I AT text I AT LOSS-CROSS-ENTROPY  + TO loss LOOP loss 4 / ;

: CORRECT ( -- r )                              \ the share of letters copied right
  TEXT { text } text NETWORK { scores }
  0 { hits } 4 0 DO hits  scores I AT text I AT ACCURACY  + TO hits LOOP hits 4 / ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  150 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.05 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.02 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  64 EPISODES ['] OBJECTIVE TRAIN
  1000 EPISODES ['] CORRECT EVALUATE ;         \ of 1000 texts drawn anew
