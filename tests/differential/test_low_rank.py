"""Low-rank perturbations: whole programs agree with the reference, and no way to build or run them changes a bit."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from geode.settings import Value
from tests.harness.agreement import run_both
from tests.harness.example_program import write_rows
from tests.harness.native import QUICK_START, ROOT, build, start

FAMILIES = ["0.05 EGGROLL-R1", "0.05 2 EGGROLL", "0.05 4 EGGROLL", "0.05 7 EGGROLL", "0.05 OMELETTE-R1"]

# Layers on data, on layers, on each row of a matrix, with bias; a matrix read as a value; a layer that stays as it was.
NETWORK = """
: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: FORWARD ( r:* -- r:4 ) 7 NEURON 19 NEURON 4 AFFINE TRAINABLE ;
: BY-ROW ( r:4 -- r:4 ) r:2:2 RESHAPE 3 NEURON 2 LINEAR TRAINABLE r:4 RESHAPE ;
: GRID ( -- r:4:4 ) r:4:4 PARAM 0.3 INIT-NORMAL TRAINABLE ;
: MIX ( r:4 -- r:4 ) GRID SWAP MATMUL ;
: FIXED ( r:4 -- r:4 ) 4 LINEAR ;
: OBJECTIVE ( r:b:4 -- r ) DUP FIXED SWAP DUP BY-ROW SWAP FORWARD + MIX LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 16 POPULATION 3 SEED 0.02 ALPHA {family} .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""

# A layer whose input differs by member from the second turn on, and one that reads the data in every turn.
LOOP = """
: STEP ( r:4 r:4 -- r:4 ) 4 LINEAR TRAINABLE SWAP 4 LINEAR TRAINABLE + TANH ; SHARED
: OBJECTIVE ( r:b:4 -- r ) DUP { x } DUP 3 0 DO x STEP LOOP LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION 3 SEED 0.02 ALPHA ANTITHETIC {family} .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""

# Filters over data and over a picture that differs by member; a table of which rows are read.
PICTURE = """
: SEEN ( r:4 -- r:8 ) r:1:2:2 RESHAPE 3 3 CONV2D TRAINABLE RELU 2 1 CONV2D BIAS TRAINABLE r:8 RESHAPE ;
: LOOKED-UP ( r:4 -- r:8 ) ABS 5 2 EMBED TRAINABLE r:8 RESHAPE ;
: OBJECTIVE ( r:b:4 -- r ) DUP DUP LOOKED-UP SWAP SEEN + 4 LINEAR TRAINABLE LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION 3 SEED 0.02 ALPHA ANTITHETIC {family} .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""

# One word under three families in turn, its value without noise in between.
STAGES = """
: OBJECTIVE ( r:b:4 -- r ) DUP 5 LINEAR TRAINABLE RELU 4 LINEAR TRAINABLE LOSS-MSE MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS 2 EPOCHS 8 POPULATION 5 SEED 0.02 ALPHA ADAM-UPDATES 2 NOISE-REUSE .METRICS
  "rows.csv" 4 CSV-INPUT ALL { rows }
  0.05 3 EGGROLL rows ['] OBJECTIVE TRAIN rows ['] OBJECTIVE EVALUATE
  0.05 ES-GAUSSIAN rows ['] OBJECTIVE TRAIN
  0.02 OMELETTE-R1 ANTITHETIC rows ['] OBJECTIVE TRAIN rows ['] OBJECTIVE EVALUATE ;
"""

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for programs, with rows to read."""
    path = tmp_path_factory.mktemp("low-rank")
    write_rows(path)
    return path


def compare(text: str, folder: Path, overrides: dict[str, Value], *, data: Path | None = None) -> None:
    """Asserts that every epoch and value of every stage agrees to 1e-4."""
    pair = run_both(text, folder, overrides, data=data)
    assert len(pair.native) == len(pair.reference.stages)
    assert pair.reference.records
    for stage in range(len(pair.native)):
        found = pair.differences(stage)
        assert not found, "\n".join([*found, str(overrides)])


@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_network_of_every_form(family: str, sampling: str, folder: Path) -> None:
    """Layers whose input the noise reaches or not, biases (dense noise), and a matrix read as a value."""
    compare(NETWORK.replace("{family}", family), folder, {"sampling": sampling})


@pytest.mark.parametrize("family", [FAMILIES[0], FAMILIES[1]])
def test_layers_in_a_loop(family: str, folder: Path) -> None:
    """Nothing is hoisted from a loop; both products are made in the member function."""
    compare(LOOP.replace("{family}", family), folder, {})


@pytest.mark.parametrize("family", [FAMILIES[0], FAMILIES[1], FAMILIES[4]])
def test_filters_and_tables(family: str, folder: Path) -> None:
    """Filters are matrices of one row a filter; a table is looked up in the member's own."""
    compare(PICTURE.replace("{family}", family), folder, {})


def test_stages_of_different_families(folder: Path) -> None:
    """A word is compiled once for each rank; the optimizer and the noise go on from stage to stage."""
    compare(STAGES, folder, {})


def test_an_epoch_of_the_quick_start(folder: Path) -> None:
    """The sine auto-encoder under EGGROLL-R1."""
    text = QUICK_START.read_text(encoding="utf-8").replace("ES-GAUSSIAN", "EGGROLL-R1")
    compare(text, folder, {"epochs": 1}, data=ROOT)


def test_more_pairs_than_are_kept_and_than_a_chain_holds(folder: Path) -> None:
    """1 100 members at rank 7: factors drawn again for the estimate, two chunks of a chain."""
    compare(NETWORK.replace("{family}", FAMILIES[3]), folder, {"population": 1100, "epochs": 1})


@pytest.mark.parametrize("family", [FAMILIES[1], FAMILIES[4]])
def test_no_build_or_run_changes_a_digit(family: str, folder: Path, tmp_path: Path) -> None:
    """Compilers, tile widths, workers, hoisting or not, factors kept or drawn again: one digest."""
    source = tmp_path / "network.gs"
    source.write_text(NETWORK.replace("{family}", family), encoding="utf-8")
    ways = [
        (["--toolchain", "gcc"], ["--workers", "1"]),
        (["--toolchain", "gcc", "--profile", "portable", "--lanes", "8"], ["--workers", "3", "--hoist-limit", "0"]),
        (["--toolchain", "clang", "--lanes", "24"], ["--workers", "2"]),
    ]
    digests = set()
    for number, (options, settings) in enumerate(ways):
        if shutil.which(options[1]) is None:
            continue
        program = build(source, tmp_path / str(number), *options)
        for population in ("10", "1100"):
            done = start([program, "--antithetic", "--population", population, *settings], cwd=folder)
            assert done.status == 0, done.err
            digests.add((population, done.digest))
    assert len(digests) == 2


def test_memory_grows_by_the_scores_alone(folder: Path, tmp_path: Path) -> None:
    """Sixteen times the members take some 40 bytes each, not factors of their own."""
    source = tmp_path / "network.gs"
    source.write_text(NETWORK.replace("{family}", FAMILIES[2]), encoding="utf-8")
    program = build(source, tmp_path / "out")
    found = []
    for population in ("4096", "65536"):
        done = start([program, "--stop-at-epoch", "0", "--population", population], cwd=folder)
        found.append(int(re.findall(r"^memory bytes=(\d+)", done.out, re.MULTILINE)[0]))
    assert found[1] - found[0] < 40 * (65536 - 4096)
