"""A constant objective moves nothing: weights stay to the bit whatever optimizer, shaping and perturbation; decay alone acts."""

from __future__ import annotations

import numpy as np
import pytest

import geode
from tests.harness.checkpoint import arrays_of
from tests.harness.saved_runs import Saver
from tests.harness.trainer import numbers, trainer

OPTIMIZERS = ("sgd", "sgdm", "rmsprop", "adam", "muon")
SHAPINGS = ("rank-shaped", "zscore", "sign", "utility", "raw")
# A matrix, a vector. Scores are 0 and -0, which tie; or nine times 0.1, which float32 rounds, so that sums of scores round too.
TEXT = """
: NET ( r:4 -- r ) 3 AFFINE TRAINABLE SUM ;
: NOTHING ( r:b:4 -- r ) NET 0 * {constant} SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 10 EPOCHS 8 POPULATION 5 SEED 0.1 ALPHA ANTITHETIC 0.1 {family} .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] NOTHING TRAIN ;
"""

pytestmark = pytest.mark.native


@pytest.fixture(scope="module", params=[("", "ES-GAUSSIAN"), ("0.1 +", "2 EGGROLL")], ids=["zero", "tenth"])
def flat(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """The program with rows of random numbers, so that the members differ in everything but the score."""
    folder = tmp_path_factory.mktemp("flat")
    constant, family = request.param
    rows = np.random.default_rng(3).standard_normal((9, 4))
    np.savetxt(folder / "rows.csv", rows, delimiter=",", fmt="%.4f")
    found = trainer(TEXT.format(constant=constant, family=family), folder, "flat", "--workers", "1")
    found.good("--stop-at-epoch", "0", "--save-model", "start.safetensors")
    return found


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_weights_stay_as_they_began(flat: Saver, optimizer: str) -> None:
    """Ten epochs under each shaping: the file is that of the initial weights; the best member is the first one."""
    for shaping in SHAPINGS:
        run = flat.good(f"--{optimizer}-updates", f"--score-{shaping}", "--save-model", "end.safetensors")
        assert flat.read("end.safetensors") == flat.read("start.safetensors"), shaping
        epochs = numbers(run)
        assert [(epoch["std"], epoch["grad"], epoch["update"]) for epoch in epochs] == [(0.0, 0.0, 0.0)] * 10
        score = epochs[0]["best"]
        assert score in (0.0, 0.900000013)
        assert run.results[-1] == f"result best-member score={score:.9g} at=0 member=0"


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_decay_alone_acts(flat: Saver, optimizer: str) -> None:
    """The norm falls as the product of 1 - alpha_t lambda, with alpha along a cosine."""
    options = (f"--{optimizer}-updates", "--alpha-cosine", "--weight-decay", "0.5")
    flat.good(*options, "--save-model", "end.safetensors")
    factor = np.prod([1 - 0.1 * 0.5 * (1 + np.cos(np.pi * t / 10)) * 0.5 for t in range(10)])
    start, end = (geode.load(flat.folder / name) for name in ("start.safetensors", "end.safetensors"))
    assert sum(np.any(array != 0) for array in start.values()) > 0
    for name, array in start.items():
        np.testing.assert_allclose(end[name], array * factor, rtol=1e-5)


def test_memory_of_an_earlier_push_goes_on(flat: Saver) -> None:
    """A flat epoch's estimate is 0, not absent: ADAM's count rises, and its moments, all 0, are in the file."""
    flat.good("--adam-updates", "--save-model-all", "s.safetensors")
    state = arrays_of(flat.folder / "s.safetensors")
    assert not any(array.any() for name, array in state.items() if name.startswith("optimizer/"))
    assert b'"optimizer-steps":"10"' in flat.read("s.safetensors")
