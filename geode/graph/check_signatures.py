"""Signatures and CONSTANTs: a CONSTANT that stands for a dimension is a size.

In: an environment whose CONSTANTs are evaluated. Out: nothing but diagnostics (GS305).
Invariant: after a run without errors every CONSTANT named in a signature is an integer from 1 to the longest axis.
"""

from __future__ import annotations

from geode.diagnostics import Sink
from geode.graph.environment import ConstantValue, Environment
from geode.syntax.read_literal import LONGEST_AXIS

SIZE_HELP = f"a dimension is an integer from 1 to {LONGEST_AXIS}, a CONSTANT that is one, or a dimension variable"


def is_size(value: ConstantValue | None) -> bool:
    """True if a value can be the length of an axis."""
    return isinstance(value, int) and 1 <= value <= LONGEST_AXIS


def check_signatures(environment: Environment, sink: Sink) -> None:
    """Reports every CONSTANT in a signature that is no size."""
    for definition in environment.definitions.values():
        signature = definition.signature
        for item in (*signature.inputs, *signature.outputs):
            for dim in item.type.dims:
                value = environment.constants.get(dim) if isinstance(dim, str) else None
                if value is not None and not is_size(value):
                    sink.error("GS305", f"`{dim}` is {_described(value)}, no size", item.span, help=SIZE_HELP)


def _described(value: ConstantValue) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value) if isinstance(value, int) else f"{value:.9g}"
