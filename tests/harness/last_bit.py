"""Whether a result hangs on the last bit: the interpreter with every float32 rounding moved.

In: program text. Out: runs of the interpreter in float64 whose intermediate numbers are moved by half a float32 ulp, up
or down, as another order of rounding might (Monte Carlo arithmetic, Parker 1997), elementary functions by their bound.
Invariant: a number that float32 holds exactly stays, so counts and flags do; equal numbers are moved equally; what is moved
which way depends on `salt` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from geode.reference.elementwise import ELEMENTWISE
from geode.reference.program import ProgramRun, run_program
from geode.reference.reductions import REDUCTIONS, matrix_product
from geode.source import Source

Array = NDArray[Any]
HALF_ULP = 2.0**-24  # relative to a number that is just above a power of two
# Bounds of gs_math.h in ulps; the others are within half a one, nearly.
ULPS = {"exp": 1.02, "ln": 0.81, "sin": 1.6, "cos": 1.6, "tanh": 4.83}
# What gives one of its operands, or a whole number: float32 adds no error.
EXACT = frozenset(
    ("negate", "abs", "sign", "min", "max", "floor", "ceil", "round", "trunc", "spread", "choose", "relu")
)


def moved(x: Array, salt: int, size: Array | None = None, ulps: float = 0.5) -> Array:
    """`x` moved by so many ulps of `size`, the sum of a sum's parts (default: of itself), where float32 does not hold it."""
    if x.dtype != np.float64:
        return x
    bits = x.copy().view(np.uint64) ^ np.uint64(salt)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64's end
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    sign = np.where(bits >> np.uint64(63), 2 * ulps * HALF_ULP, -2 * ulps * HALF_ULP)
    with np.errstate(all="ignore"):
        inexact = np.isfinite(x) & (x.astype(np.float32) != x)
        return np.where(inexact, x + sign * (np.abs(x) if size is None else size), x)


@contextmanager
def roundings_moved(salt: int) -> Iterator[None]:
    """Moves what the interpreter computes in float64: single numbers, reductions of rows, layers."""

    def one(op: str, function: Callable[..., Array]) -> Callable[..., Array]:
        return lambda *args: moved(np.asarray(function(*args)), salt, ulps=ULPS.get(op, 0.5))

    def chain(function: Callable[..., Array]) -> Callable[..., Array]:
        return lambda *args: moved(function(*args), salt, function(*map(np.abs, args)))

    single = {op: one(op, function) for op, function in ELEMENTWISE.items() if op not in EXACT}
    rows = {op: chain(REDUCTIONS[op]) for op in ("sum", "dot")}
    with (
        patch.dict("geode.reference.elementwise.ELEMENTWISE", single),
        patch.dict("geode.reference.reductions.REDUCTIONS", rows),
        patch("geode.reference.interpret.matrix_product", chain(matrix_product)),
    ):
        yield


def run_moved(text: str, folder: Path, salt: int) -> ProgramRun:
    """The program by the interpreter in float64, with its roundings moved."""
    with roundings_moved(salt):
        return run_program(Source("program.gs", text), {}, folder, dtype="float64")
