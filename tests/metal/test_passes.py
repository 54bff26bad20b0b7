"""Objectives that reduce the batch, use the result row by row and reduce again: the numbers of the processor, to the bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.test_batch_passes import OBJECTIVES, WORDS
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.metal import SMALL_BUILD, both, emulated, emulated_once, needs_cxx, told
from tests.harness.native import start

pytestmark = [pytest.mark.native, needs_cxx]
QUICK = ("batch-norm", "all-reductions", "of-the-data-alone")


def program(names: tuple[str, ...], base: str = BASE) -> str:
    """A program that trains the objectives one after the other, each with weights of its own."""
    words, stages = [], []
    for place, name in enumerate(names):
        net = f"NET-{place}"
        body = OBJECTIVES[name].replace(" NET ", f" {net} ")
        words.append(f": {net} ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n")
        words.append(f": OBJECTIVE-{place} ( r:b:4 -- r ) {{ x }} x {net} {{ y }} {body} ;\n")
        stages.append(f"d ALL ['] OBJECTIVE-{place} TRAIN")
    main = f"{base} 1 EVALUATE-EVERY {DATA} {{ d }} {' '.join(stages)}"
    return f"TARGET-CPU\n{WORDS}{''.join(words)}: MAIN ( -- ) {main} ;\n"


def numbers(text: str, folder: Path) -> tuple[list[str], Path]:
    """What the processor makes of the program, and the program for Metal."""
    cpu, metal = both(text, folder, options=SMALL_BUILD)
    return told(start([cpu], cwd=folder)), metal


def test_passes_have_the_numbers_of_the_processor(tmp_path: Path) -> None:
    """Members share what their pair has, the mean weights are scored too; threads in another order, memory watched."""
    write_rows(tmp_path)
    base = BASE.replace("0.1 ES-GAUSSIAN", "0.1 2 EGGROLL").replace("INDEPENDENT", "ANTITHETIC")
    here, metal = numbers(program(QUICK, base), tmp_path)
    environment = {"GEODE_EMULATOR_SEED": "1", "GEODE_EMULATOR_RACES": "1"}
    assert len(here) == 3 * (2 + 3)
    assert told(emulated_once(metal, cwd=tmp_path, **environment)) == here


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path, Path]:
    """All objectives on rows of more than two blocks: the processor's numbers, the program, its folder."""
    folder = tmp_path_factory.mktemp("passes")
    write_rows(folder, 2_001)
    return *numbers(program(tuple(OBJECTIVES)), folder), folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "environment"),
    [
        ((), {}),
        (("--hoist-limit", "0"), {}),  # run and epoch levels computed again in every pass
        ((), {"GEODE_DEVICE_ROOM": "30000"}),  # a member or two at work at a time
    ],
    ids=("kept", "again", "few"),
)
def test_every_objective_has_the_numbers_of_the_processor(
    options: tuple[str, ...], environment: dict[str, str], every: tuple[list[str], Path, Path]
) -> None:
    """Reductions at every level, of one another, of draws, of what loops leave."""
    here, metal, folder = every
    assert len(here) == len(OBJECTIVES) * (2 + 3)
    assert told(emulated(metal, *options, cwd=folder, **environment)) == here
