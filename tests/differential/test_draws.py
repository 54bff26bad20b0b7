"""RAND and RANDN draw the numbers of engine.md section 1, to the bit, by row and by the count of a row's earlier draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from geode.reference.streams import normals, stream_key, stream_name_hash, words
from tests.harness.trainer import trainer

# A stage that is no training draws for the epoch 2^64 - 1.
TEXT = """
: INNER ( -- r ) RAND ;
: UNIFORM ( -- r:2:2 ) RAND RAND STACK INNER DUP STACK STACK ;
: NORMAL ( -- r ) 0 3 0 DO DROP RANDN LOOP ;
: DRAW ( r -- r ) 0 * RANDN + ;
: MAPPED ( -- r:9 ) r:9 ZEROS ['] DRAW MAP ;
: MAIN ( -- ) 5 SEED 300 EPISODES ['] UNIFORM "uniform.csv" PREDICT  300 EPISODES ['] NORMAL "normal.csv" PREDICT
  20 EPISODES ['] MAPPED "mapped.csv" PREDICT ;
"""
EPOCH = 2**64 - 1

pytestmark = pytest.mark.native


def test_draws_of_every_row(tmp_path: Path) -> None:
    """(word >> 8) / 2^24 of each call site's own stream; the third draw in a loop is normal 2 of the row's stream."""
    trainer(TEXT, tmp_path).good()
    uniform, normal = (np.loadtxt(tmp_path / f"{name}.csv", delimiter=",", ndmin=2) for name in ("uniform", "normal"))
    for column, name in enumerate(("rand:RAND", "rand:RAND.2", "rand:INNER/RAND", "rand:INNER/RAND")):
        keys = [stream_key(stream_name_hash(name), 5, EPOCH, row) for row in range(300)]
        expected = [float(words(key, 0, 1)[0] >> np.uint32(8)) / 2**24 for key in keys]
        assert uniform[:, column].astype(np.float32).tolist() == expected
    keys = [stream_key(stream_name_hash("rand:RANDN"), 5, EPOCH, row) for row in range(300)]
    assert normal[:, 0].astype(np.float32).tolist() == [float(normals(key, 2, 1)[0]) for key in keys]
    mapped = np.loadtxt(tmp_path / "mapped.csv", delimiter=",", ndmin=2).astype(np.float32)
    for row, numbers in enumerate(mapped):  # the k-th element that a word is mapped on has the k-th draw
        key = stream_key(stream_name_hash("rand:DRAW/RANDN"), 5, EPOCH, row)
        assert numbers.tolist() == normals(key, 0, 9).astype(np.float32).tolist()
