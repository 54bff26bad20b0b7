"""Every optimizer with every shaping, both ways round, on a quadratic of matrices: the centre's score gets better."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.harness.saved_runs import Saver
from tests.harness.trainer import numbers, trainer

# The squared distance of a linear map from a given one, over 12 rows: tall, wide and square matrices, a bias.
TEXT = """
: NET ( r:3 -- r:2 ) 6 LINEAR TRAINABLE 6 LINEAR TRAINABLE 2 AFFINE TRAINABLE ;
: QUADRATIC ( r:b:5 -- r ) DUP 0 3 SLICE NET SWAP 3 2 SLICE LOSS-EUCLIDEAN {sign} SUM ;
: MAIN ( -- )
  {direction} 40 EPOCHS 32 POPULATION ANTITHETIC 4 SEED 0.02 ALPHA 0.02 ES-GAUSSIAN .METRICS 1 EVALUATE-EVERY
  "rows.csv" 5 CSV-INPUT ALL ['] QUADRATIC TRAIN ;
"""
DIRECTIONS = {"loss": ("OBJECTIVE-LOSS", ""), "reward": ("OBJECTIVE-REWARD", "NEGATE")}
SHAPINGS = ("raw", "zscore", "rank-shaped", "sign", "utility")
# An estimate from bounded weights is of size 1/sigma, one from raw scores of the gradient's; momentum multiplies by ten.
ALPHAS = {"sgd": 0.002, "sgdm": 0.0003, "rmsprop": 0.02, "adam": 0.02, "muon": 0.1}

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Saver]:
    """One program that minimises the distance, and one that maximises its negative."""
    folder = tmp_path_factory.mktemp("quadratic")
    rng = np.random.default_rng(9)
    x = rng.standard_normal((12, 3))
    np.savetxt(folder / "rows.csv", np.hstack([x, x @ rng.standard_normal((3, 2)) + 0.5]), delimiter=",", fmt="%.5f")
    return {
        name: trainer(TEXT.format(direction=direction, sign=sign), folder, name, "--workers", "1")
        for name, (direction, sign) in DIRECTIONS.items()
    }


@pytest.mark.parametrize(("optimizer", "shaping"), list(itertools.product(ALPHAS, SHAPINGS)))
def test_the_centre_gets_better(programs: dict[str, Saver], optimizer: str, shaping: str) -> None:
    """By a fifth at least, and as a reward the same epochs with the other sign."""
    alpha = ALPHAS[optimizer] * (0.2 if shaping == "raw" and optimizer in ("sgd", "sgdm") else 1.0)
    options = (f"--{optimizer}-updates", f"--score-{shaping}", "--alpha", str(alpha))
    down, up = (numbers(programs[name].good(*options)) for name in ("loss", "reward"))
    assert 0 < down[-1]["center"] < 0.8 * down[0]["center"]
    assert [(e["center"], e["best"], e["update"]) for e in up] == [
        (-e["center"], -e["best"], e["update"]) for e in down
    ]
    assert all(math.isfinite(epoch["grad"]) for epoch in down)
