"""The types of values on the stack: what a signature declares and what abstract interpretation computes with.

In: shapes from literals, data and parameters. Out: types that print as a signature writes them.
Invariant: `shape` is the row shape; the batch axis is the flag `batched`, never a size.
"""

from __future__ import annotations

import math
from typing import Literal

from geode.record import dataclass

Shape = tuple[int, ...]
MOST_AXES = 8  # of a parameter, a table or a row of a file: as many as the runtime's records hold
DType = Literal["r", "f"]


@dataclass(frozen=True, slots=True)
class TensorType:
    """`r` float32 or `f` flags: one value of row shape `shape`, or one for every row of the batch."""

    dtype: DType
    shape: Shape
    batched: bool

    @property
    def size(self) -> int:
        """Numbers per row."""
        return math.prod(self.shape)

    def __str__(self) -> str:
        return ":".join([self.dtype, *(["b"] if self.batched else []), *map(str, self.shape)])


def row(shape: Shape, *, batched: bool) -> TensorType:
    """The float32 type of row shape `shape`."""
    return TensorType("r", shape, batched)


SCALAR = row((), batched=False)


def combine_shapes(a: Shape, b: Shape) -> Shape | None:
    """The row shape of an elementwise word on `a` and `b`: equal, one a scalar, or one a suffix of the other; else None."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    if longer[len(longer) - len(shorter) :] == shorter:
        return longer
    return None


def shape_text(shape: Shape) -> str:
    """`r:28:28` for (28, 28), `r` for a scalar."""
    return ":".join(["r", *map(str, shape)])
