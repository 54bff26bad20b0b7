"""Every word whose example is a body trains on an Apple GPU as on the processor, to the bit, under the emulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.emit.headers import HEADERS
from geode.emit.kernel_text import headers_text
from geode.emit.loops_to_kernels import KERNEL_HEADERS
from geode.vocabulary import WORDS
from tests.harness.example_program import body_program, packs, write_rows
from tests.harness.metal import SMALL_BUILD, emulated_once, for_target, needs_cxx, told
from tests.harness.native import build, start

_BODIES = [
    (str(place), entry.example)
    for place, entry in enumerate(WORDS.values())
    if entry.example.body and "TARGET" not in entry.example.before
]
_PACKS = packs(_BODIES, 24)

# Functions of C that kernels never call: their emitter has one form of each layer, and draws for one row.
_OF_C_ALONE = re.compile(r".*_(uniform|by_lane|bf16|chains|block|pairs|rows)|sin_cos")


def test_kernels_have_what_a_body_may_call() -> None:
    """Every function that the C of a unit finds in a header is in the headers of kernels too."""
    base = headers_text(["gs_stream.h", "gs_context.h", "gs_layers.h", "gs_view.h"])
    missing = []
    for header, names in HEADERS.items():
        text = base + headers_text([KERNEL_HEADERS[header]] if header in KERNEL_HEADERS else [])
        wanted = [name for name in names if not _OF_C_ALONE.fullmatch(name)]
        missing += [name for name in wanted if not re.search(rf"\bgs_{name}\(", text)]
    assert missing == []


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
        programs[target] = build(source, tmp_path / target, *SMALL_BUILD)
    here = told(start([programs["TARGET-CPU"]], cwd=tmp_path))
    there = told(emulated_once(programs["TARGET-APPLE-METAL"], cwd=tmp_path))
    assert len(here) >= 3 * len(_PACKS[pack])
    assert there == here
