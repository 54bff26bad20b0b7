\ Pendulum: swing a pendulum up and hold it there with a motor too weak to lift it at once.
\ The physics and costs are those of Gymnasium's Pendulum-v1; the policy is a 3-16-1 network that gives the torque.
TARGET-CPU

10.0 CONSTANT GRAVITY
0.05 CONSTANT TAU               \ seconds a step
2.0  CONSTANT STRONGEST         \ torque in N m
8.0  CONSTANT FASTEST           \ radians a second
200  CONSTANT STEPS

: POLICY ( x:r y:r speed:r -- torque:r )
  3 VEC 16 AFFINE TRAINABLE TANH 1 AFFINE TRAINABLE TANH SUM STRONGEST * ;

: TORQUE ( angle:r speed:r -- torque:r ) { a w } a COS a SIN w POLICY ;

\ A rod of 1 kg and 1 m, hung at its end; angle 0 is upright.
: PHYSICS ( angle:r speed:r torque:r -- angle:r speed:r )
  { a w torque }
  w  GRAVITY 1.5 * a SIN *  torque 3 * +  TAU * +  FASTEST NEGATE FASTEST CLAMP  { faster }
  a faster TAU * +  faster ;

: COST ( angle:r speed:r torque:r -- cost:r )
  { a w torque }
  a PI + 2 PI * MOD PI - SQUARE  w SQUARE 0.1 * +  torque SQUARE 0.001 * + ;

: REWARD ( -- r )
  RAND 2 * 1- PI *  RAND 2 * 1-  { a w }              \ any angle, turning at -1 … 1
  0 { cost }
  STEPS 0 DO
    a w TORQUE { torque }
    cost  a w torque COST +  TO cost
    a w torque PHYSICS TO w TO a
  LOOP
  cost NEGATE ;

: SETTINGS ( -- )
  OBJECTIVE-REWARD
  300 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.1 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.1 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  16 EPISODES ['] REWARD TRAIN
  1000 EPISODES ['] REWARD EVALUATE ;                 \ the mean of 1000 other swings
