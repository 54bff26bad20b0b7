"""Operations over whole values, the same for every row of the batch.

In: matrices `[rows, numbers]`, each row a value in row-major order, then the operation's constants. Out: `[rows, …]`.
Invariant: a place is floored; outside the axis, or NaN, it reaches nothing: `at` and `slice` give NaN, `put` changes
nothing. A NaN sorts last, and is what `argmax` and `argmin` find first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.reference.reductions import last_dot

Array = NDArray[Any]


def _places(places: Array, count: int) -> tuple[Array, Array]:
    """Floored places as integers, and which of them are on the axis."""
    floored = np.floor(places)
    inside = (floored >= 0) & (floored < count)
    return np.where(inside, floored, 0).astype(np.int64), inside


def _at(x: Array, place: Array, count: int, block: int) -> Array:
    """x[place] of `count` blocks of `block` numbers."""
    index, inside = _places(place[:, 0], count)
    chosen = x.reshape(-1, count, block)[np.arange(len(x)), index]
    return np.where(inside[:, None], chosen, np.asarray(np.nan, x.dtype))


def _put(x: Array, value: Array, place: Array, count: int, block: int) -> Array:
    """Of `count` blocks of `block` numbers the one at `place` replaced by `value`."""
    index, inside = _places(place[:, 0], count)
    result: Array = x.reshape(-1, count, block).copy()
    rows = np.flatnonzero(inside)
    result[rows, index[rows]] = value.reshape(-1, block)[rows]
    return result


def _slice(x: Array, start: Array, rows: int, count: int, length: int) -> Array:
    """`length` numbers of each of `rows` stretches of `count`, from `start` on."""
    first = np.floor(start.astype(np.float64))
    index, inside = _places(first + np.arange(length), count)
    taken = np.take_along_axis(x.reshape(-1, rows, count), np.repeat(index[:, None], rows, axis=1), axis=2)
    return np.where(inside[:, None], taken, np.asarray(np.nan, x.dtype))


def _matmul(x: Array, y: Array, t: int, k: int, n: int) -> Array:
    """Σ x[t, k] y[k, n]."""
    left, right = x.reshape(-1, t, 1, k), y.reshape(-1, k, n).transpose(0, 2, 1)[:, None]
    return last_dot(*np.broadcast_arrays(left, right))


def _by_row(function: Callable[[Array], Array]) -> Callable[..., Array]:
    """A function along the last axis of `[rows, stretches, count]`."""
    return lambda x, rows, count: function(x.reshape(-1, rows, count))


def _cumulative_sum(x: Array) -> Array:
    zero = np.zeros((*x.shape[:-1], 1), x.dtype)
    return np.asarray(np.add.accumulate(np.concatenate([zero, x], axis=-1), axis=-1)[..., 1:])


def _embed(table: Array, index: Array, count: int, height: int, width: int) -> Array:
    """table[height, width] at `count` floored places, NaN outside."""
    places, inside = _places(index.reshape(-1, count), height)
    tables = table.reshape(-1, height, width)
    rows = np.arange(len(places))[:, None] if len(tables) > 1 else 0
    return np.where(inside[..., None], tables[rows, places], np.asarray(np.nan, table.dtype))


def _windows(x: Array, channels: int, height: int, width: int, size: int) -> Array:
    """`[…, channels, height / size, width / size, size * size]`: the numbers of each window, row by row."""
    tiles = x.reshape(-1, channels, height // size, size, width // size, size).transpose(0, 1, 2, 4, 3, 5)
    return np.asarray(tiles.reshape(*tiles.shape[:4], size * size))


def _maxpool(x: Array, channels: int, height: int, width: int, size: int) -> Array:
    return np.asarray(np.max(_windows(x, channels, height, width, size), axis=-1))


def _avgpool(x: Array, channels: int, height: int, width: int, size: int) -> Array:
    windows = _windows(x, channels, height, width, size)
    return np.asarray(np.add.accumulate(windows, axis=-1)[..., -1] / np.asarray(size * size, x.dtype))


def patches(x: Array, size: int) -> Array:
    """`[…, c, h, w]` to `[…, h, w, c·size·size]`: what a filter sees around each place, zeros outside the picture."""
    *rows, channels, height, width = x.shape
    half = size // 2
    padded = np.zeros((*rows, channels, height + 2 * half, width + 2 * half), x.dtype)
    padded[..., half : half + height, half : half + width] = x
    taps = [padded[..., i : i + height, j : j + width] for i in range(size) for j in range(size)]
    stacked = np.stack(taps, axis=-1)  # […, c, h, w, size²]
    moved = np.moveaxis(stacked, -4, -2)  # […, h, w, c, size²]
    return np.asarray(moved.reshape(*rows, height, width, channels * size * size))


KERNELS: Mapping[str, Callable[..., Array]] = {
    "at": _at,
    "put": _put,
    "slice": _slice,
    "matmul": _matmul,
    "embed": _embed,
    "maxpool": _maxpool,
    "avgpool": _avgpool,
    "argmax": _by_row(lambda x: np.argmax(x, axis=-1)),
    "argmin": _by_row(lambda x: np.argmin(x, axis=-1)),
    "sort": _by_row(lambda x: np.sort(x, axis=-1)),
    "argsort": _by_row(lambda x: np.argsort(x, axis=-1, kind="stable")),
    "cumsum": _by_row(_cumulative_sum),
}
