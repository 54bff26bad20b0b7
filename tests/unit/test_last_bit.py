"""Roundings moved: what multiplies the last bit shows, what does not stays as it is to a few of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from geode.reference.program import run_program
from geode.source import Source
from tests.harness.agreement import hangs_on_a_bit
from tests.harness.last_bit import run_moved

# A quotient of ten thousand: MOD has the divisor's error that often. Counting to three stays counting to three.
STEEP = "{ x } x SUM 1e4 * x SUM 3 / MOD"
TAME = "TANH SUM 0 BEGIN 1+ DUP 3 >= UNTIL *"


def program(body: str) -> str:
    """A program that gives the body's value of every row."""
    return f': F ( r:4 -- r ) {body} ;\n: MAIN ( -- ) "rows.csv" 4 CSV-INPUT [\'] F "out.csv" PREDICT ;'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rows that no float32 holds."""
    np.savetxt(tmp_path / "rows.csv", np.linspace(0.1, 0.9, 40).reshape(10, 4), delimiter=",")
    return tmp_path


def table(body: str, folder: Path, salt: int) -> NDArray[np.float64]:
    """What every row leaves where roundings are moved."""
    return np.asarray(run_moved(program(body), folder, salt).stages[0].table)


@pytest.mark.parametrize(("body", "hangs"), [(STEEP, True), (TAME, False)])
def test_what_hangs_on_the_last_bit(body: str, hangs: bool, folder: Path) -> None:
    """By the judge that the random programs have."""
    exact = run_program(Source("program.gs", program(body)), {}, folder, dtype="float64").stages[0]
    assert hangs_on_a_bit(run_moved(program(body), folder, 0).stages[0], exact, 1e-5) is hangs


def test_the_move_is_small_and_depends_on_the_salt_alone(folder: Path) -> None:
    """A few parts in 2^24; another salt moves otherwise."""
    exact = np.asarray(run_program(Source("program.gs", program(TAME)), {}, folder, dtype="float64").stages[0].table)
    first = table(TAME, folder, 1)
    assert np.array_equal(first, table(TAME, folder, 1))
    assert not np.array_equal(first, table(TAME, folder, 2))
    assert 0 < np.abs(first / exact - 1).max() < 16 * 2.0**-24
