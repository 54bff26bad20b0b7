"""Large words and large programs do what the interpreter does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rules.source_to_binary import build_source
from tests.harness.agreement import run_both
from tests.harness.large_program import deep_loops, large_program, many_locals
from tests.harness.native import start
from tests.harness.programs import compiled

ROWS = [0.25, -2.0, 1.5]

# Loops of every kind, values that all rows share, chains over elements, blocks, layers in their own and in others' loops.
MIXED = """
: COLLATZ ( r -- r ) 0 { s } BEGIN DUP ABS 1 > WHILE 2/ s 1+ TO s REPEAT s + ;
: SERIES ( r -- r ) { x } 0 { s } 5 0 DO s x I 1+ / SIN + TO s s 2 > IF LEAVE THEN LOOP s ;
: PICKED ( r -- r ) { x } x 0> IF x SQRT ELSE x -0.5 * TANH THEN x COS x SIN * + ;
: SPREAD ( r:4 -- r ) { v } v v 4 IOTA * DOT v AMAX v AMIN - + v 1 2 SLICE v CONCAT PRODUCT + ;
: OBJECTIVE ( r:4 -- r ) DUP SPREAD SWAP 0.3 * 3 LINEAR TRAINABLE TANH
  1 LINEAR TRAINABLE 0 AT + DUP COLLATZ SWAP SERIES + PICKED RANDN 0.01 * + SQUARE ;
: MAIN ( -- ) OBJECTIVE-LOSS 3 EPOCHS 6 POPULATION .METRICS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""


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
def test_a_program_whose_functions_are_cut_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 definitions, two epochs of four members."""
    monkeypatch.setattr("geode.emit.split_functions.LARGE", 4000)
    rows = np.random.default_rng(0).normal(size=(5, 4)).astype("f4")
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", fmt="%.9g")
    text = large_program(300)
    assert "GS_PART_OF_CALLS" in compiled(text).units[-1].text
    pair = run_both(text, tmp_path, dtype="float32")
    assert pair.differences(0) == []


@pytest.mark.native
@pytest.mark.parametrize("build", ["clang debug", pytest.param("clang fast", marks=pytest.mark.slow)])
def test_operations_over_whole_tiles_change_no_digit(
    build: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The units of one program once in loops over vectors, once as large units are written, with either compiler."""
    np.savetxt(tmp_path / "rows.csv", np.random.default_rng(1).normal(size=(37, 4)), delimiter=",", fmt="%.9g")
    toolchain, profile = build.split()
    lines = []
    for way, (compiler, large) in enumerate([(toolchain, 10**9), (toolchain, -1), ("gcc", -1)]):
        monkeypatch.setattr("geode.emit.split_functions.LARGE", large)
        source = tmp_path / f"p{way}.gs"
        source.write_text(
            f"{MIXED}\\ {large}\n", encoding="utf-8"
        )  # another text: the front end's result is kept by it
        built = build_source(
            str(source),
            {},
            folder=tmp_path / f"b{way}",
            toolchain=compiler,
            profile=profile,
            lanes=None,
            warn=pytest.fail,
            show=lambda _: None,
        )
        assert all(("gs_whole_" in unit.text) == (large < 0) for unit in built.text.units)
        assert any("loop0(" in unit.text for unit in built.text.units) == (large < 0)
        done = start([built.result.program], cwd=tmp_path)
        assert done.status == 0, done.err
        lines.append(done.epoch_lines)
    assert len(lines[0]) == 3
    assert lines[1] == lines[0]
    assert lines[2] == lines[0]
