"""Tiles of many members, with rows that make room for the next, compute the bits of tiles of one member."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.source import Source
from tests.harness.agreement import run_both
from tests.harness.members_programs import FAMILIES, WORDS, members_program
from tests.harness.native import Finished, build, start

pytestmark = pytest.mark.native
POPULATIONS = ("2", "24", "150")


def _built(folder: Path, family: str, *options: str, sampling: str = "ANTITHETIC") -> Path:
    source = folder / "members.gs"
    source.write_text(members_program(family, sampling), encoding="utf-8")
    return build(source, folder / "-".join(options).replace("/", "").replace("=", ""), *options)


def _run(program: Path, *options: str) -> Finished:
    done = start([program, *options], cwd=program.parent)
    assert done.status == 0, done.err
    assert len(done.epoch_lines) == 2 * len(WORDS)
    return done


@pytest.mark.parametrize("family", FAMILIES)
def test_both_forms_give_the_same_lines(family: str, tmp_path: Path) -> None:
    """For few members and many, with any number of workers, for one row, some, and more than a tile holds."""
    for rows in ("7", "1", "50") if family == "dense" else ("7",):
        program = _built(tmp_path, family, "-D", f"N={rows}")
        for population in POPULATIONS:
            lines = _run(program, "--population", population, "--tiles", "rows").epoch_lines
            for workers in ("1", "3"):
                done = _run(program, "--population", population, "--tiles", "members", "--workers", workers)
                assert done.epoch_lines == lines, (rows, population, workers)


def test_members_without_partners(tmp_path: Path) -> None:
    """INDEPENDENT: a pair is one member."""
    program = _built(tmp_path, "dense", sampling="INDEPENDENT")
    for population in ("3", "77"):
        lines = _run(program, "--population", population, "--tiles", "rows").epoch_lines
        assert _run(program, "--population", population, "--tiles", "members").epoch_lines == lines


@pytest.mark.parametrize("optimised", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_build_changes_a_digit(tmp_path: Path, *, optimised: bool) -> None:
    """Compilers, tile widths and optimisation: one digest, in either form."""
    ways = [
        ("--toolchain", "gcc", "--profile", "portable" if optimised else "debug", "--lanes", "8"),
        ("--toolchain", "clang", "--profile", "debug", "--lanes", "48"),
        ("--toolchain", "gcc", "--profile", "debug", "--lanes", "1"),
    ]
    programs = [_built(tmp_path, "rank 2", *options) for options in ways if shutil.which(options[1])]
    digests = {_run(p, "--tiles", tiles).digest for p in programs for tiles in ("rows", "members")}
    assert len(digests) == 1


@pytest.mark.slow
def test_nothing_undefined_happens(tmp_path: Path) -> None:
    """The sanitize profile, in either form, for every family."""
    for family in FAMILIES:
        program = _built(tmp_path, family, "--profile", "sanitize")
        assert _run(program, "--tiles", "members").epoch_lines == _run(program, "--tiles", "rows").epoch_lines


@pytest.mark.slow
@pytest.mark.parametrize("lanes", ["1", "8", "16", "24", "32", "48"])
def test_every_width(lanes: str, tmp_path: Path) -> None:
    """Every tile width, compiler, family and number of workers."""
    for family in FAMILIES:
        digests = set()
        for toolchain in ("gcc", "clang"):
            if not shutil.which(toolchain):
                continue
            program = _built(tmp_path, family, "--toolchain", toolchain, "--lanes", lanes)
            for workers in ("1", "2", "5"):
                digests |= {_run(program, "--tiles", t, "--workers", workers).digest for t in ("rows", "members")}
        assert len(digests) == 1, family


def test_rows_are_lost_at_the_limit_alone(tmp_path: Path) -> None:
    """Of the members of HUNT some are NaN and some not, so that the comparison has met both."""
    done = _run(_built(tmp_path, "dense"), "--tiles", "members")
    nan = [int(re.findall(r" nan=(\d+)", line)[0]) for line in done.epoch_lines]
    hunt = list(WORDS).index("HUNT")
    assert all(0 < n < 24 for n in nan[2 * hunt : 2 * hunt + 2])


def test_the_interpreter_says_the_same(tmp_path: Path) -> None:
    """The default way, whatever it is, and the reference agree to 1e-4."""
    pair = run_both(members_program("dense"), tmp_path, {"population": 4}, dtype="float32")
    for stage in range(len(WORDS)):
        assert not pair.differences(stage)


def test_which_words_have_the_form(tmp_path: Path) -> None:
    """All of these do; a rollout is a word with a long loop of its own. --tiles is checked like any option."""
    program = compile_program(Source("m.gs", members_program("dense")))
    parts = {unit.word for unit in program.units if "_step(" in unit.text}
    assert parts == {"GAME", "EVEN", "HUNT", "SHARED-LOOP"}
    assert program.program_c.count(".members_form = &") == len(WORDS)
    done = start([_built(tmp_path, "dense"), "--tiles", "many"])
    assert done.status == 2
    assert "--tiles: `many` is not allowed, wanted auto, rows or members" in done.err
