"""Programs whose runs are stopped and resumed, each in a folder of its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.harness.compile_c import ROOT
from tests.harness.runtime_program import runtime_program
from tests.harness.saved_runs import BUILD, SINE, STAGES, Saver


@pytest.fixture
def stages(tmp_path: Path) -> Saver:
    """Five stages: TRAIN on a slice, TRAIN on batches of 4 of 10 rows, EVALUATE, PREDICT, TRAIN on episodes."""
    rng = random.Random(1)
    rows = [f"{x:.4f},{2 * x - 1 + rng.uniform(-0.1, 0.1):.4f}" for x in (rng.uniform(-1, 1) for _ in range(10))]
    (tmp_path / "train.csv").write_text("x,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "points.csv").write_text("0\n1\n", encoding="utf-8")
    return Saver(runtime_program(BUILD, STAGES, 8, 8), tmp_path, ("--epochs", "4", "--population", "6"))


@pytest.fixture
def sine(tmp_path: Path) -> Saver:
    """The quick start: two matrices, MUON."""
    data = ROOT / "datasets" / "sine-1000.csv"
    options = ("--data", str(data), "--population", "6", "--epochs", "5", "--workers", "1")
    return Saver(runtime_program(BUILD, SINE, 48, 8), tmp_path, options)
