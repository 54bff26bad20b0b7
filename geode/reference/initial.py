"""Parameters and their initial weights: a name, a shape and an INIT word -> float32 arrays.

In: `Parameter` records and SEED. Out: one float32 array a parameter, by name. Invariant: a parameter's weights
depend on its own record and SEED alone, so that adding a layer changes no other layer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from geode.reference.streams import normals, stream_key, stream_name_hash, uniforms

if TYPE_CHECKING:
    from collections.abc import Sequence

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: `matrix` is a LINEAR or CONV2D weight, `table` another matrix, `vector` has at most one axis."""

    name: str
    shape: tuple[int, ...]
    kind: Literal["matrix", "table", "vector"]
    trainable: bool
    init: Literal["constant", "normal", "uniform", "orthogonal"]
    init_value: float  # the constant, the standard deviation, or the bound; not used by orthogonal

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """Return [m, n]: the first axis and the product of the rest."""
        if self.kind == "vector":
            return 1, math.prod(self.shape)
        return self.shape[0], math.prod(self.shape[1:])


def initial_weights(parameters: Sequence[Parameter], seed: int) -> dict[str, F32]:
    """Return every parameter's initial weights under SEED."""
    return {p.name: initial_weight(p, seed) for p in parameters}


def initial_weight(parameter: Parameter, seed: int) -> F32:
    """Return one parameter's initial weights, from the stream `init:NAME`, epoch 0, pair 0."""
    key = stream_key(stream_name_hash(f"init:{parameter.name}"), seed, 0, 0)
    count = math.prod(parameter.shape)
    value = np.float32(parameter.init_value)
    if parameter.init == "constant":
        flat = np.full(count, value)
    elif parameter.init == "normal":
        flat = value * normals(key, 0, count)
    elif parameter.init == "uniform":
        flat = value * (np.float32(2) * uniforms(key, 0, count) - np.float32(1))
    elif parameter.init == "orthogonal":
        drawn = normals(key, 0, count).reshape(parameter.matrix_shape)
        flat = orthogonal(drawn.astype(np.float64)).astype(np.float32).reshape(-1)
    else:
        raise ValueError(f"init {parameter.init!r} is none of constant, normal, uniform, orthogonal")
    return flat.reshape(parameter.shape)


def orthogonal(matrix: F64) -> F64:
    """Return orthonormal rows (columns, if they are fewer) by modified Gram-Schmidt in their order.

    R's diagonal is positive. Sums run in ascending order, one addition after the other.
    """
    wide = matrix.shape[0] <= matrix.shape[1]
    found: list[F64] = []
    for vector in matrix if wide else matrix.T:
        rest = vector
        for q in found:
            rest = rest - _dot(q, rest) * q
        found.append(rest / math.sqrt(_dot(rest, rest)))
    return np.stack(found, axis=0 if wide else 1)


def _dot(a: F64, b: F64) -> float:
    return float(np.add.accumulate(a * b)[-1])
