"""The kernels of every example: no thread's work depends on when it runs, and shared memory is not used without barriers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import emulated, for_metal, needs_cxx, told
from tests.harness.native import ROOT, build

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.gs"))
SHORT = ("--epochs", "1", "--population", "16")  # threads of a group are watched one access at a time
ORDERS = (
    {"GEODE_EMULATOR_SEED": "1"},
    {"GEODE_EMULATOR_SEED": "2"},
    {"GEODE_EMULATOR_SEED": "3", "GEODE_EMULATOR_RACES": "1"},
)


@needs_cxx
@pytest.mark.native
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_the_same_in_every_order(example: str, tmp_path: Path) -> None:
    """Three permutations of the threads of a group, one of them under the watch over shared memory; one epoch."""
    source = tmp_path / f"{example}.gs"
    source.write_text(for_metal((ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")), encoding="utf-8")
    program = build(source, tmp_path / "out")
    expected = told(emulated(program, *SHORT))
    for order in ORDERS:
        assert told(emulated(program, *SHORT, GEODE_EMULATOR_FIBRES="1", **order)) == expected
