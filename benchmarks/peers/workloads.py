"""The workloads that peers and Geode share: shapes, data, starting weights, and CartPole's physics.

Out: float32 arrays, equal on every call. Invariant: nothing but NumPy, so that every peer gets the same bytes.

W1  1000 x 100 sines, 100-8-100 with ReLU and biases, dense noise, sigma 0.01, population 256, summed squared error
W2  the same with rank-1 noise on the matrices (EGGROLL), dense noise on the biases
W3  1000 x 64 normals, a random tanh teacher, 64-512-512-10, rank-1 noise, mean squared error
W4  CartPole-v1 for a population of 4096, one game each, 4-16-2 with tanh, dense noise, sigma 0.1
W5  W3's training beside the forward pass alone, 256 x 1000 rows; all members see the same 1000, or each 1000 of its own

Antithetic pairs, centred ranks, Adam in all of them.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

ROWS = 1000
LAYERS = {
    "W1": (100, 8, 100),
    "W2": (100, 8, 100),
    "W3": (64, 512, 512, 10),
    "W4": (4, 16, 2),
    "W5": (64, 512, 512, 10),
}
POPULATION = {"W1": 256, "W2": 256, "W3": 256, "W4": 4096, "W5": 256}
SIGMA = {"W1": 0.01, "W2": 0.01, "W3": 0.01, "W4": 0.1, "W5": 0.01}
ALPHA = {"W1": 0.01, "W2": 0.01, "W3": 0.001, "W4": 0.05, "W5": 0.001}
STEPS = 500  # of a game


def rows(workload: str) -> tuple[Array, Array]:
    """Inputs [1000, in] and targets [1000, out] of W1, W2, W3 or W5."""
    draw = np.random.default_rng(0)
    if workload in ("W1", "W2"):
        time = np.arange(100) / 100.0
        frequency = draw.uniform(0.5, 5.0, (ROWS, 1))
        phase = draw.uniform(0.0, 2 * np.pi, (ROWS, 1))
        waves = np.sin(2 * np.pi * frequency * time + phase).astype(np.float32)
        return waves, waves
    inputs = draw.standard_normal((ROWS, 64), dtype=np.float32)
    teacher = draw.standard_normal((64, 10), dtype=np.float32) / np.float32(8.0)
    return inputs, np.tanh(inputs @ teacher).astype(np.float32)


def many_rows() -> Array:
    """Inputs [256, 1000, 64] of W5, also what the inference alone reads: for every member the rows, each plus a normal number."""
    added = np.random.default_rng(3).standard_normal((POPULATION["W5"], ROWS, 1), dtype=np.float32)
    return rows("W5")[0] + added


def weights(workload: str) -> list[tuple[Array, Array]]:
    """Starting weights by layer: He-normal matrices [out, in] and zero biases [out]."""
    draw = np.random.default_rng(1)
    sizes = LAYERS[workload]
    return [
        ((draw.standard_normal((n, m)) * np.sqrt(2.0 / m)).astype(np.float32), np.zeros(n, np.float32))
        for m, n in itertools.pairwise(sizes)
    ]


def cartpole_step(xp: Any, state: Any, right: Any) -> Any:
    """One Euler step of Gymnasium's CartPole-v1; `state` is (place, speed, angle, turn), `xp` numpy or jax.numpy."""
    place, speed, angle, turn = state
    force = xp.where(right, 10.0, -10.0).astype(place.dtype)
    sine, cosine = xp.sin(angle), xp.cos(angle)
    pushed = (force + 0.05 * turn * turn * sine) / 1.1
    bent = (9.8 * sine - cosine * pushed) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    moved = pushed - 0.05 * bent * cosine / 1.1
    return place + 0.02 * speed, speed + 0.02 * moved, angle + 0.02 * turn, turn + 0.02 * bent


def is_up(xp: Any, state: Any) -> Any:
    """True where the game goes on."""
    return (xp.abs(state[0]) <= 2.4) & (xp.abs(state[2]) <= 12 * 2 * np.pi / 360)
