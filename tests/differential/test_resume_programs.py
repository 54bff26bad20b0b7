"""Compiled programs save and resume: every perturbation, ties between weights, and what counts as the same program."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import geode
from tests.harness.native import build, start
from tests.harness.saved_runs import Saver, straight_and_resumed

pytestmark = pytest.mark.native

SETTINGS = "OBJECTIVE-LOSS 3 EPOCHS 6 POPULATION ANTITHETIC .METRICS 2 EVALUATE-EVERY"
THREE = f"""
: NET ( r:4 -- r:2 ) 3 AFFINE TRAINABLE TANH RANDN 0.1 * + 2 AFFINE TRAINABLE ; SHARED
: OBJECTIVE ( r:4 -- r ) DUP NET SWAP 2 SPLIT DROP LOSS-EUCLIDEAN ;
: MAIN ( -- )
  {SETTINGS} "rows.csv" 4 CSV-INPUT {{ rows }}
  0.1 ES-GAUSSIAN rows ALL ['] OBJECTIVE TRAIN
  0.1 2 EGGROLL rows 5 BATCH ['] OBJECTIVE TRAIN
  0.1 OMELETTE-R1 rows 12 BATCH ['] OBJECTIVE TRAIN ;
"""
TWO = """
: LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE TANH ;{shared}
: OBJECTIVE ( r:4 -- r ) DUP {comment}LAYER LAYER {more}LOSS-EUCLIDEAN ;
: MAIN ( -- ) {settings} "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN {stages} ;
"""
PREDICTS = """
: LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE TANH ;
: NET ( r:4 -- r:4 ) LAYER LAYER ;
: MAIN ( -- ) "w.safetensors" RESUME-MODEL "rows.csv" 4 CSV-INPUT ['] NET "out.csv" PREDICT ;
"""


def two(shared: str = "", comment: str = "", more: str = "", stages: str = "", settings: str = SETTINGS) -> str:
    """Two layers in a row, with variations."""
    return TWO.format(shared=shared, comment=comment, more=more, stages=stages, settings=settings)


def saver(text: str, folder: Path, name: str) -> Saver:
    """The program built in the folder, where its rows are."""
    rng = random.Random(2)
    rows = "".join(",".join(f"{rng.uniform(-1, 1):.3f}" for _ in range(4)) + "\n" for _ in range(13))
    (folder / "rows.csv").write_text(rows, encoding="utf-8")
    source = folder / f"{name}.gs"
    source.write_text(text, encoding="utf-8")
    return Saver(build(source, folder / name, "--profile", "debug"), folder)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """Stages with ES-GAUSSIAN on all rows, EGGROLL of rank 2 and OMELETTE-R1 on batches, and draws in the objective."""
    return saver(THREE, tmp_path_factory.mktemp("three"), "three")


@pytest.mark.parametrize("optimizer", ["sgd", "sgdm", "rmsprop", "adam", "muon"])
def test_every_perturbation_with_every_optimizer(three: Saver, optimizer: str) -> None:
    """Resumed at each of the nine epochs: the straight run's files."""
    assert straight_and_resumed(three, 9, (f"--{optimizer}-updates",)) == []


def test_what_makes_another_program(tmp_path: Path) -> None:
    """Comments and further EVALUATE stages change nothing; what is computed and which weights are tied does."""
    base = saver(two(), tmp_path, "base")
    base.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "2")
    base.good("--save-model", "untied.safetensors")
    stages = '"rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE EVALUATE'
    same = saver(two(comment="( twice ) ", stages=stages), tmp_path, "same")
    same.good("--save-model-all", "t.safetensors", "--resume-model", "s.safetensors")
    base.good("--save-model-all", "straight.safetensors")
    assert same.read("t.safetensors") == same.read("straight.safetensors")
    other = saver(two(more="RELU "), tmp_path, "other")
    refused = other.run("--resume-model", "s.safetensors")
    assert (refused.status, "--resume-changed GRAPH goes on all the same" in refused.err) == (1, True)
    other.good("--resume-model", "s.safetensors", "--resume-changed", "GRAPH")
    tied = saver(two(shared=" SHARED"), tmp_path, "tied")
    for name in ("s", "untied"):
        lines = tied.run("--resume-model", f"{name}.safetensors").err.splitlines()
        assert lines[0].endswith("its parameters are not those of this program")
        assert lines[1:4] == [
            "  =LAYER/weight: missing in the file, 4:4 now",
            "  LAYER.2/weight: 4:4 in the file, missing now",
            "  LAYER/weight: 4:4 in the file, missing now",
        ]
        assert "share their weights (SHARED or ~)" in lines[4]
    tied.good("--save-model", "tied.safetensors")
    refused = base.run("--resume-model", "tied.safetensors")
    assert "=LAYER/weight: 4:4 in the file, missing now" in refused.err


def test_saved_weights_predict_what_numpy_computes(tmp_path: Path) -> None:
    """A program without TRAIN takes the weights by name; its rows are those of NumPy on the loaded arrays, to 1e-5."""
    base = saver(two(settings=SETTINGS + " 0.5 ES-GAUSSIAN"), tmp_path, "base")
    base.good("--save-model", "w.safetensors", "--save-model-all", "s.safetensors")
    weights = geode.load(tmp_path / "w.safetensors")
    assert {name: array.shape for name, array in weights.items()} == {"LAYER/weight": (4, 4), "LAYER.2/weight": (4, 4)}
    rows = np.loadtxt(tmp_path / "rows.csv", delimiter=",")
    expected = np.tanh(np.tanh(rows @ weights["LAYER/weight"].T) @ weights["LAYER.2/weight"].T)
    predicts = saver(PREDICTS, tmp_path, "predicts")
    for name in ("w.safetensors", "s.safetensors"):
        predicts.good("--resume-model", name)
        assert np.allclose(np.loadtxt(tmp_path / "out.csv", delimiter=","), expected, rtol=1e-5, atol=1e-6)
    assert start([predicts.program, "--resume-model", "rows.csv"], cwd=tmp_path).err.startswith(
        "predicts: error: rows.csv"
    )


def test_an_independent_reader_agrees(tmp_path: Path) -> None:
    """The safetensors package reads both kinds of file as `geode.load` does."""
    safetensors = pytest.importorskip("safetensors.numpy")
    base = saver(two(), tmp_path, "base")
    base.good("--adam-updates", "--save-model-all", "s.safetensors", "--save-model", "m.safetensors")
    for name in ("s.safetensors", "m.safetensors", "m.best-member.safetensors", "m.best-weights.safetensors"):
        theirs, ours = safetensors.load_file(tmp_path / name), geode.load(tmp_path / name)
        assert theirs.keys() == ours.keys()
        for key, array in theirs.items():
            assert array.tobytes() == ours[key].tobytes()
    assert "optimizer/v/LAYER.2/weight" in geode.load(tmp_path / "s.safetensors")
