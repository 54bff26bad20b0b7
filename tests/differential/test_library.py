"""The bundled library `<nn>`, and programs with random words, loops and tokens: the binary against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.agreement import run_both
from tests.harness.example_program import write_rows

pytestmark = pytest.mark.native

_MAIN = ": MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION 0.05 ES-GAUSSIAN ADAM-UPDATES .METRICS "

LIBRARY = (
    """
INCLUDE <nn>
: SEQUENCE ( r:4 -- r:2 )
  DUP CONCAT r:4:2 RESHAPE { x }
  r:3 ZEROS x ['] GRU-CELL FOLD 2 LINEAR TRAINABLE
  r:3 ZEROS x ['] MINGRU-CELL FOLD 2 LINEAR TRAINABLE +
  r:3 ZEROS r:3 ZEROS x 0 AT LSTM-CELL + 2 LINEAR TRAINABLE +
  x 4 LINEAR TRAINABLE TRANSFORMER-BLOCK ATTENTION 3 AT 5 2 MLP +
  DUP 4 RESIDUAL-MLP + ;
: OBJECTIVE ( r:b:4 -- r ) DUP SEQUENCE SUM SWAP 0 AT - SQUARE MEAN ;
"""
    + _MAIN
    + """"rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;"""
)

RANDOM = (
    """
: STEP ( r -- r ) RAND 0.5 - + ;
: WALK ( -- r )
  r:2 PARAM 1 INIT-CONSTANT TRAINABLE { a }
  RANDN a 0 AT * EPISODE 0.01 * +
  5 0 DO STEP LOOP
  0 { k } BEGIN RAND 0.3 > WHILE k 1+ TO k REPEAT
  k + SQUARE a 1 AT RANDN * MEMBER-RANDN + ABS + ;
"""
    + _MAIN
    + """EVALUATE-EVERY-1 30 EPISODES ['] WALK TRAIN 20 EPISODES ['] WALK EVALUATE
  20 EPISODES ['] WALK "out.csv" PREDICT ;""".replace("EVALUATE-EVERY-1", "1 EVALUATE-EVERY")
)

TOKENS = (
    """
: BLOCK ( r:4 -- r:4 ) DUP 4 LINEAR 0.3 INIT-NORMAL TRAINABLE TANH + ;
: CELL ( h:r:4 x:r -- r:4 ) { h x } h x 1 VEC CONCAT 4 LINEAR TRAINABLE TANH ;
: OBJECTIVE ( r:b:4 -- r )
  2 ['] BLOCK LAYERS 3 ['] BLOCK TIMES ['] BLOCK ~ { w } w w
  DUP r:4 ZEROS SWAP ['] CELL FOLD SWAP
  DUP CONCAT DUP CONCAT ['] SQUARE MAP SUM SWAP SUM + 0.01 * SUM ;
"""
    + _MAIN
    + """"rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;"""
)


@pytest.mark.parametrize("text", [LIBRARY, RANDOM, TOKENS], ids=["library", "random", "tokens"])
def test_the_binary_computes_what_the_reference_says(text: str, tmp_path: Path) -> None:
    """Every epoch, evaluation and prediction of every stage agrees to 1e-4."""
    write_rows(tmp_path)
    pair = run_both(text, tmp_path)
    assert [pair.differences(stage) for stage in range(len(pair.native))] == [[] for _ in pair.native]
