"""Wide layers on a GPU are tiles that the threads of a group make together: the same numbers, wherever a layer stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.syntax.file_to_text import file_to_text
from tests.harness.metal import SMALL_BUILD, both, emulated_once, needs_cxx, told
from tests.harness.msl_lint import front_end, has_clang, text_rules
from tests.harness.native import start

pytestmark = [pytest.mark.native, needs_cxx]

# 70 rows are two tiles of lanes and a part of one, so that a group's rows are of several pairs; 6 members are fewer than the
# threads that are started. 40 outputs are a tile and a part of one, 20 inputs a piece and a part of one.
TEXT = """TARGET-CPU
: DENSE ( r:20 -- r:20 ) 20 LINEAR INIT-XAVIER TRAINABLE TANH ;
{words}
: OBJECTIVE ( r:65 -- r ) 16 / DUP NETWORK SUM SWAP SUM 100 / - SQUARE ;
: SETTINGS ( -- ) OBJECTIVE-LOSS 2 EPOCHS 6 POPULATION 3 SEED .METRICS {noise} {settings} ;
: MAIN ( -- ) SETTINGS "datasets/digits.csv" 65 CSV-INPUT 0 70 ROWS {batch} ['] OBJECTIVE TRAIN ;
"""
DEEP = ": NETWORK ( r:65 -- r:2 ) 40 AFFINE TRAINABLE TANH 20 LINEAR TRAINABLE TANH 40 AFFINE TRAINABLE TANH 2 LINEAR TRAINABLE ;"
# DENSE in a loop that all rows go through together, and in one that they leave in their own time.
LOOPS = """: SETTLED ( r:20 -- r:20 ) 3 0 DO DENSE DUP 0 AT 0.1 < IF LEAVE THEN LOOP ;
: NETWORK ( r:65 -- r:20 ) 20 AFFINE TRAINABLE TANH 3 0 DO DENSE LOOP SETTLED ;"""
LOW_RANK, DENSE = "0.1 2 EGGROLL ANTITHETIC", "0.1 ES-GAUSSIAN ANTITHETIC"
ADAM = "ADAM-UPDATES 0.1 ALPHA SCORE-RANK-SHAPED"
PROGRAMS = {
    "low rank": (DEEP, LOW_RANK, ADAM, "ALL"),
    "own weights": (DEEP, DENSE, ADAM, "ALL"),
    "loops": (LOOPS, LOW_RANK, ADAM, "ALL"),
    "loops with own weights": (LOOPS, DENSE, ADAM, "33 BATCH"),
    "mean weights": (DEEP, "0.1 EGGROLL-R1 INDEPENDENT", f"{ADAM} 1 EVALUATE-EVERY", "ALL"),
}
QUICK = ("low rank",)
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
RACES = {"GEODE_EMULATOR_RACES": "1"}
ORDERS = ({"GEODE_EMULATOR_SEED": "1"}, {"GEODE_EMULATOR_SEED": "2"}, {"GEODE_EMULATOR_SEED": "3", **RACES})


def text_of(name: str) -> str:
    """A program for the processor."""
    words, noise, settings, batch = PROGRAMS[name]
    return TEXT.format(words=words, noise=noise, settings=settings, batch=batch)


def functions_of(kernels: str) -> dict[str, str]:
    """The bodies of a text's functions by name."""
    found = re.findall(r"^inline void (gs_u_\w+)\([^)]*\) \{\n(.*?)^\}", kernels, re.MULTILINE | re.DOTALL)
    return dict(found)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in PROGRAMS])
