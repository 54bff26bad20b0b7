"""The state of one path through a word, and choosing between the states of two.

In: machines that took two paths from one place. Out: one state whose values are chosen by flag.
Invariant: choosing looks at the flag alone, so nothing of the path that a row did not take reaches it, a NaN neither.
"""

from __future__ import annotations

from geode.graph.machine import Machine
from geode.graph.trials import Slot
from geode.graph.values import DRAWS, RUNAWAY, Flag, Number, Tensor, Value, type_text
from geode.record import dataclass


@dataclass(slots=True)
class State:
    """What a path through the program has made of the stack and the locals."""

    stack: list[Value]
    locals: dict[str, Value]

    @classmethod
    def of(cls, machine: Machine) -> State:
        """A copy of the machine's state."""
        return cls(list(machine.stack), dict(machine.locals))

    def restore(self, machine: Machine) -> None:
        """Makes it the machine's state again."""
        machine.stack, machine.locals = list(self.stack), dict(self.locals)

    def get(self, slot: Slot) -> Value:
        """The value in a slot; a count of draws that has not begun is 0."""
        if isinstance(slot, int):
            return self.stack[slot]
        return self.locals.get(slot, Number(0)) if slot.startswith(DRAWS) else self.locals[slot]

    def put(self, slot: Slot, value: Value) -> None:
        """Replaces the value in a slot."""
        if isinstance(slot, int):
            self.stack[slot] = value
        else:
            self.locals[slot] = value

    def slots(self) -> list[Slot]:
        """Every slot, the stack first."""
        return [*range(len(self.stack)), *self.locals]


def choose(machine: Machine, condition: Tensor, a: Value, b: Value) -> Value:
    """The value that is `a` where the condition holds and `b` elsewhere; equal ones stay as they are."""
    if same(a, b):
        return a if not isinstance(a, Tensor) else Tensor(a.node, a.type, None, machine.word)
    x, y = as_tensor(machine, a), as_tensor(machine, b)
    if x is None or y is None:
        machine.fail(
            "GS406",
            f"one branch leaves {type_text(a)}, the other {type_text(b)}",
            help="a branch taken at run time can't choose between two of them",
        )
    if x.type.dtype != y.type.dtype:
        x, y = machine.as_number(x), machine.as_number(y)
    if x.type.shape != y.type.shape:
        machine.fail("GS406", f"one branch leaves {type_text(a)}, the other {type_text(b)}", wanted="the same types")
    return machine.elementwise("choose", (condition, x, y), x.type.dtype)


def same(a: Value, b: Value) -> bool:
    """True if two values are one: the same node, or the same thing known while compiling."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a.node == b.node
    return a == b


def as_tensor(machine: Machine, value: Value) -> Tensor | None:
    """The value as a node of the graph; None for what is none (xt, s, …)."""
    match value:
        case Tensor():
            return Tensor(value.node, value.type, None, value.closed_by)
        case Number(number):
            return machine.known(float(number))
        case Flag():
            return machine.flag_tensor(value)
        case _:
            return None


def both(machine: Machine, mask: Tensor | None, condition: Tensor) -> Tensor:
    """The rows of a mask (None: all) for which a condition holds."""
    return condition if mask is None else machine.elementwise("and", (mask, condition), "f")


def is_hidden(name: str) -> bool:
    """True for the locals that no program names and that outlive branches, loops and inlined calls."""
    return name == RUNAWAY or name.startswith(DRAWS)


def hidden_of(machine: Machine) -> dict[str, Value]:
    """The machine's hidden locals."""
    return {name: value for name, value in machine.locals.items() if is_hidden(name)}


def leaves(before: list[Value], after: list[Value]) -> str:
    """How a stack's depth has changed, in words."""
    change = len(after) - len(before)
    if change == 0:
        return "as many values"
    count = "one value" if abs(change) == 1 else f"{abs(change)} values"
    return f"{count} {'more' if change > 0 else 'fewer'}"
