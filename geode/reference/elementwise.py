"""Operations on single numbers, by the names that the graph has for them.

In: arrays of one floating type (flags are Boolean) that broadcast. Out: an array of that type, or of flags.
Invariant: IEEE rules without exception: nothing traps, a NaN operand gives NaN through every operation that computes
(comparisons with NaN are false, `ne` true); functions are those of NumPy in float64, rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Array]


def _minimum(a: Array, b: Array) -> Array:
    """(a < b or a is NaN) ? a : b, so that a NaN on either side is the result and of two zeros the second."""
    return np.where((a < b) | np.isnan(a), a, b)


def _maximum(a: Array, b: Array) -> Array:
    return np.where((a > b) | np.isnan(a), a, b)


def _sign(x: Array) -> Array:
    return np.where(np.isnan(x), x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype))


def _relu(x: Array) -> Array:
    return np.where(x <= 0, np.zeros((), x.dtype), x)


def _sigmoid(x: Array) -> Array:
    """1/(1+e⁻ˣ), from the side on which the exponential cannot overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, small) / (1 + small))


def fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    """Return a·b + c: for float32 with one rounding, for float64 with two.

    The product of two float32 is exact in float64. The float64 sum is rounded to odd, after which rounding it again to
    float32 rounds the exact value (Boldo and Melquiond 2008).
    """
    if np.result_type(a, b, c) != np.float32:
        return np.asarray(a * b + c)
    product, addend = np.multiply(a, b, dtype=np.float64), np.asarray(c, np.float64)
    total = np.asarray(product + addend)
    back = total - addend
    error = (product - back) + (addend - (total - back))  # two-sum (Knuth): total + error is exact
    inexact = np.isfinite(total) & (error != 0) & ((total.view(np.int64) & 1) == 0)
    odd = np.where(inexact, np.nextafter(total, np.where(error > 0, np.inf, -np.inf)), total)
    return odd.astype(np.float32)


def _rounded(function: Callable[..., Any]) -> Function:
    """The function computed in float64 and rounded to the type of its operands."""

    def apply(*args: Array) -> Array:
        wide = function(*(np.asarray(a, np.float64) for a in args))
        return np.asarray(wide, np.result_type(*args))

    return apply


ELEMENTWISE: Mapping[str, Function] = {
    # arithmetic: each is correctly rounded in the type of its operands
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "fma": fused_multiply_add,
    "mod": np.mod,
    "negate": np.negative,
    "abs": np.abs,
    "sign": _sign,
    "min": _minimum,
    "max": _maximum,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
    "trunc": np.trunc,
    "spread": lambda x: x,  # to a larger shape, by whoever calls
    # comparing and logic: flags
    "is_lt": np.less,
    "is_le": np.less_equal,
    "is_gt": np.greater,
    "is_ge": np.greater_equal,
    "is_eq": np.equal,
    "is_ne": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "not": np.logical_not,
    "true": lambda: np.array(True),
    "false": lambda: np.array(False),
    "choose": np.where,
    "number": lambda f: np.where(f, np.float32(1), np.float32(0)),
    # functions
    "exp": _rounded(np.exp),
    "ln": _rounded(np.log),
    "log2": _rounded(np.log2),
    "log10": _rounded(np.log10),
    "sin": _rounded(np.sin),
    "cos": _rounded(np.cos),
    "tan": _rounded(np.tan),
    "asin": _rounded(np.arcsin),
    "acos": _rounded(np.arccos),
    "atan": _rounded(np.arctan),
    "atan2": _rounded(np.arctan2),
    "sinh": _rounded(np.sinh),
    "cosh": _rounded(np.cosh),
    "tanh": _rounded(np.tanh),
    "pow": _rounded(np.power),
    # activations
    "relu": _relu,
    "leaky_relu": lambda x: np.where(x > 0, x, np.asarray(0.01, x.dtype) * x),
    "elu": _rounded(lambda x: np.where(x > 0, x, np.expm1(x))),
    "gelu": _rounded(lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))),
    "silu": _rounded(lambda x: x * _sigmoid(x)),
    "sigmoid": _rounded(_sigmoid),
    "softplus": _rounded(lambda x: np.logaddexp(0, x)),
}
