"""Every word whose example is a body trains on an Apple GPU as on the processor, to the bit, under the emulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.vocabulary import WORDS
from tests.harness.example_program import body_program, packs, write_rows
from tests.harness.metal import emulated, for_target, needs_cxx, told
from tests.harness.native import build, start

# What is computed in float64: GS612 says so (tests/cases/errors).
WIDE = ("POW", "LOG2", "LOG10", "TAN", "SINH", "COSH", "ASIN", "ACOS", "ATAN", "ATAN2")
_WIDE = re.compile(rf"(?:^|\s)(?:{'|'.join(WIDE)}|\*\*|FLOG|F\*\*)(?=\s|$)")
_BODIES = [
    (str(place), entry.example)
    for place, entry in enumerate(WORDS.values())
    if entry.example.body and "TARGET" not in entry.example.before and not _WIDE.search(entry.example.body)
]
_PACKS = packs(_BODIES, 24)


@needs_cxx
@pytest.mark.native
@pytest.mark.slow
@pytest.mark.parametrize("pack", range(len(_PACKS)))
def test_words_compute_what_the_processor_does(pack: int, tmp_path: Path) -> None:
    """Two epochs of each example, a TRAIN stage each in one program."""
    write_rows(tmp_path)
    text = f"TARGET-CPU\n{body_program(_PACKS[pack])}"
    programs = {}
    for target in ("TARGET-CPU", "TARGET-APPLE-METAL"):
        source = tmp_path / f"{target}.gs"
        source.write_text(for_target(text, target), encoding="utf-8")
        programs[target] = build(source, tmp_path / target, "--profile", "debug")
    here = told(start([programs["TARGET-CPU"]], cwd=tmp_path))
    there = told(emulated(programs["TARGET-APPLE-METAL"], cwd=tmp_path))
    assert len(here) >= 3 * len(_PACKS[pack])
    assert there == here
