"""The size of a step does not depend on the population, and is what the formulas say on a linear reward.

Statements about chance: 40 fixed seeds, bounds several standard errors wide.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import geode
from tests.harness.saved_runs import Saver
from tests.harness.trainer import trainer

# The reward c.theta with c = (1, 2, ... 8) / 4; SGD, so that a step is alpha g.
TEXT = """
: POINT ( -- <layer> ) r:8 PARAM INIT-ZERO TRAINABLE ;
: RAMP ( -- r:8 ) 8 IOTA 1 + 4 / ;
: REWARD ( -- r ) POINT RAMP DOT ;
: MAIN ( -- )
  OBJECTIVE-REWARD 1 EPOCHS 16 POPULATION ANTITHETIC 0.1 ALPHA 0.1 ES-GAUSSIAN SGD-UPDATES 1 WORKERS
  "step.safetensors" SAVE-MODEL 1 EPISODES ['] REWARD TRAIN ;
"""
C = np.arange(1, 9) / 4
SHAPINGS = ("raw", "zscore", "rank-shaped", "sign", "utility")

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """The program of the linear reward."""
    return trainer(TEXT, tmp_path_factory.mktemp("linear"), "linear")


def step(program: Saver, *options: str) -> np.ndarray:
    """Theta after one epoch from 0."""
    program.good(*options)
    return geode.load(program.folder / "step.safetensors")["POINT/param"].astype(np.float64)


def mean_step(program: Saver, shaping: str, population: int) -> float:
    """The mean over 40 seeds of the step's length along c."""
    options = (f"--score-{shaping}", "--population", str(population))
    steps = [step(program, *options, "--seed", str(seed)) @ C / np.linalg.norm(C) for seed in range(40)]
    return float(np.mean(steps))


def expected_step(shaping: str) -> float:
    """The expectation along c for a large population: alpha E[u(x) x] / sigma, x the score's standard normal.

    RAW: u is the score, so alpha |c|. ZSCORE: u = x. Ranks: u = Phi(x) - 1/2, and E[x Phi(x)] = 1 / (2 sqrt pi). SIGN: half
    the sign, E|x| / 2 = 1 / sqrt(2 pi). UTILITY: max(0, ln(1/2) - ln(1 - Phi(x))) normalised to mean 1, by quadrature.
    """
    if shaping == "utility":
        quantiles = (np.arange(20_000) + 0.5) / 20_000  # of the rank from the best
        utility = np.maximum(0, math.log(0.5) - np.log(quantiles))
        x = [-NormalDist().inv_cdf(q) for q in quantiles]
        mean = float(np.mean(utility / utility.mean() * x))
    else:
        mean = {
            "raw": 0.1 * float(np.linalg.norm(C)),
            "zscore": 1.0,
            "rank-shaped": 0.5 / math.sqrt(math.pi),
            "sign": 1 / math.sqrt(2 * math.pi),
        }[shaping]
    return 0.1 * mean / 0.1


@pytest.mark.parametrize("shaping", SHAPINGS)
def test_the_step_does_not_depend_on_the_population(linear: Saver, shaping: str) -> None:
    """From 256 members to 4 096 the mean step along c changes by less than 15 %, and it is the formula's."""
    few, some, many = (mean_step(linear, shaping, population) for population in (16, 256, 4096))
    assert many == pytest.approx(some, rel=0.15)
    assert few == pytest.approx(some, rel=0.3)
    assert many == pytest.approx(expected_step(shaping), rel=0.05)


@pytest.mark.parametrize("shaping", SHAPINGS)
def test_twice_the_alpha_is_twice_the_step(linear: Saver, shaping: str) -> None:
    """From theta = 0, and powers of two: to the bit."""
    one, two = (step(linear, f"--score-{shaping}", "--alpha", alpha) for alpha in ("0.125", "0.25"))
    assert np.any(one != 0)
    assert (2 * one).tolist() == two.tolist()
