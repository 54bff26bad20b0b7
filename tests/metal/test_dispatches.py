"""How much of a GPU's time goes to its queue: an epoch is one command buffer of few dispatches, whatever its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import SMALL_BUILD, both, emulated_once, needs_cxx, told, trained
from tests.harness.native import start
from tests.metal.small import GENERATIONS, SETTINGS, SMALL

pytestmark = [pytest.mark.native, needs_cxx]

TWO = "4 AFFINE TRAINABLE TANH 2 AFFINE TRAINABLE"
ONE = "2 LINEAR TRAINABLE"
# Matrices of different sizes and shapes, one of them larger than what a group makes of a product at a time.
SEVERAL = "70 AFFINE TRAINABLE TANH 5 LINEAR TRAINABLE 66 LINEAR TRAINABLE TANH 2 AFFINE TRAINABLE"
# A matrix that is no layer: under low-rank noise every member has it built.
OWN = "2 AFFINE TRAINABLE r:2:2 PARAM 0.5 INIT-NORMAL TRAINABLE * SUM"


def program(settings: str, layers: str = TWO, epochs: int = 6) -> str:
    """The small program with other layers."""
    text = SMALL.format(settings=SETTINGS[settings], batch="ALL").replace("6 EPOCHS", f"{epochs} EPOCHS")
    return text.replace(TWO, layers)


@pytest.mark.parametrize(
    ("settings", "layers", "count"),
    [
        ("muon", SEVERAL, 4),
        pytest.param("muon", ONE, 1, marks=pytest.mark.slow),
        pytest.param("omelette", SEVERAL, 4, marks=pytest.mark.slow),
        pytest.param("sgd", ONE, 1, marks=pytest.mark.slow),
        pytest.param("eggroll", OWN, 2, marks=pytest.mark.slow),
    ],
)
def test_an_epoch_is_one_batch_of_six_dispatches(settings: str, layers: str, count: int, tmp_path: Path) -> None:
    """One command buffer an epoch, at most 3 + 3 x layers dispatches even for one layer; no object is left over; the numbers
    are the processor's."""
    log = tmp_path / "log"
    cpu, metal = both(program(settings, layers, epochs=3), tmp_path, options=SMALL_BUILD)
    assert told(emulated_once(metal, GEODE_EMULATOR_LOG=str(log))) == told(start([cpu]))
    epochs = trained(log)
    assert layers.count("TRAINABLE") == count
    assert len(epochs) == 3
    assert len({batch.objects for batch in epochs}) == 1
    for batch in epochs:
        assert [kernel.removesuffix("_0") for kernel in batch.kernels] in GENERATIONS
        assert len(batch.kernels) <= 3 + 3 * 1


@pytest.mark.slow
def test_a_matrix_that_is_too_much_for_a_group(tmp_path: Path) -> None:
    """A limit of one operation: pairs are cut into batches, and all groups share each product of MUON. The same numbers."""
    log = tmp_path / "log"
    cpu, metal = both(program("muon", SEVERAL, epochs=2), tmp_path, options=SMALL_BUILD)
    there = emulated_once(metal, GEODE_DEVICE_FLOPS="1", GEODE_EMULATOR_LOG=str(log))
    assert told(there) == told(start([cpu]))
    kernels = [kernel for batch in trained(log) for kernel in batch.kernels]
    assert kernels.count("gs_multiply") == 2 * 4 * 3 * 4  # epochs, matrices, products of a step, steps
    assert "gs_update_muon" not in kernels
