\ Acrobot: two links hang from a hinge, with a motor only in the joint between them; swing the tip above a line.
\ The physics and rewards are those of Gymnasium's Acrobot-v1; the policy is a 6-16-3 network that picks one of three torques.
TARGET-CPU

9.8 CONSTANT GRAVITY
0.2 CONSTANT TAU                         \ seconds a step
500 CONSTANT STEPS

\ The state is ( upper lower upper-speed lower-speed ): the angle of the first link from hanging down, that of the second
\ relative to the first, and how fast they change. Each link is 1 m long, of 1 kg and moment of inertia 1 kg m².
: CHANGE ( state:r:4 torque:r -- r:4 )
  { torque } UNVEC { a b v w }
  b COS { cosine }  b SIN 2/ { sine }
  3.5 cosine +  { d1 }   1.25 cosine 2/ +  { d2 }
  a b + SIN GRAVITY 2/ *  { phi2 }
  w SQUARE sine * NEGATE  v w * sine * 2* -  a SIN GRAVITY 1.5 * * +  phi2 +  { phi1 }
  torque  d2 d1 / phi1 * +  v SQUARE sine * -  phi2 -   1.25 d2 SQUARE d1 / -  /  { lower }
  v w  d2 lower * phi1 + d1 / NEGATE  lower  4 VEC ;

: WRAPPED ( r -- r ) PI + 2 PI * MOD PI - ;

\ One step of the classical method of Runge and Kutta.
: PHYSICS ( state:r:4 torque:r -- state:r:4 )
  { s torque }
  s torque CHANGE { k1 }
  s k1 TAU 2/ * + torque CHANGE { k2 }
  s k2 TAU 2/ * + torque CHANGE { k3 }
  s k3 TAU * + torque CHANGE { k4 }
  s  k1 k2 2* + k3 2* + k4 +  TAU 6 / * +  UNVEC { a b v w }
  a WRAPPED  b WRAPPED  v PI -4 * PI 4 * CLAMP  w PI -9 * PI 9 * CLAMP  4 VEC ;

: POLICY ( r:6 -- scores:r:3 ) 16 AFFINE TRAINABLE TANH 3 AFFINE TRAINABLE ;

: TORQUE ( state:r:4 -- torque:r )       \ -1, 0 or 1
  UNVEC { a b v w }  a COS a SIN b COS b SIN v w 6 VEC  POLICY ARGMAX 1- ;

: UP ( state:r:4 -- f ) UNVEC 2DROP { a b } a COS NEGATE  a b + COS -  1 > ;

: REWARD ( -- r )                        \ minus the number of steps before the tip is up
  RAND RAND RAND RAND 4 VEC 0.2 * 0.1 - { state }
  0 { steps }
  STEPS 0 DO
    state DUP TORQUE PHYSICS TO state
    state UP IF LEAVE THEN
    steps 1+ TO steps
  LOOP
  steps NEGATE ;

: SETTINGS ( -- )
  OBJECTIVE-REWARD
  60 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.2 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.1 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  16 EPISODES ['] REWARD TRAIN
  1000 EPISODES ['] REWARD EVALUATE ;    \ the mean of 1000 other starts
