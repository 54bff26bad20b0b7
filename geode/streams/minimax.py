"""Polynomials and ratios of least largest error: a function on an interval -> coefficients of float32 values.

In: a function, a weight, powers, an interval. Out: coefficients, ascending. Invariant: a polynomial's error
is judged after rounding: a coefficient is rounded before the ones of higher powers are fitted.
"""

from __future__ import annotations

import itertools
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


def fit_ratio(
    function: Callable[[F64], F64], terms: tuple[int, int], end: float
) -> tuple[list[float], list[float], float]:
    """Return P and Q, ascending, of the ratio P(z) / Q(z) next to `function` on [0, end], and its largest relative error.

    P(0) = Q(0) = 1, which function(0) must be; `terms` counts the powers from 1 on. By Remez's exchange: at terms[0] +
    terms[1] + 1 points the relative errors are to be equal, with signs that alternate, and the points move to where they
    are largest. They lie densely near both ends, so the grid is even in the angle of sqrt(z). The error is that before
    the coefficients are rounded to float32.
    """
    above, below = terms
    count = above + below + 1
    grid = ((1 - np.cos(np.pi * np.linspace(0, 1, 20001)[1:])) / 2) ** 2  # z by end
    values = function(grid * end)
    points = np.searchsorted(grid, ((1 - np.cos(np.pi * (np.arange(count) + 0.5) / count)) / 2) ** 2)
    signs = (-1.0) ** np.arange(count)
    p, q, error, level = np.zeros(above), np.zeros(below), np.zeros(len(grid)), 0.0
    for _ in range(12):
        z, exact = grid[points], values[points]
        up, down = z[:, None] ** np.arange(1, above + 1), z[:, None] ** np.arange(1, below + 1)
        for _ in range(12):  # level times Q is what is not linear: by Newton's steps
            wanted = exact * (1 + signs * level)
            matrix = np.hstack([up, -wanted[:, None] * down, -(exact * signs * (1 + down @ q))[:, None]])
            found = np.linalg.solve(matrix, wanted - 1)
            p, q, level = found[:above], found[above:-1], level + found[-1]
        ratio = _polynomial(grid, p) / _polynomial(grid, q)
        error = ratio / values - 1
        starts = np.r_[0, np.flatnonzero(np.diff(np.sign(error))) + 1, len(grid)]
        peaks = [int(a + np.argmax(np.abs(error[a:b]))) for a, b in itertools.pairwise(starts)]
        while len(peaks) > count:
            del peaks[0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1]
        if len(peaks) == count:
            points = np.array(peaks)
    scale = end ** -np.arange(max(terms) + 1.0)
    rounded = [[float(np.float32(c)) for c in np.r_[1, found] * scale[: len(found) + 1]] for found in (p, q)]
    return rounded[0], rounded[1], float(np.abs(error).max())


def hexadecimal(value: float) -> str:
    """Return the shortest C hexadecimal spelling of a finite value, without a suffix."""
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent}"


def _polynomial(x: F64, higher: F64) -> F64:
    """1 + higher[0] x + higher[1] x^2 + ..."""
    return np.asarray(np.polynomial.polynomial.polyval(x, np.r_[1, higher]))


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
