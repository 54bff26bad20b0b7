\ A recurrent network guesses the next byte of a text from those before it.
\ The text is Python's own help. A byte is looked up in a table of vectors, a minGRU (Feng et al. 2024) gathers them in a
\ state, and the state scores each of the 256 bytes that may come next. The loss is the mean of -log2 of the probability of
\ the byte that does come: 8 bits if all are equal, 4.70 if each has its frequency in the text. The network is trained on
\ the first six sevenths, and evaluated on the rest.
TARGET-CPU
INCLUDE <nn>

32 CONSTANT WINDOW      \ bytes that are read from a state of zeros on
16 CONSTANT WIDTH
32 CONSTANT STATE

: READ  ( h:r:STATE byte:r -- r:STATE ) 256 WIDTH EMBED 0.5 INIT-NORMAL TRAINABLE MINGRU-CELL ;
: GUESS ( h:r:STATE -- r:256 ) 256 AFFINE INIT-ZERO TRAINABLE ;

: BITS ( text:r:WINDOW -- r )
  { text } r:STATE ZEROS { h } 0 { nats }
  WINDOW 1- 0 DO
    h text I AT READ TO h
    h GUESS text I 1+ AT LOSS-CROSS-ENTROPY nats + TO nats
  LOOP
  nats 2 LN / WINDOW 1- / ;

: SETTINGS ( -- )
  OBJECTIVE-LOSS
  400 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.1 EGGROLL-R1 SCORE-RANK-SHAPED
  ADAM-UPDATES 0.02 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  "datasets/python-topics.txt" WINDOW TEXT-INPUT { text }
  text 0 7000 ROWS 48 BATCH ['] BITS TRAIN
  text 7000 1192 ROWS ALL ['] BITS EVALUATE ;
