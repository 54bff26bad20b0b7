"""Comparisons and logic on what is known while compiling.

In: the name of a word. Out: how many values it takes, and the function that gives its flag (SELECT: its value).
Invariant: a comparison with a NaN is false, but for `<>`, as everywhere.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

COMPARISONS: Mapping[str, tuple[int, Callable[..., bool]]] = {
    "<": (2, operator.lt),
    "<=": (2, operator.le),
    ">": (2, operator.gt),
    ">=": (2, operator.ge),
    "=": (2, operator.eq),
    "<>": (2, operator.ne),
    "0<": (1, lambda x: x < 0),
    "0=": (1, lambda x: x == 0),
    "0>": (1, lambda x: x > 0),
    "WITHIN": (3, lambda x, low, high: low <= x < high),
}
"""Words that take numbers and give a flag."""

LOGIC: Mapping[str, tuple[int, Callable[..., bool]]] = {
    "AND": (2, operator.and_),
    "OR": (2, operator.or_),
    "XOR": (2, operator.xor),
    "NOT": (1, operator.not_),
    "TRUE": (0, lambda: True),
    "FALSE": (0, lambda: False),
}
"""Words that take flags and give one."""
