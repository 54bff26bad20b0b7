"""Updates: an estimate ĝ -> new weights by ascent, and the schedules of the step size and sigma.

In: arrays of any shape (MUON: a matrix), the rule's state, its constants. Out: new arrays; nothing is changed in
place. Invariant: constants are formed in float64 and rounded once to float32, as the runtime does; everything else
is float64, and new weights have the storage type of the old ones. The runtime's float32 results are within 1e-6.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

F64 = NDArray[np.float64]
Array = NDArray[Any]

# The quintic of Newton and Schulz that drives singular values towards 1 fastest (Jordan 2024, MUON).
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)


def scheduled(kind: str, start: float, *, end: float, factor: float, epoch: int, epochs: int) -> float:
    """Return a schedule's value in epoch t of T: `constant`, `cosine` from start to end, `decay` by factor an epoch."""
    if kind == "constant":
        return start
    if kind == "cosine":
        return end + (start - end) * (0.5 * (1 + math.cos(math.pi * epoch / epochs)))
    if kind == "decay":
        return start * power(factor, epoch)
    raise ValueError(f"schedule {kind!r} is none of constant, cosine, decay")


def power(base: float, exponent: int) -> float:
    """Return base**exponent by repeated squaring in float64, the exponent's lowest bit first."""
    result = 1.0
    while exponent:
        if exponent & 1:
            result *= base
        exponent >>= 1
        if exponent:
            base *= base
    return result


def warmed_up(alpha: float, epoch: int, warmup: int) -> float:
    """Return the step size of epoch t, scaled by (t+1)/warmup during the first `warmup` epochs."""
    return alpha * ((epoch + 1) / warmup) if epoch < warmup else alpha


def norm(arrays: Iterable[Array]) -> float:
    """Return the Euclidean norm over all entries of all arrays."""
    return math.sqrt(sum(float(np.sum(np.square(a, dtype=np.float64))) for a in arrays))


def clipped(estimates: Sequence[Array], limit: float) -> list[F64]:
    """Return the estimates scaled to a common norm of at most `limit`."""
    size = norm(estimates)
    scale = _f32(limit / size) if size > limit else 1.0
    return [scale * g.astype(np.float64) for g in estimates]


def decayed(theta: Array, alpha: float, decay: float) -> Array:
    """Return θ - (αλ)·θ, decoupled weight decay (Loshchilov and Hutter 2019); before the update."""
    return _stored(theta - _f32(alpha * decay) * theta.astype(np.float64), theta)


def sgd(theta: Array, g: Array, alpha: float) -> Array:
    """Return θ + α·ĝ."""
    return _stored(theta + _f32(alpha) * g.astype(np.float64), theta)


def sgdm(theta: Array, g: Array, v: Array, *, alpha: float, beta: float) -> tuple[Array, F64]:
    """Return θ + α·v and v = βv + ĝ, heavy-ball momentum."""
    v = _f32(beta) * v + g.astype(np.float64)
    return _stored(theta + _f32(alpha) * v, theta), v


def rmsprop(theta: Array, g: Array, q: Array, *, alpha: float, beta: float, epsilon: float) -> tuple[Array, F64]:
    """Return θ + α·ĝ/(√q + ε) and q = βq + (1-β)ĝ², as PyTorch's RMSprop (q starts at 0)."""
    g = g.astype(np.float64)
    q = _f32(beta) * q + _f32(1 - beta) * g * g
    return _stored(theta + _f32(alpha) * g / (np.sqrt(q) + _f32(epsilon)), theta), q


def adam(
    theta: Array, g: Array, m: Array, v: Array, *, step: int, alpha: float, beta1: float, beta2: float, epsilon: float
) -> tuple[Array, F64, F64]:
    """Return the new θ, m and v of step k, counted from 1 (Kingma and Ba 2015).

    m = β₁m + (1-β₁)ĝ, v = β₂v + (1-β₂)ĝ², θ + α·(m/(1-β₁ᵏ))/(√(v/(1-β₂ᵏ)) + ε).
    """
    g = g.astype(np.float64)
    m = _f32(beta1) * m + _f32(1 - beta1) * g
    v = _f32(beta2) * v + _f32(1 - beta2) * g * g
    unbiased_m = m / _f32(1 - power(beta1, step))
    unbiased_v = v / _f32(1 - power(beta2, step))
    return _stored(theta + _f32(alpha) * unbiased_m / (np.sqrt(unbiased_v) + _f32(epsilon)), theta), m, v


def muon(
    theta: Array, g: Array, momentum: Array, *, alpha: float, beta: float, kappa: float, steps: int
) -> tuple[Array, F64]:
    """Return θ + α·κ·√max(m,n)·O and M = βM + ĝ, O the near-orthogonal factor of M; all `[m, n]`.

    At full rank O's entries have root mean square near 1/√max(m,n), so an update's is near α·κ.
    """
    momentum = _f32(beta) * momentum + g.astype(np.float64)
    scale = _f32(alpha * kappa * math.sqrt(max(theta.shape)))
    return _stored(theta + scale * newton_schulz(momentum, steps), theta), momentum


def newton_schulz(matrix: Array, steps: int) -> F64:
    """Return U Vᵀ of the matrix's singular value decomposition, nearly: singular values within 0.7 … 1.2.

    X = M/‖M‖, then `steps` times A = XXᵀ, X = aX + (bA + cA²)X, on the side with fewer rows; 0 for 0.
    """
    a, b, c = (_f32(value) for value in NEWTON_SCHULZ)
    size = norm([matrix])
    if size == 0:
        return np.zeros(matrix.shape)
    tall = matrix.shape[0] > matrix.shape[1]
    x = (matrix.T if tall else matrix).astype(np.float64) / _f32(size)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * (gram @ gram)) @ x
    return x.T if tall else x


def _f32(value: float) -> float:
    return float(np.float32(value))


def _stored(values: F64, like: Array) -> Array:
    return values.astype(like.dtype)
