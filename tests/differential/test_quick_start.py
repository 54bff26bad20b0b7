"""Whole training programs: the binary and the reference give the same metrics, epoch by epoch."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from geode.settings import Value
from tests.harness.agreement import epoch_differences, run_both, run_native
from tests.harness.example_program import write_rows
from tests.harness.native import QUICK_START, ROOT

SMALL = """
: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: FORWARD ( r:* -- r:4 ) 7 NEURON 5 NEURON 4 LINEAR TRAINABLE ;
: FIXED ( r:4 -- r:4 ) 4 LINEAR ;
: OBJECTIVE ( r:b:4 -- r ) DUP FIXED SWAP FORWARD LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 4 EPOCHS 16 POPULATION 3 SEED 0.02 ALPHA 0.05 ES-GAUSSIAN .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""

TWO_STAGES = """
: HIDDEN-LAYER ( r:4 -- r:3 ) 3 LINEAR TRAINABLE RELU ;
: FORWARD ( r:4 -- r:4 ) HIDDEN-LAYER 4 LINEAR TRAINABLE ;
: COPY ( r:b:4 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;
: DOUBLE ( r:4 -- r ) DUP 2 * SWAP FORWARD 3 LINEAR TRAINABLE 4 LINEAR TRAINABLE LOSS-EUCLIDEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION 0.05 ES-GAUSSIAN ADAM-UPDATES .METRICS "rows.csv" 4 CSV-INPUT ALL { rows }
  rows ['] COPY TRAIN  2 EPOCHS ALPHA-COSINE rows ['] DOUBLE TRAIN  OBJECTIVE-REWARD MUON-UPDATES rows ['] COPY TRAIN ;
"""

STAGES = """
: FORWARD ( r:4 -- r:3 ) 5 LINEAR TRAINABLE RELU 3 LINEAR TRAINABLE ; SHARED
: OBJECTIVE ( r:b:4 -- r ) DUP 1 3 SLICE SWAP FORWARD LOSS-MSE MEAN ;
: VALLEY ( -- r ) r:4 PARAM 0.5 INIT-CONSTANT TRAINABLE SQUARE SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 6 EPOCHS 8 POPULATION 5 SEED 0.05 ES-GAUSSIAN ADAM-UPDATES .METRICS "rows.csv" 4 CSV-INPUT { data }
  data 17 BATCH ['] OBJECTIVE TRAIN
  data 10 20 ROWS 9 BATCH ['] OBJECTIVE TRAIN
  data 31 30 ROWS ALL ['] OBJECTIVE EVALUATE
  3 EPISODES ['] VALLEY TRAIN
  data ['] FORWARD "out.csv" PREDICT ;
"""

LUCK = """
: NOISY ( r:4 -- r:4 ) RANDN 0.1 * + ;
: WALK ( -- r )
  r:4 PARAM 0.5 INIT-CONSTANT TRAINABLE { p } 0 3 0 DO RAND p I AT - SQUARE + LOOP EPISODE 0.01 * + MEMBER-RANDN 0.1 * + ;
: OBJECTIVE ( r:4 -- r ) DUP NOISY NOISY 4 LINEAR TRAINABLE LOSS-EUCLIDEAN RANDN + ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION 5 SEED 0.05 ES-GAUSSIAN .METRICS 1 EVALUATE-EVERY
  17 EPISODES ['] WALK TRAIN
  "rows.csv" 4 CSV-INPUT { data } data ALL ['] OBJECTIVE TRAIN  data ALL ['] OBJECTIVE EVALUATE
  data ['] OBJECTIVE "luck.csv" PREDICT ;
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for programs, with rows to read."""
    path = tmp_path_factory.mktemp("training")
    write_rows(path)
    return path


def compare(text: str, folder: Path, overrides: dict[str, Value], *, data: Path | None = None) -> None:
    """Asserts that every epoch of every stage agrees to 1e-4."""
    pair = run_both(text, folder, overrides, data=data)
    assert len(pair.native) == len(pair.reference.stages)
    assert pair.reference.records
    for stage in range(len(pair.native)):
        found = pair.differences(stage)
        assert not found, "\n".join([*found, str(overrides)])


