"""A member's weights are theta + s sigma E, one fma an entry: the best member's file against NumPy, to the bit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import geode
from geode.reference.perturb import low_rank_factors, rademacher_factors
from geode.reference.streams import normals, stream_key, stream_name_hash
from tests.harness.checkpoint import header_of
from tests.harness.fma import fma32
from tests.harness.trainer import trainer

TEXT = """
: NET ( r:4 -- r ) 37 AFFINE INIT-HE TRAINABLE TANH 1 LINEAR TRAINABLE SUM ;
: OBJECTIVE ( r:b:4 -- r ) NET SQUARE SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 1 EPOCHS 32 POPULATION 5 SEED 0.1 ALPHA 0.3 {family} .METRICS
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""
FAMILIES = {"ES-GAUSSIAN": 0, "EGGROLL-R1": 1, "3 EGGROLL": 3, "OMELETTE-R1": 1}

pytestmark = pytest.mark.native


def noise(name: str, shape: tuple[int, ...], pair: int, family: str) -> tuple[np.ndarray, float]:
    """E before its scaling, float32 chains over the rank, and what sigma is divided by."""
    key = (stream_name_hash(name), 5)
    if len(shape) == 1 or family == "ES-GAUSSIAN":
        return normals(stream_key(*key, 0, pair), 0, math.prod(shape)).reshape(shape), 1.0
    m, n = shape
    if family == "OMELETTE-R1":
        a, b = rademacher_factors(key, 0, pair, m, n)
        return np.outer(a, b).astype(np.float32), 1.0
    rank = FAMILIES[family]
    a, b = low_rank_factors(key, 0, pair, out_dim=m, in_dim=n, rank=rank)
    total = np.zeros(shape, np.float32)
    for q in range(rank):
        total = fma32(a[:, q : q + 1], b[None, :, q], total)
    return total, math.sqrt(rank)


@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_best_members_weights(family: str, sampling: str, tmp_path: Path) -> None:
    """Matrices and a bias, for the pair and the sign of the member that the file names."""
    rows = np.random.default_rng(2).standard_normal((7, 4))
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", fmt="%.4f")
    program = trainer(TEXT.format(family=family), tmp_path, "members", f"--{sampling}")
    program.good("--stop-at-epoch", "0", "--save-model", "theta.safetensors")
    program.good("--save-model-all", "s.safetensors")
    member = int(header_of(tmp_path / "s.safetensors")["__metadata__"]["best-member-member"])
    pair, sign = (member // 2, -1 if member % 2 else 1) if sampling == "antithetic" else (member, 1)
    state = geode.load(tmp_path / "s.safetensors")
    for name, theta in geode.load(tmp_path / "theta.safetensors").items():
        e, divisor = noise(name, theta.shape, pair, family)
        expected = fma32(np.float32(sign * (0.3 / divisor)), e, theta)
        assert state[f"best/member/{name}"].tobytes() == expected.tobytes(), name
