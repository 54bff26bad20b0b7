"""The elementary functions under test: a command that runs `math_probe.c` -> results by function.

In: a command line. Out: float32 arrays, beside the arguments that gave them. Invariant: every NaN
is the same NaN, since its sign and payload are no result.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import numpy as np

PROBE = Path(__file__).parents[1] / "runtime" / "math_probe.c"


@cache
def arguments() -> tuple[np.ndarray, np.ndarray]:
    """Pairs of float32 arguments: every exponent and sign, a usual range, near 1, near multiples of pi/2, specials."""
    rng = np.random.Generator(np.random.PCG64(1))
    mantissas = np.concatenate([rng.integers(0, 1 << 23, 40), [0, 1, 0x7FFFFF, 0x400000, 0x3504F3, 0x3504F4]])
    grid = (np.arange(512)[:, None] << 23 | mantissas).astype(np.uint32).ravel().view(np.float32)
    usual = rng.uniform(-20, 20, 30000)
    near_one = 1 + rng.uniform(-1, 1, 4000) * 2.0 ** rng.integers(-24, 0, 4000)
    multiples = np.pi / 2 * np.concatenate([np.arange(2000), rng.integers(0, 10**6, 4000), 2 ** np.arange(100.0)])
    halves = np.arange(-20, 20, 0.25)
    edges = [88.7228, 88.7229, -87.33, -103.97, -103.98, 89.41, 9.01, 10, 131071.9, 131072, 2**20, 2**23, 2**24]
    special = [0.0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 2.5, np.inf, -np.inf, np.nan, 2**24, -(2**24) + 1, 1e-45]
    with np.errstate(all="ignore"):
        x = np.concatenate([grid, usual, near_one, -near_one, multiples, halves, edges]).astype(np.float32)
        y = rng.permutation(x)
        y[len(grid) : len(grid) + len(usual)] = rng.uniform(-30, 30, len(usual))
    pairs = np.array([(a, b) for a in special for b in special], np.float32)
    x, y = np.concatenate([x, pairs[:, 0]]), np.concatenate([y, pairs[:, 1]])
    room = -len(x) % 16
    return np.concatenate([x, x[:room]]), np.concatenate([y, y[:room]])


def results_by_name(command: list[str], names: list[str]) -> dict[str, np.ndarray]:
    """What the probe makes of the arguments; `names` are its functions, in its order."""
    x, y = arguments()
    data = x.astype("<f4").tobytes() + y.astype("<f4").tobytes()
    out = subprocess.run([*command, "all", str(len(x))], input=data, capture_output=True, check=True).stdout
    rows = np.frombuffer(out, "<f4").reshape(len(names), len(x)).copy()
    rows[np.isnan(rows)] = np.nan
    return dict(zip(names, rows, strict=True))
