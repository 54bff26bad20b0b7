\ Cart-pole: push a cart left or right so that the pole on it does not fall, for 500 steps of 0.02 seconds.
\ The physics and the rules are those of Gymnasium's CartPole-v1, written in the language; the policy is a 4-16-2 network.
TARGET-CPU

9.8  CONSTANT GRAVITY
1.0  CONSTANT CART                      \ masses in kg
0.1  CONSTANT POLE
0.5  CONSTANT HALF                      \ half of the pole's length in m
10.0 CONSTANT PUSH                      \ the force in N
0.02 CONSTANT TAU                       \ seconds a step
2.4  CONSTANT TRACK                     \ beyond it the cart has left the track
12 PI * 180 / CONSTANT TILT             \ beyond it the pole has fallen
500  CONSTANT STEPS
CART POLE +   CONSTANT MASS
POLE HALF *   CONSTANT MOMENT

\ The state: place and speed of the cart, angle of the pole and how fast it turns.
: PHYSICS ( place:r speed:r angle:r turn:r force:r -- place:r speed:r angle:r turn:r )
  { x v a w force }
  a SIN { sine }  a COS { cosine }
  force  MOMENT w SQUARE * sine * +  MASS /  { pushed }
  GRAVITY sine *  cosine pushed * -
  4 3 /  POLE cosine SQUARE * MASS / -  HALF *  /  { bent }         \ angular acceleration of the pole
  pushed  MOMENT bent * cosine * MASS / -  { moved }                \ acceleration of the cart
  x TAU v * +   v TAU moved * +   a TAU w * +   w TAU bent * + ;

: POLICY ( state:r:4 -- scores:r:2 ) 16 AFFINE TRAINABLE TANH 2 AFFINE TRAINABLE ;

: FORCE ( state:r:4 -- force:r ) POLICY ARGMAX 2 * 1- PUSH * ;      \ score 0 larger: left, score 1 larger: right

: START ( -- r ) RAND 0.1 * 0.05 - ;                                \ -0.05 … 0.05

: REWARD ( -- r )                                                   \ how many steps the pole stays up
  START START START START { x v a w }
  0 { steps }
  STEPS 0 DO
    x v a w  x v a w 4 VEC FORCE  PHYSICS  TO w TO a TO v TO x
    steps 1+ TO steps
    x ABS TRACK >  a ABS TILT >  OR IF LEAVE THEN
  LOOP
  steps ;

: SETTINGS ( -- )
  OBJECTIVE-REWARD
  60 EPOCHS 256 POPULATION ANTITHETIC 1 SEED
  0.2 ES-GAUSSIAN SCORE-RANK-SHAPED
  ADAM-UPDATES 0.1 ALPHA ALPHA-COSINE
  .METRICS 10 METRICS-EVERY ;

: MAIN ( -- )
  SETTINGS
  16 EPISODES ['] REWARD TRAIN                                      \ each member plays 16 games, all the same ones
  1000 EPISODES ['] REWARD EVALUATE ;                               \ the mean of 1000 other games
