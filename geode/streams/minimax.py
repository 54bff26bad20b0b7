"""Polynomials of least largest error: a function on an interval -> coefficients of float32 values.

In: a function, a weight, powers, an interval. Out: coefficients, ascending. Invariant: the error
is judged after rounding: a coefficient is rounded before the ones of higher powers are fitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

F64 = NDArray[np.float64]


def fit(
    function: Callable[[F64], F64], weight: Callable[[F64], F64], terms: int, interval: tuple[float, float]
) -> tuple[list[float], float]:
    """Return `terms` coefficients and the largest weighted error they leave inside the interval.

    Neither end is a sample, so a function may be undefined there; errors are absolute, times the weight.
    """
    low, high = interval
    x = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(1200) + 0.5) / 1200)
    rest, w = function(x), weight(x)
    out: list[float] = []
    for power in range(terms):
        columns = np.stack([x**p for p in range(power, terms)], axis=1)
        out.append(float(np.float32(_lawson(columns, rest, w)[0])))
        rest = rest - out[-1] * x**power
    return out, float(np.abs(rest * w).max())


def hexadecimal(value: float) -> str:
    """Return the shortest C hexadecimal spelling of a finite value, without a suffix."""
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent}"


def _lawson(columns: F64, values: F64, weight: F64) -> F64:
    """Return coefficients of least largest weighted error, by Lawson's reweighted least squares."""
    importance = np.full(len(values), 1.0 / len(values))
    best, best_error = np.zeros(columns.shape[1]), np.inf
    for _ in range(600):
        scale = np.sqrt(importance) * weight
        found = np.linalg.lstsq(columns * scale[:, None], values * scale, rcond=None)[0]
        error = np.abs(columns @ found - values) * weight
        if error.max() < best_error:
            best, best_error = found, float(error.max())
        importance = importance * error
        importance /= importance.sum()
    return best
