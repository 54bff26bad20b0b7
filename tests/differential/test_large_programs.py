"""Large words and large programs do what the interpreter does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.harness.agreement import run_both
from tests.harness.large_program import deep_loops, large_program, many_locals
from tests.harness.programs import compiled

ROWS = [0.25, -2.0, 1.5]


@pytest.mark.native
def test_loops_eight_deep_and_two_hundred_locals(tmp_path: Path) -> None:
    """256 times each row, and the row 200 times with 1 + … + 199; one trained with the other around it."""
    words = f"""{deep_loops(8)}
{many_locals(200)}
: ROW ( r:1 -- r:2 ) 0 AT DUP WORD SWAP SUMS 2 VEC ;
: OBJECTIVE ( r:1 -- r ) 1 LINEAR TRAINABLE 0 AT WORD SUMS TANH ;
: MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION .METRICS "rows.csv" 1 CSV-INPUT {{ data }}
  data ['] ROW "out.csv" PREDICT  data ALL ['] OBJECTIVE TRAIN ;"""
    (tmp_path / "rows.csv").write_text("".join(f"{x}\n" for x in ROWS), encoding="utf-8")
    pair = run_both(words, tmp_path, dtype="float32")
    expected = [[256 * x, 200 * x + 199 * 100] for x in ROWS]
    assert np.allclose(pair.native[0].table, expected)  # type: ignore[arg-type] -- PREDICT gives a table
    assert [pair.differences(stage) for stage in range(2)] == [[], []]


@pytest.mark.native
@pytest.mark.slow
def test_a_program_whose_functions_are_cut_in_parts(tmp_path: Path) -> None:
    """Of 300 definitions, two epochs of four members."""
    rows = np.random.default_rng(0).normal(size=(5, 4)).astype("f4")
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", fmt="%.9g")
    text = large_program(300)
    assert "GS_PART" in compiled(text).units[-1].text
    pair = run_both(text, tmp_path, dtype="float32")
    assert pair.differences(0) == []
