"""ZSCORE's sort by one group: sums in the order of the processor, and each of its parts is needed for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.syntax.file_to_text import file_to_text
from tests.harness.metal import SMALL_BUILD, both, emulated_once, needs_cxx, told
from tests.harness.native import start

pytestmark = [pytest.mark.native, needs_cxx]

# Scores of many magnitudes, so that sums depend on their order, and infinite ones; each member alone, so that those without a
# score take no partner's weight away. Members are no power of two, and more than the threads of a group.
PROGRAM = """TARGET-CPU
: OBJECTIVE ( r:3 -- r ) 4 AFFINE TRAINABLE SUM 40 * EXP ;
: MAIN ( -- ) OBJECTIVE-LOSS 3 EPOCHS 700 POPULATION INDEPENDENT SCORE-ZSCORE 1.0 ES-GAUSSIAN 1e-6 ALPHA .METRICS
  "datasets/xor.csv" 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""
BARRIER = "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);"
# By what is left out of the kernel: its text, and which of several.
PARTS = {
    "the barrier behind the numbering": (BARRIER, 0),
    "the barrier behind the first comparisons": (BARRIER, 1),
    "the barrier behind the later ones": (BARRIER, 2),
    "the barrier behind the moments": (BARRIER, 3),
    "the first comparisons": ("gs_put_in_order(args, scores, run + low, high);", 0),
    "the later comparisons": ("gs_put_in_order(args, scores, low, low + gap);", 0),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The program for Metal, and what the one for the processor says."""
    cpu, metal = both(PROGRAM, tmp_path_factory.mktemp("sort"), options=SMALL_BUILD)
    return metal, told(start([cpu]))


def test_one_group_sorts_members_of_which_some_have_no_score(programs: tuple[Path, list[str]]) -> None:
    """The same numbers; there are members without a score, and the others move the weights."""
    metal, here = programs
    epochs = [dict(pair.split("=") for pair in line.split()) for line in here if line.startswith("epoch=")]
    assert len(epochs) == 3
    for epoch in epochs:
        assert 200 < int(epoch["nan"]) < 400
        assert float(epoch["update"]) > 0
    assert told(emulated_once(metal)) == here


@pytest.mark.parametrize("part", PARTS)
def test_no_part_of_the_sort_can_be_left_out(part: str, programs: tuple[Path, list[str]], tmp_path: Path) -> None:
    """Other numbers without it, or none, in the order in which threads run anyway."""
    metal, here = programs
    left_out, place = PARTS[part]
    whole = compile_program(file_to_text(str(metal.parents[2] / "gpu.gs"))).kernels
    before, head, after = whole.partition("kernel void gs_standardise(")
    kernel, end, behind = after.partition("\n}\n")
    pieces = kernel.split(left_out)
    assert len(pieces) == (5 if left_out == BARRIER else 2)
    pieces[place : place + 2] = [f"{pieces[place]};{pieces[place + 1]}"]
    path = tmp_path / "kernels.metal"
    path.write_text(before + head + left_out.join(pieces) + end + behind, encoding="utf-8")
    done = emulated_once(metal, GEODE_EMULATOR_KERNELS=str(path))
    assert "refused" not in done.err
    assert done.status != 0 or told(done) != here
