"""Arithmetic on what is known while compiling, with exactly the float32 bits that the emitted code would compute.

In: an operation's name and float32 operands. Out: the float32 result, or None where the operation is left to run.
Invariant: + - * / and the square root of float32 values, done in float64 and rounded once, are correctly rounded
(Figueroa 1995: 53 >= 2 * 24 + 2), so folding changes no bit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

_INFINITY = math.inf


def to_float32(value: float) -> float:
    """The nearest float32; beyond its range an infinity."""
    try:
        result: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(_INFINITY, value)
    return result


def fold(op: str, args: tuple[float, ...]) -> float | None:
    """The float32 value of `op` on float32 `args`; None for operations that are not folded."""
    function = _FOLDS.get(op)
    return None if function is None else to_float32(function(*args))


def outside_domain(op: str, *args: float) -> float | None:
    """The infinity or NaN that a logarithm or `mod`, which are left to run, gives of values outside its domain; or None."""
    if op in ("ln", "log2", "log10") and args[0] <= 0.0:
        return -_INFINITY if args[0] == 0.0 else math.nan
    return math.nan if op == "mod" and args[1] == 0.0 else None


def _divide(a: float, b: float) -> float:
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(_INFINITY, a) * math.copysign(1.0, b)


def _maximum(a: float, b: float) -> float:
    return a if a > b or math.isnan(a) else b


def _minimum(a: float, b: float) -> float:
    return a if a < b or math.isnan(a) else b


def _sqrt(a: float) -> float:
    return math.sqrt(a) if a >= 0.0 else math.nan


def _multiply(a: float, b: float) -> float:
    return a * b


_FOLDS: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": _multiply,
    "div": _divide,
    "negate": lambda a: -a,
    "abs": abs,
    "min": _minimum,
    "max": _maximum,
    "sqrt": _sqrt,
}
