"""Rows, members and workers that divide nothing: one digest of metrics per program, whatever builds and runs it.

Tiles have up to 48 rows, blocks of a batch sum 960, a pair two members: each count is one below, at and one above those,
or as small as it can be.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import random
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from rules.toolchain import LANES
from tests.harness.native import build, start

pytestmark = pytest.mark.native

_SETTINGS = """
: SETTINGS ( -- )
  OBJECTIVE-LOSS 2 EPOCHS 7 SEED 0.05 ALPHA {update} 64 POPULATION INDEPENDENT {score} 0.05 ES-GAUSSIAN .METRICS ;

: MAIN ( -- )
  SETTINGS "rows.csv" 5 CSV-INPUT {{ rows }}
  rows ALL ['] OBJECTIVE TRAIN
  rows ALL ['] OBJECTIVE EVALUATE ;
"""
PROGRAMS = {
    "by-row": """TARGET-CPU
: HIDDEN    ( <layer> n -- <layer> ) AFFINE INIT-HE TRAINABLE TANH ;
: NETWORK   ( r:* -- r:5 ) 7 HIDDEN 5 LINEAR INIT-XAVIER TRAINABLE ;
: OBJECTIVE ( r:5 -- r ) DUP NETWORK SOFTMAX LOSS-MSE DUP 0.1 > IF SQRT ELSE 2* THEN ;
"""
    + _SETTINGS.format(update="ADAM-UPDATES", score="SCORE-RANK-SHAPED"),
    "by-batch": """TARGET-CPU
: LAYER     ( <layer> n -- <layer> ) LINEAR INIT-XAVIER TRAINABLE ;
: NETWORK   ( r:* -- r:5 ) 9 LAYER RELU 5 LAYER ;
: ERRORS    ( r:5 -- r ) DUP NETWORK LOSS-EUCLIDEAN ;
: OBJECTIVE ( r:b:5 -- r ) ERRORS DUP MEAN SWAP AMAX + ;
"""
    + _SETTINGS.format(update="MUON-UPDATES", score="SCORE-ZSCORE"),
}
ROWS = (1, 2, 47, 48, 49, 959, 960, 961, 2000)
POPULATIONS = (2, 3, 257)
WORKERS = (1, 2, 3, 8)
COMPILERS = ("gcc", "clang", "zig")
Digest = Callable[[Path, int, int, int], str]
Known = Callable[[str, int, int], str]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file `rows-N.csv` for every N."""
    folder = tmp_path_factory.mktemp("rows")
    source = random.Random(3)
    lines = [",".join(f"{source.uniform(-1, 1):.5f}" for _ in range(5)) + "\n" for _ in range(max(ROWS))]
    for rows in ROWS:
        (folder / f"rows-{rows}.csv").write_text("".join(lines[:rows]))
    return folder


@pytest.fixture(scope="module")
def digest(data: Path) -> Digest:
    """A run of a binary over so many rows, with so many members and workers, to the digest of what it prints."""

    def run(binary: Path, rows: int, population: int, workers: int) -> str:
        options = ("--data", f"rows-{rows}.csv", "--population", str(population), "--workers", str(workers))
        done = start([binary, *options], cwd=data)
        assert done.status == 0, done.err
        results = [line for line in done.out.splitlines() if line.startswith(("result", "evaluate"))]
        assert len(done.epoch_lines) == 2
        assert len(results) == 3
        return hashlib.sha256("\n".join([*done.epoch_lines, *results]).encode()).hexdigest()

    return run


@pytest.fixture(scope="module")
def known(digest: Digest, tmp_path_factory: pytest.TempPathFactory) -> Known:
    """The digest of a program's run by the portable build of another compiler than the tests' own, with one worker."""
    compiler = next(name for name in ("gcc", *COMPILERS) if _is_there(name))
    folder = tmp_path_factory.mktemp("known")
    found: dict[tuple[str, int, int], str] = {}

    def look(name: str, rows: int, population: int) -> str:
        key = name, rows, population
        if key not in found:
            binary = _build(folder, name, compiler, "portable", None)
            found[key] = digest(binary, rows, population, 1)
        return found[key]

    return look


def _is_there(compiler: str) -> bool:
    return importlib.util.find_spec("ziglang") is not None if compiler == "zig" else shutil.which(compiler) is not None


def _build(folder: Path, name: str, compiler: str, profile: str, lanes: int | None) -> Path:
    if not _is_there(compiler):
        pytest.skip(f"no {compiler}")
    binary = folder / name / "out" / "program"
    if not binary.exists():
        (folder / f"{name}.gs").write_text(PROGRAMS[name])
        width = () if lanes is None else ("--lanes", str(lanes))
        build(folder / f"{name}.gs", folder / name, "--toolchain", compiler, "--profile", profile, *width)
    return binary


def differing(
    binary: Path, name: str, digest: Digest, known: Known, cells: Iterable[tuple[int, int, int]]
) -> list[str]:
    """The cells (rows, population, workers) whose digest is not the known one."""
    return [
        f"{rows} rows, {population} members, {workers} workers"
        for rows, population, workers in cells
        if digest(binary, rows, population, workers) != known(name, rows, population)
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_awkward_sizes_change_no_digit(tmp_path: Path, name: str, digest: Digest, known: Known) -> None:
    """Around one tile and one block, with odd populations and more workers than rows: the portable build's digest."""
    compiler = "clang" if _is_there("clang") else "gcc"
    binary = _build(tmp_path, name, compiler, "fast", None)
    cells = [(1, 2, 8), (2, 3, 2), (47, 3, 3), (48, 257, 1), (49, 3, 2), (959, 2, 3), (960, 2, 1), (961, 3, 2)]
    assert differing(binary, name, digest, known, cells) == []


def test_digest_tells_sizes_apart(known: Known) -> None:
    """Another number of rows or members gives another digest, so that equal ones mean something."""
    cells = [(47, 3), (48, 3), (49, 3), (48, 2)]
    assert len({known("by-row", *cell) for cell in cells}) == len(cells)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("profile", ["fast", "portable"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_build_has_one_digest(
    tmp_path: Path, compiler: str, profile: str, lanes: int, name: str, digest: Digest, known: Known
) -> None:
    """Every compiler, profile and tile width, over every number of rows, members and workers."""
    binary = _build(tmp_path, name, compiler, profile, lanes)
    assert differing(binary, name, digest, known, itertools.product(ROWS, POPULATIONS, WORKERS)) == []
