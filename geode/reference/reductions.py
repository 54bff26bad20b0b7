"""Reductions of the last axis, and products with a matrix.

In: arrays `[…, k]` of one floating type; rows of a batch `[rows]`. Out: `[…]`; float64. Invariant: in float32 every
result is one ascending chain from +0, as the emitted code forms it; in float64 NumPy's own order, whose error is far
below what is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.reference.batch_sums import batch_mean, batch_sum
from geode.reference.elementwise import ELEMENTWISE, fused_multiply_add

Array = NDArray[Any]


def last_sum(x: Array) -> Array:
    """Return the sum of the last axis, added up from +0."""
    if x.dtype != np.float32:
        return np.asarray(np.sum(x, axis=-1))
    zero = np.zeros((*x.shape[:-1], 1), x.dtype)
    return np.asarray(np.add.accumulate(np.concatenate([zero, x], axis=-1), axis=-1)[..., -1])


def last_dot(x: Array, y: Array) -> Array:
    """Return Σ x·y along the last axis; in float32 by fused multiply-adds."""
    if x.dtype != np.float32:
        return np.asarray(np.sum(x * y, axis=-1))
    x, y = np.broadcast_arrays(x, y)
    total: Array = np.zeros(x.shape[:-1], x.dtype)
    for i in range(x.shape[-1]):
        total = fused_multiply_add(x[..., i], y[..., i], total)
    return total


def matrix_product(x: Array, matrix: Array) -> Array:
    """Return W x along the last axis: `[…, k]` and W `[m, k]` to `[…, m]`."""
    if x.dtype != np.float32:
        return np.asarray(np.einsum("...k,mk->...m", x, matrix))  # one thread: BLAS would start many
    total: Array = np.zeros((*x.shape[:-1], len(matrix)), x.dtype)
    for i in range(x.shape[-1]):
        total = fused_multiply_add(x[..., i : i + 1], matrix[:, i], total)
    return total


def _folded(op: str) -> Callable[[Array], Array]:
    """The operation applied in ascending order, the result so far on its left."""

    def fold(x: Array) -> Array:
        result: Array = x[..., 0]
        for i in range(1, x.shape[-1]):
            result = ELEMENTWISE[op](result, x[..., i])
        return result

    return fold


REDUCTIONS: Mapping[str, Callable[..., Array]] = {
    "sum": last_sum,
    "dot": last_dot,
    "product": _folded("mul"),
    "amax": _folded("max"),
    "amin": _folded("min"),
}

# Over the rows of the batch, `[rows]` to one float64.
BATCH_REDUCTIONS: Mapping[str, Callable[..., Array]] = {
    "sum": batch_sum,
    "mean": batch_mean,
    "product": lambda rows: _folded("mul")(rows.astype(np.float64)),
    "amax": _folded("max"),
    "amin": _folded("min"),
}
