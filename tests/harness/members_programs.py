"""A program whose words have a form for tiles of many members, each for another reason that the two forms might differ.

In: a family of noise and the members a pair. Out: the program's text; `-D N=` sets the rows of every stage. Invariant:
every stage trains a word without data for two epochs.
"""

from __future__ import annotations

WORDS = {
    # A game that rows leave in their own time, draws before it and in it, weights only in the policy.
    "GAME": """
: POLICY ( r:2 -- r:2 ) 5 AFFINE TRAINABLE TANH 2 AFFINE TRAINABLE ;
: GAME ( -- r )
  RAND 2 * 1- RANDN 0.3 * { x v }  0 { steps }
  40 0 DO
    x v 2 VEC POLICY ARGMAX 2 * 1- { push }
    x v 0.1 * + TO x   v push 0.4 * + MEMBER-RANDN 0.2 * + RAND 0.1 * + TO v
    steps 1+ TO steps
    x ABS 2 > IF LEAVE THEN
  LOOP
  steps x + ;""",
    # As many turns for all rows, weights read before and behind the loop, and a loop of its own in each turn.
    "EVEN": """
: MIX ( r:3 -- r:3 ) 3 LINEAR TRAINABLE SILU ;
: EVEN ( -- r )
  EPISODE 1+ 0.1 * RANDN RAND 3 VEC  3 AFFINE TRAINABLE { s }
  20 0 DO
    s MIX I 0.05 * + { t }
    BEGIN t SQUARE SUM 1 > WHILE t 0.7 * TO t REPEAT
    t TO s
  LOOP
  s 3 LINEAR TRAINABLE SUM ;""",
    # Rows that go on until a weight stops them; some never do, and are lost at LOOP-LIMIT.
    "HUNT": """
: STRIDE ( -- r ) r:1 PARAM 0.05 INIT-CONSTANT TRAINABLE SUM ;
: HUNT ( -- r )
  STRIDE { step }  RAND 3 * { goal }  0 { place }
  BEGIN place goal < WHILE place step + MEMBER-RANDN 0.01 * + TO place REPEAT
  place goal - SQUARE NEGATE ;""",
    # No loop: a layer whose input no weight reaches, one whose input does, and a matrix read as a value.
    "NETWORK": """
: WIDEN ( r:4 -- r:7 ) 7 AFFINE TRAINABLE RELU ;
: READ ( r:7 -- r:5 ) { h } r:5:7 PARAM 0.3 INIT-CONSTANT TRAINABLE h MATMUL ;
: CHOOSE ( r:5 -- r:3 ) 9 AFFINE TRAINABLE GELU 3 LINEAR TRAINABLE SOFTMAX ;
: NETWORK ( -- r ) RANDN RANDN RANDN RANDN 4 VEC WIDEN READ CHOOSE 0 AT ;""",
    # A loop over what all rows of a member share, an early exit for all of them, and a row's own end.
    "SHARED-LOOP": """
: SHARED-LOOP ( -- r )
  r:1 PARAM 0.5 INIT-CONSTANT TRAINABLE SUM { a }
  0 a { turns x }
  BEGIN x ABS 0.1 > WHILE x 0.6 * TO x turns 1+ TO turns REPEAT
  30 0 DO x 0.01 + TO x  x 0.25 > IF LEAVE THEN LOOP
  turns x + RAND * ;""",
}

FAMILIES = {"dense": "0.3 ES-GAUSSIAN", "rank 2": "0.3 2 EGGROLL", "rank 1": "0.3 OMELETTE-R1"}


def members_program(family: str, sampling: str = "ANTITHETIC") -> str:
    """The text; `family` is a word that sets the noise, `sampling` how many members a pair has."""
    stages = "\n".join(f"  N EPISODES ['] {word} TRAIN" for word in WORDS)
    return "\n".join(
        [
            "7 CONSTANT N",
            *WORDS.values(),
            ": MAIN ( -- )",
            f"  OBJECTIVE-REWARD 2 EPOCHS 24 POPULATION {sampling} 3 SEED 90 LOOP-LIMIT",
            f"  {FAMILIES[family]} SCORE-RANK-SHAPED SGD-UPDATES 0.05 ALPHA .METRICS 1 EVALUATE-EVERY",
            stages,
            ";",
        ]
    )
