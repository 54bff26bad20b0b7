"""SHARED words: every call of one gives it the same row shapes and the same constants.

In: the calls of one tree, as they are met. Out: nothing; a CompileError names this call and the first one.
Invariant: whether a value is batched makes no difference.
"""

from __future__ import annotations

from dataclasses import field

from geode.diagnostics import CompileError, Diagnostic
from geode.graph.graph import Known
from geode.graph.machine import Machine
from geode.graph.types import shape_text
from geode.graph.values import Flag, Instance, Number, ShapeValue, Tensor, Text, Token, Value, stack_text, type_text
from geode.record import dataclass
from geode.source import Span


@dataclass(slots=True)
class SharedCalls:
    """The first call of each SHARED word: what it was given, and where it stands."""

    first: dict[str, tuple[str, Span]] = field(default_factory=dict)

    def check(self, machine: Machine, shared: str, arguments: list[Value], span: Span) -> None:
        """Raises CompileError (GS503) if this call gives what is shared something else than the first one did; `shared`
        is the path that the names of its parameters start with."""
        given = " ".join(_tied(machine, argument) for argument in arguments)
        first, place = self.first.setdefault(shared, (given, span))
        if first != given:
            name = shared.rsplit("/", 1)[-1].lstrip("=")
            raise CompileError(
                Diagnostic(
                    "GS503",
                    f"`{name}` is shared, but this call gives it `{given}` and an earlier one `{first}`",
                    span,
                    stack=stack_text(machine.before),
                    help="all calls that share weights need the same row shapes and constants",
                    trail=machine.trail,
                    notes=(("the earlier call stands here", place),),
                )
            )


def _tied(machine: Machine, value: Value) -> str:
    """What all calls must have in common of one argument: its row shape, or the constant itself."""
    match value:
        case Tensor(node, type_):
            operation = machine.unit.nodes[node].operation
            if isinstance(operation, Known) and not type_.shape:
                return f"{operation.value:.9g}"
            return shape_text(type_.shape)
        case Number(number):
            return str(number)
        case Flag(flag):
            return "TRUE" if flag else "FALSE"
        case Text(text):
            return f'"{text}"'
        case Token(word, _, path) | Instance(Token(word, _, path)):
            return f"['] {word}" if path is None else f"the instance {'/'.join(path)}"
        case ShapeValue():
            return type_text(value)
