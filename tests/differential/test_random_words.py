"""Random words: what the binary computes and what the interpreter says agree, as scores and row by row.

For longer: `GEODE_RANDOM=5000 pytest tests/differential/test_random_words.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.harness.agreement import Pair, disagreements, run_both
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.random_count import one_by_default, seeds
from tests.harness.random_words import FIXED, RandomWord, random_word

_TAME, _WILD, _SEED = 15, 10, 2_000
_WORDS = _TAME + _WILD
_PROGRAMS = range(len(seeds(125, step=_WORDS)))
_FULL = 4  # programs that train all of their tame words; those behind them train the first few, in half the time
_TRAINED = 3


def words_of(program: int) -> dict[int, RandomWord]:
    """The words of one program by seed: tame ones, some or all of which are trained, then wild ones."""
    first = _SEED + program * _WORDS
    return {first + k: random_word(first + k, str(first + k), wild=k >= _TAME) for k in range(_WORDS)}


def trained(program: int) -> list[int]:
    """The seeds of the words that a program trains."""
    return list(words_of(program))[: _TAME if program < _FULL else _TRAINED]


def stages_of(program: int) -> list[tuple[str, int]]:
    """Each stage's kind and word: values with the first weights, training, the trained words' values."""
    first = [("predict", seed) for seed in words_of(program) if seed not in trained(program)]
    return [*first, *(("train", seed) for seed in trained(program)), *(("predict", seed) for seed in trained(program))]


def program_text(program: int) -> str:
    """One program; each trained word has a stage of its own."""
    words = words_of(program)
    lines = [FIXED, *(word.word for word in words.values()), *(word.rows for word in words.values())]
    lines += [words[seed].objective for seed in trained(program)]
    stages = [
        f"data ALL ['] OBJECTIVE-{seed} TRAIN" if kind == "train" else f'data [\'] ROWS-{seed} "{seed}.csv" PREDICT'
        for kind, seed in stages_of(program)
    ]
    body = "\n  ".join(stages)
    return "\n".join([*lines, f": MAIN ( -- )\n  {BASE} 300 LOOP-LIMIT {DATA} {{ data }}\n  {body} ;"])


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
    assert words_of(0) == words_of(0)
    bodies = {word.word.partition(")")[2] for program in range(_FULL) for word in words_of(program).values()}
    assert len(bodies) > 0.9 * _FULL * _WORDS


@pytest.mark.native
@pytest.mark.parametrize("program", one_by_default([*_PROGRAMS[_FULL:], *_PROGRAMS[:_FULL]]))
def test_random_words_compute_what_the_interpreter_says(program: int, folder: Path) -> None:
    """The scores of two epochs of four members to 1e-4; the values of every row, without noise, to 1e-5."""
    pair = runs(program, folder)
    words = words_of(program)
    stages = stages_of(program)
    assert len(pair.native) == len(stages)
    found = {stage: pair.differences(stage, tolerance(kind)) for stage, (kind, _) in enumerate(stages)}
    wrong = disagreements(
        [stage for stage, lines in found.items() if lines],
        program_text(program),
        folder,
        pair,
        lambda stage: tolerance(stages[stage][0]),
    )
    report = [[f"seed {stages[stage][1]}:", *found[stage], words[stages[stage][1]].word] for stage in wrong]
    assert not wrong, "\n\n".join("\n".join(lines) for lines in report)


def tolerance(kind: str) -> float:
    """Of scores under noise, and of single values without."""
    return 1e-4 if kind == "train" else 1e-5


@pytest.mark.native
@pytest.mark.slow
def test_wild_words_do_make_what_is_not_finite(folder: Path) -> None:
    """So the comparison has met NaN and infinities, and ordinary numbers beside them."""
    tables = [stage.table for program in range(_FULL) for stage in runs(program, folder).native]
    values = np.concatenate([table.reshape(-1) for table in tables if table is not None])
    assert np.isnan(values).any()
    assert np.isinf(values).any()
    assert np.isfinite(values).mean() > 0.7