@pytest.mark.native
def test_three_epochs_of_the_quick_start(folder: Path) -> None:
    """The sine auto-encoder with its own settings."""
    compare(QUICK_START.read_text(encoding="utf-8"), folder, {"epochs": 3}, data=ROOT)


@pytest.mark.native
@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
@pytest.mark.parametrize("optimizer", ["sgd", "sgdm", "rmsprop", "adam", "muon"])
def test_every_optimizer_with_both_samplings(optimizer: str, sampling: str, folder: Path) -> None:
    """A small network with a layer that stays as it was made."""
    compare(SMALL, folder, {"optimizer": optimizer, "sampling": sampling})


@pytest.mark.native
@pytest.mark.parametrize(
    "overrides",
    [
        {"shaping": "raw", "sampling": "antithetic", "alpha": 1e-5},
        {"shaping": "zscore"},
        {"shaping": "sign", "sampling": "antithetic"},
        {"shaping": "utility"},
        {"sigma_schedule": "cosine", "alpha_schedule": "decay", "alpha_factor": 0.5},
        {"sigma_schedule": "decay", "sigma_factor": 0.7, "alpha_schedule": "cosine"},
        {"weight_decay": 0.5, "update_clip": 3.0},
        {"noise_reuse": 2, "evaluate_every": 2},
        {"optimizer": "muon", "muon_warmup": 3, "muon_steps": 4, "muon_kappa": 0.3, "muon_beta": 0.5},
        {"epochs": 30, "stop_below": 480.0, "optimizer": "muon"},
        {"epochs": 30, "patience": 2, "alpha": 0.5, "weight_decay": 0.1},
        {"seed": 2**64 - 1, "population": 3},
    ],
    ids="-".join,
)
def test_every_setting_that_enters_the_numbers(overrides: dict[str, Value], folder: Path) -> None:
    """Shapings, schedules, decay, clipping, reuse of noise, warm-up, stop rules, seeds."""
    compare(SMALL, folder, overrides)


@pytest.mark.native
@pytest.mark.parametrize("perturbation", ["EGGROLL-R1", "3 EGGROLL", "OMELETTE-R1"])
@pytest.mark.parametrize(
    "overrides",
    [
        {"sampling": "antithetic", "optimizer": "sgdm"},
        # Not ranks: sums of them with random signs cancel exactly, and ADAM makes a whole step of what rounding leaves.
        {"optimizer": "adam", "shaping": "zscore"},
        {"optimizer": "muon", "weight_decay": 0.1, "population": 9},
        {"noise_reuse": 2, "sigma_schedule": "cosine", "shaping": "zscore", "evaluate_every": 1},
    ],
    ids="-".join,
)
def test_every_perturbation(perturbation: str, overrides: dict[str, Value], folder: Path) -> None:
    """Low rank, never materialised natively and always here; a bias and a fixed layer among the layers."""
    compare(
        SMALL.replace("ES-GAUSSIAN", perturbation).replace("5 NEURON", "5 AFFINE TRAINABLE TANH"), folder, overrides
    )


@pytest.mark.native
def test_luck_is_the_same_for_every_member(folder: Path) -> None:
    """Draws uniform, normal and by member, in a loop and in a called word, over episodes and over rows of data."""
    compare(LUCK, folder, {})


@pytest.mark.native
def test_stages_go_on_with_weights_epochs_and_the_optimizer(folder: Path) -> None:
    """Three stages of two words that share a network; the last changes the direction and the optimizer."""
    compare(TWO_STAGES, folder, {})


@pytest.mark.native
def test_batches_slices_episodes_and_what_follows_training(folder: Path) -> None:
    """A shuffled batch over several passes, a slice of the rows, no rows at all; values and predictions with the weights."""
    compare(STAGES, folder, {})


@pytest.mark.native
def test_another_seed_is_a_difference(folder: Path) -> None:
    """The comparison above does tell one run from another."""
    pair = run_both(SMALL, folder)
    other = run_native(SMALL, folder, ["--seed", "4"])
    assert not pair.differences(0)
    assert epoch_differences(other.epochs, pair.reference.records)
    nudged = [replace(record, mean=record.mean * (1 + 3e-4)) for record in pair.reference.records]
    assert epoch_differences(pair.native[0].epochs, nudged)
    assert all(math.isfinite(epoch["best"]) for epoch in other.epochs)