def test_tiles_have_the_numbers_of_the_processor(name: str, tmp_path: Path) -> None:
    """Every order of the threads, a watch over shared memory, outer levels kept and computed again."""
    cpu, metal = both(text_of(name), tmp_path, options=SMALL_BUILD)
    kernels = compile_program(file_to_text(str(tmp_path / "gpu.gs"))).kernels
    here = told(start([cpu]))
    assert "gs_tile_" in "".join(functions_of(kernels).values())
    assert text_rules(kernels) + (front_end(kernels) if has_clang() else []) == []
    assert told(emulated_once(metal)) == here
    assert told(emulated_once(metal, "--hoist-limit", "0")) == here
    for order in ORDERS:
        assert told(emulated_once(metal, **order)) == here


def kernels_of(name: str, folder: Path) -> str:
    """Its kernels."""
    path = folder / "gpu.gs"
    path.write_text(text_of(name).replace("TARGET-CPU", "TARGET-APPLE-METAL"), encoding="utf-8")
    return compile_program(file_to_text(str(path))).kernels


def test_weights_that_members_share_are_loaded_once(tmp_path: Path) -> None:
    """Low rank: W for the whole group, with the correction in the same chains; own weights: a piece for a tile of lanes."""
    shared = kernels_of("low rank", tmp_path)
    own = kernels_of("own weights", tmp_path)
    assert shared.count("gs_tile_factored_outputs(tile, block") == 2
    assert "GS_OF_PAIR" not in "".join(functions_of(shared).values())
    assert "threadgroup float weights[576];" in shared
    assert "gs_tile_outputs(tile, GS_OF_PAIR" in own
    assert "threadgroup float weights[4608];" in own


def test_threads_part_where_rows_leave_in_their_own_time(tmp_path: Path) -> None:
    """A word that is called in both kinds of loop has both forms, and no barrier stands in the loop that rows leave."""
    functions = functions_of(kernels_of("loops", tmp_path))
    dense = [name for name in functions if name.startswith("gs_u_DENSE") and "_member" in name]
    assert sorted(name.endswith("_together") for name in dense) == [False, True]
    (network,) = (body for name, body in functions.items() if name.startswith("gs_u_NETWORK") and "_member" in name)
    loops = re.findall(r"^    for \(uint turn\d+ = 0; ([^{]*)\{\n(.*?)^    \}", network, re.MULTILINE | re.DOTALL)
    calls = {"gs_any(" in head: re.findall(r"gs_u_DENSE_\w+?_member(\w*)\(", body) for head, body in loops}
    assert calls == {False: ["_together"], True: [""]}


@pytest.mark.slow
@pytest.mark.parametrize("place", range(2))
def test_a_missing_barrier_of_a_tile_is_named(place: int, tmp_path: Path) -> None:
    """Before a piece is written where the one before was read, and before it is read."""
    _, metal = both(text_of("low rank"), tmp_path, options=SMALL_BUILD)
    kernels = compile_program(file_to_text(str(tmp_path / "gpu.gs"))).kernels
    head, start_of, rest = kernels.partition("inline void gs_tile_chains(")
    parts = rest.split(BARRIER)
    parts[place : place + 2] = [parts[place] + parts[place + 1]]
    wrong = tmp_path / "kernels.metal"
    wrong.write_text(head + start_of + BARRIER.join(parts), encoding="utf-8")
    done = emulated_once(metal, GEODE_EMULATOR_KERNELS=str(wrong), **RACES)
    assert done.status != 0
    assert re.search(r"gs_(?:prepare|members)_0: race: ", done.err)


@pytest.mark.slow
def test_a_narrow_layer_is_a_threads_own(tmp_path: Path) -> None:
    """Layers of few outputs or inputs have no barriers, and nor have their kernels."""
    text = text_of("low rank").replace(DEEP, ": NETWORK ( r:65 -- r:2 ) 15 AFFINE TRAINABLE TANH 2 LINEAR TRAINABLE ;")
    path = tmp_path / "gpu.gs"
    path.write_text(text.replace("TARGET-CPU", "TARGET-APPLE-METAL"), encoding="utf-8")
    kernels = compile_program(file_to_text(str(path))).kernels
    assert "gs_tile_chains" not in kernels
    assert "_together" not in kernels
