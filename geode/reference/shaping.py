"""Scores -> weights: how the population's scores become the coefficients of the estimate.

In: one float64 score a member, in member order. Out: one float64 weight a member, higher is better,
bit-equal to `geode/runtime/gs_shaping.c`. Invariant: a member's weight doesn't depend on where
it stands in the population; so every sum runs over sorted values.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

F64 = NDArray[np.float64]
SHAPINGS = ("raw", "zscore", "rank-shaped", "sign", "utility")
_DIGITS = Context(prec=40)


class AllNanError(ValueError):
    """No member has a finite score: there is nothing to learn from, and the weights stay."""


def fitness_shaping(scores: ArrayLike, mode: str, sampling: str, maximise: bool) -> F64:
    """Return the weights `[N]` of scores `[N]` under one of SHAPINGS.

    Losses (maximise false) are negated first. A score that is not finite counts as NaN: last, tied with
    the other NaNs, in the modes that compare; weight 0, its antithetic partner too, in the others.
    Raises AllNanError if no score is finite, ValueError for a mode or sampling that doesn't fit.
    """
    x = _checked(scores, mode, sampling) if maximise else -_checked(scores, mode, sampling)
    valid = np.isfinite(x)
    if not valid.any():
        raise AllNanError("the scores of all members are NaN or infinite")
    x = np.where(valid, x, np.nan)
    if mode != "raw" and (valid.all() or mode == "zscore") and x[valid].min() == x[valid].max():
        return np.zeros(len(x))
    if mode == "rank-shaped":
        return centered_rank(x)
    if mode == "utility":
        return _by_group(x, utilities(len(x)))
    if mode == "sign":
        signs = antithetic_sign(x[0::2], x[1::2])
        return np.stack([0.5 * signs, -0.5 * signs], axis=1).reshape(-1) + 0.0
    usable = valid & _partner(valid) if sampling == "antithetic" else valid
    weights = x if mode == "raw" else _zscore(x, valid)
    return np.where(usable, weights, 0.0)


def centered_rank(scores: ArrayLike) -> F64:
    """Return ranks 0 … N-1 over N-1, minus ½; ties share their mean rank, NaN lies below all."""
    x = np.asarray(scores, np.float64)
    if len(x) < 2:
        raise ValueError(f"ranks need at least 2 scores, got {len(x)}")
    first, last = _groups(x)
    return 0.5 * (first + last).astype(np.float64) / (len(x) - 1) - 0.5


def antithetic_sign(plus: ArrayLike, minus: ArrayLike) -> F64:
    """Return sign(plus - minus) of each pair: +1, -1 or 0; a finite half wins over NaN, two NaN give 0."""
    a, b = np.asarray(plus, np.float64), np.asarray(minus, np.float64)
    a, b = np.where(np.isfinite(a), a, np.nan), np.where(np.isfinite(b), b, np.nan)
    plus_wins = (a > b) | (np.isnan(b) & ~np.isnan(a))
    minus_wins = (b > a) | (np.isnan(a) & ~np.isnan(b))
    return plus_wins.astype(np.float64) - minus_wins.astype(np.float64)


@lru_cache(maxsize=8)
def _utility_table(count: int) -> tuple[float, ...]:
    top = _ln(0.5 * count + 1)
    raw = [max(0.0, top - _ln(k)) for k in range(1, count + 1)]
    total = 0.0
    for value in raw:
        total += value
    return tuple(count * value / total - 1 for value in raw)


def utilities(count: int) -> F64:
    """Return N·max(0, ln(N/2+1) - ln k)/Σ - 1 for k = 1 … N, the rank from the best (Wierstra et al. 2014)."""
    return np.array(_utility_table(count))


def _checked(scores: ArrayLike, mode: str, sampling: str) -> F64:
    x = np.asarray(scores, np.float64)
    if mode not in SHAPINGS:
        raise ValueError(f"shaping {mode!r} is none of {', '.join(SHAPINGS)}")
    if sampling not in ("antithetic", "independent"):
        raise ValueError(f"sampling must be 'antithetic' or 'independent', got {sampling!r}")
    if x.ndim != 1 or len(x) < 2:
        raise ValueError(f"scores must be one axis of at least 2, got {list(x.shape)}")
    if sampling == "antithetic" and len(x) % 2:
        raise ValueError(f"antithetic sampling needs an even population, got {len(x)}")
    if mode == "sign" and sampling != "antithetic":
        raise ValueError("shaping 'sign' compares the two members of a pair: it needs antithetic")
    return x


def _ln(x: float) -> float:
    """Return the natural logarithm, correctly rounded."""
    return float(Decimal(x).ln(_DIGITS))


def _groups(x: F64) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each member the first and the last ascending rank of the members equal to it."""
    valid = np.isfinite(x)
    key = np.where(valid, x, -np.inf)
    ascending = np.sort(key)
    first = np.searchsorted(ascending, key, side="left")
    last = np.searchsorted(ascending, key, side="right") - 1
    return first.astype(np.int64), last.astype(np.int64)


def _by_group(x: F64, table: F64) -> F64:
    """Return for each member the mean of the table's entries (best first) over the ranks it spans."""
    first, last = _groups(x)
    means: dict[int, float] = {}
    for low, high in zip(first.tolist(), last.tolist(), strict=True):
        if low not in means:
            total = 0.0
            for k in range(len(x) - 1 - high, len(x) - low):
                total += float(table[k])
            means[low] = total / (high - low + 1)
    return np.array([means[low] for low in first.tolist()])


def _zscore(x: F64, valid: NDArray[np.bool_]) -> F64:
    """Return (x - mean)/std over the valid members, population variance; scaled so no square overflows."""
    _, exponent = math.frexp(float(np.abs(x[valid]).max()))
    y = np.ldexp(x, -exponent)
    ascending = np.sort(y[valid])
    mean = _sum(ascending) / len(ascending)
    deviation = ascending - mean
    variance = _sum(deviation * deviation) / len(ascending)
    result: F64 = (y - mean) / math.sqrt(variance)
    return result


def _sum(values: F64) -> float:
    """Return the sum, one addition after the other from +0."""
    return float(np.add.accumulate(values)[-1]) + 0.0


def _partner(valid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return valid.reshape(-1, 2)[:, ::-1].reshape(-1)
