"""A hundred random words: what the binary computes and what the interpreter says agree."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.harness.agreement import Pair, run_both
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.random_words import NET, random_word

_PROGRAMS, _WORDS, _SEED = 4, 25, 2_000


def program_text(program: int) -> str:
    """One program with a TRAIN stage for each of its words; the word of seed s is called by s."""
    seeds = range(_SEED + program * _WORDS, _SEED + (program + 1) * _WORDS)
    words = [random_word(seed, str(seed)) for seed in seeds]
    stages = "\n".join(f"  rows ['] OBJECTIVE-{seed} TRAIN" for seed in seeds)
    return "\n".join([NET, *words, f": MAIN ( -- )\n  {BASE} {DATA} ALL {{ rows }}\n{stages} ;"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rows that every word reads."""
    path = tmp_path_factory.mktemp("random")
    write_rows(path)
    return path


@cache
def runs(program: int, folder: Path) -> Pair:
    """One program by both."""
    return run_both(program_text(program), folder, dtype="float32")


def test_the_words_depend_on_the_seed_alone() -> None:
    """A failure's seed gives its program again, and other seeds give other programs."""
    assert random_word(_SEED, "a") == random_word(_SEED, "a")
    bodies = {random_word(seed, "a") for seed in range(_SEED, _SEED + _PROGRAMS * _WORDS)}
    assert len(bodies) > 0.9 * _PROGRAMS * _WORDS


@pytest.mark.native
@pytest.mark.parametrize("program", range(_PROGRAMS))
def test_random_words_compute_what_the_interpreter_says(program: int, folder: Path) -> None:
    """The scores of two epochs of four members, to 1e-4."""
    pair = runs(program, folder)
    assert len(pair.native) == len(pair.reference.stages) == _WORDS
    failed = []
    for place in range(_WORDS):
        found = pair.differences(place)
        if found:
            seed = _SEED + program * _WORDS + place
            failed.append("\n".join([f"seed {seed}:", *found, random_word(seed, str(seed))]))
    assert not failed, "\n\n".join(failed)
