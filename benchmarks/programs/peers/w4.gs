\ W4: cart-pole by the rules of Gymnasium's CartPole-v1, one game a member and epoch; the policy is 4-16-2 with TANH.
TARGET-CPU

: HIDDEN ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE TANH ;
: OUTPUT ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE ;

: NETWORK ( state:r:4 -- scores:r:2 ) 16 HIDDEN 2 OUTPUT ;

1 1.1 / CONSTANT PER-MASS                           \ of the cart and its pole; compilers divide by no constant either

\ Place and speed of the cart, angle of the pole and how fast it turns, 0.02 seconds later.
: PHYSICS ( r r r r force:r -- r r r r )
  { place speed angle turn force }
  angle SIN { sine }  angle COS { cosine }
  force 0.05 turn SQUARE * sine * + PER-MASS * { pushed }
  9.8 sine * cosine pushed * -
  4 3 / 0.1 PER-MASS * cosine SQUARE * - 0.5 * / { bent }
  pushed 0.05 PER-MASS * bent * cosine * - { moved }
  place 0.02 speed * +  speed 0.02 moved * +  angle 0.02 turn * +  turn 0.02 bent * + ;

: START ( -- r ) RAND 0.1 * 0.05 - ;

: REWARD ( -- r )                                   \ how many steps the pole stays up
  START START START START { place speed angle turn }
  0 { steps }
  500 0 DO
    place speed angle turn
    place speed angle turn 4 VEC NETWORK ARGMAX 2 * 1- 10 *
    PHYSICS TO turn TO angle TO speed TO place
    steps 1+ TO steps
    place ABS 2.4 >  angle ABS 12 PI * 180 / >  OR IF LEAVE THEN
  LOOP
  steps ;

: SETTINGS ( -- )
  OBJECTIVE-REWARD 2 WORKERS 7 SEED ADAM-UPDATES 0.05 ALPHA
  4096 POPULATION ANTITHETIC SCORE-RANK-SHAPED 0.1 ES-GAUSSIAN .METRICS ;

: MAIN ( -- ) SETTINGS 1 EPISODES ['] REWARD TRAIN ;
