"""Signatures against stacks: binding a word's declared inputs to what reaches it, and its outputs to what it leaves.

In: a signature and values. Out: the bound dimensions and the shapes that the outputs must have.
Invariant: one name stands for one size, and all `r:*` of one signature for one row shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from geode.graph.environment import ConstantValue
from geode.graph.types import Shape, TensorType
from geode.graph.values import Flag, Number, Tensor, Text, Token, Value, type_text
from geode.record import dataclass
from geode.syntax.word import BATCH, Signature, SignatureItem, TypeText


@dataclass(slots=True)
class Binding:
    """What the names of one signature stand for in one call. `lifted` if a word of single rows got a batched value."""

    constants: Mapping[str, ConstantValue]
    dims: dict[str, int] = field(default_factory=dict)
    star: Shape | None = None
    lifted: bool = False

    def bind_inputs(self, signature: Signature, values: Sequence[Value], *, whole_batch: bool) -> str | None:
        """Matches the arguments of a word, one of the whole batch or of one row; None, or what does not fit."""
        for item, value in zip(signature.inputs, values, strict=True):
            problem = self._match(item, value, whole_batch=whole_batch)
            if problem is not None:
                return problem
            if isinstance(value, Tensor) and value.type.batched and not whole_batch:
                self.lifted = True
        return None

    def match_output(self, item: SignatureItem, value: Value, *, whole_batch: bool) -> str | None:
        """Matches one value that the body left; None, or what does not fit."""
        return self._match(item, value, whole_batch=whole_batch)

    def _match(self, item: SignatureItem, value: Value, *, whole_batch: bool) -> str | None:
        kind = item.type.kind
        found = type_text(value)
        match value:
            case Tensor(type=TensorType() as type_) if kind == "layer":
                return None
            case Tensor(type=TensorType() as type_) if kind in ("r", "f"):
                if kind == "f" and type_.dtype == "r":
                    return f"`{item}` takes flags, not {found}"
                return self._match_shape(item, type_, whole_batch=whole_batch)
            case Number() if kind in ("r", "layer", "n"):
                if kind == "r":
                    return self._match_shape(item, TensorType("r", (), batched=False), whole_batch=whole_batch)
                return None
            case Flag() if kind in ("r", "layer", "f"):
                if kind != "layer":
                    return self._match_shape(item, TensorType("f", (), batched=False), whole_batch=whole_batch)
                return None
            case Text() if kind == "s":
                return None
            case Token() if kind == "xt":
                return None
            case _:
                return f"`{item}` does not take {found}"

    def _match_shape(self, item: SignatureItem, type_: TensorType, *, whole_batch: bool) -> str | None:
        declared: TypeText = item.type
        dims = declared.dims
        if dims[:1] == (BATCH,):
            if not type_.batched:
                return f"`{item}` takes a value for every row of the batch, not {type_}"
            dims = dims[1:]
        elif whole_batch and type_.batched:
            return f"`{item}` takes one value for all rows, not {type_}"
        shape = type_.shape
        if declared.star:
            if self.star is None:
                self.star = shape[len(dims) :]
            wanted_length = len(dims) + len(self.star)
            if len(shape) != wanted_length or shape[len(dims) :] != self.star:
                return f"`{item}` stands for {_shape_of(self.star)} here, not {type_}"
        elif len(dims) != len(shape):
            return f"`{item}` has {_axes(len(dims))}, {type_} has {_axes(len(shape))}"
        for dim, size in zip(dims, shape, strict=False):
            bound = self._size(dim)
            if bound is None:
                self.dims[str(dim)] = size
            elif bound != size:
                name = "" if isinstance(dim, int) else f" ({dim} = {bound})"
                return f"`{item}` does not take {type_}{name}"
        return None

    def _size(self, dim: int | str) -> int | None:
        if isinstance(dim, int):
            return dim
        constant = self.constants.get(dim)
        if isinstance(constant, int):
            return constant
        return self.dims.get(dim)

    def output_type(self, item: SignatureItem, *, batched: bool) -> TensorType | None:
        """The tensor type that an output is declared to have, if the names in it are bound; else None."""
        declared = item.type
        if declared.kind not in ("r", "f"):
            return None
        dims = declared.dims[1:] if declared.dims[:1] == (BATCH,) else declared.dims
        sizes = [self._size(dim) for dim in dims]
        if declared.star:
            if self.star is None:
                return None
            sizes.extend(self.star)
        if any(size is None for size in sizes):
            return None
        shape = tuple(size for size in sizes if size is not None)
        is_batched = declared.dims[:1] == (BATCH,) or batched
        return TensorType("f" if declared.kind == "f" else "r", shape, is_batched)


def _axes(count: int) -> str:
    return "no axis" if count == 0 else "one axis" if count == 1 else f"{count} axes"


def _shape_of(shape: Shape) -> str:
    return ":".join(["r", *map(str, shape)])
