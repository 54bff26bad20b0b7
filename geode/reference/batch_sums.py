"""Batch reductions: one value a row -> the float64 sum the runtime forms, to the bit.

In: float32 (or float64) rows in batch order. Out: float64. Invariant: the order of the additions depends on the
rows' places alone, so lanes, tiles and workers never enter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 960
PARTIALS = 8


def batch_sum(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum over the rows of `[rows, …]`, float64 `[…]`.

    Blocks of 960 rows; in a block eight partial sums by row mod 8, each in row order from +0,
    combined ((0+4)+(2+6))+((1+5)+(3+7)); blocks added in order.
    """
    rows = np.asarray(values, np.float64)
    if rows.ndim < 1 or rows.shape[0] < 1:
        raise ValueError(f"a batch has at least one row, got {list(rows.shape)}")
    total = np.zeros(rows.shape[1:])
    with np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, rows.shape[0], BLOCK_ROWS):
            total = total + _block_sum(rows[start : start + BLOCK_ROWS])
    return total


def batch_mean(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean over the rows of `[rows, …]`: `batch_sum` divided by the number of rows."""
    mean: NDArray[np.float64] = batch_sum(values) / values.shape[0]
    return mean


def _block_sum(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    p = np.zeros((PARTIALS, *rows.shape[1:]))
    for start in range(0, rows.shape[0], PARTIALS):
        step = rows[start : start + PARTIALS]
        p[: len(step)] += step
    total: NDArray[np.float64] = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
    return total
