"""Straight is resumed for every optimizer and perturbation, on all rows and on batches, and where everything is on at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.harness.checkpoint import header_of
from tests.harness.saved_runs import Saver, straight_and_resumed
from tests.harness.trainer import numbers, trainer

FAMILIES = ("ES-GAUSSIAN", "2 EGGROLL", "OMELETTE-R1")
# All rows, then a batch that does not divide the 13 rows; four epochs each.
TEXT = """
: NET ( r:4 -- r:4 ) 3 AFFINE TRAINABLE TANH 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:b:4 -- r ) DUP NET LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 4 EPOCHS 8 POPULATION 3 SEED 0.05 ALPHA ANTITHETIC 0.1 {family} .METRICS "rows.csv" 4 CSV-INPUT {{ rows }}
  rows ALL ['] OBJECTIVE TRAIN  rows 5 BATCH ['] OBJECTIVE TRAIN ;
"""
# The same with members that are NaN by chance, an EVALUATE and draws of each row.
EVERYTHING = """
: NET ( r:4 -- r:4 ) 3 AFFINE TRAINABLE TANH RANDN 0.1 * + 4 LINEAR TRAINABLE ;
: UNLUCKY ( r -- r ) MEMBER-RANDN 2 > IF 0 0 / + THEN ;
: OBJECTIVE ( r:4 -- r ) DUP NET LOSS-EUCLIDEAN 0.1 * UNLUCKY ;
: MAIN ( -- )
  OBJECTIVE-LOSS 6 EPOCHS 6 POPULATION 8 SEED 0.5 ALPHA ALPHA-COSINE SIGMA-COSINE ANTITHETIC 0.1 2 EGGROLL
  ADAM-UPDATES 3 PATIENCE 2 EVALUATE-EVERY .METRICS "rows.csv" 4 CSV-INPUT { rows }
  rows 5 BATCH ['] OBJECTIVE TRAIN  rows ALL ['] OBJECTIVE EVALUATE  rows 1 BATCH ['] OBJECTIVE TRAIN ;
"""

pytestmark = pytest.mark.native


def write_rows(folder: Path) -> None:
    """13 rows of four numbers."""
    rows = np.random.default_rng(2).uniform(-1, 1, (13, 4))
    np.savetxt(folder / "rows.csv", rows, delimiter=",", fmt="%.3f")


@pytest.fixture(scope="module", params=FAMILIES, ids=lambda family: family.replace(" ", "-"))
def program(request, tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """The program under one perturbation."""
    folder = tmp_path_factory.mktemp("matrix")
    write_rows(folder)
    return trainer(TEXT.format(family=request.param), folder, "matrix", "--workers", "1")


@pytest.mark.parametrize("optimizer", ["sgd", "sgdm", "rmsprop", "adam", "muon"])
def test_half_and_half_is_the_whole(program: Saver, optimizer: str) -> None:
    """T epochs are T/2 and the rest, in each stage, and so they are split at any other epoch: files to the bit."""
    assert straight_and_resumed(program, 8, (f"--{optimizer}-updates", "--alpha", "0.01")) == []


def test_everything_at_once(tmp_path: Path) -> None:
    """Cosines, PATIENCE, batches of 5 and of 1 of 13 rows, two TRAIN stages, EVALUATE-EVERY, NaN members: at every epoch."""
    write_rows(tmp_path)
    saver = trainer(EVERYTHING, tmp_path, "everything", "--workers", "1")
    whole = saver.good("--save-model-all", "s.safetensors")
    epochs = numbers(whole)
    bad = [epoch["nan"] for epoch in epochs]
    assert 0 < sum(bad) < 6 * len(bad)
    assert 1 in bad
    assert 6 < len(epochs) < 12, "one stage is to be ended by PATIENCE"
    assert header_of(tmp_path / "s.safetensors")["__metadata__"]["nan-members"] == str(int(sum(bad)))
    assert straight_and_resumed(saver, len(epochs)) == []
