"""Element loops of a large unit: those that are alike share one function, all others are calls of whole-tile operations.

In: the statements of a unit's functions. Out: for each loop its calls, and the functions that they need, as C text.
Invariant: loops are alike if nothing but where their values lie differs; the shared function is the loop as small units have
it, so its values stay in registers from step to step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from geode.emit.element_steps import address, element_loop
from geode.emit.statement import CallExpr, Evaluate, Name, Stmt
from geode.emit.whole_steps import whole_loop
from geode.emit.writer import expression_to_text, statements_to_text
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    ElementLoop,
    Expression,
    Let,
    Load,
    Repeat,
    SlotScale,
    Statement,
    Step,
    Store,
    Temp,
)
from geode.record import dataclass

_LEAST = 3  # loops of one kind that are worth a function
_MOST_STEPS = 600  # of all shared functions, which cost a compiler some two milliseconds each


@dataclass(frozen=True, slots=True)
class SharedLoops:
    """`numbers` are those of the loops that have a function, by what they are but for their places."""

    numbers: Mapping[ElementLoop, int]

    def calls(self, loop: ElementLoop) -> list[Stmt]:
        """One loop."""
        alike = _Alike()
        number = self.numbers.get(alike.loop(loop)) if _shareable(loop) else None
        if number is None:
            return whole_loop(loop)
        places = (Name(expression_to_text(address(buffer))) for buffer in alike.places)
        return [Evaluate(CallExpr(f"loop{number}", (Name("tile"), *places)))]

    def functions(self) -> str:
        """The functions."""
        return "".join(f"\n{_function(loop, number)}" for loop, number in self.numbers.items())


def share_loops(functions: Iterable[Iterable[Statement]]) -> SharedLoops:
    """What the loops of a unit's functions share: the kinds met most often first, as many as are worth compiling."""
    loops = [loop for statements in functions for loop in _loops(statements) if _shareable(loop)]
    counts = Counter(_Alike().loop(loop) for loop in loops)
    numbers: dict[ElementLoop, int] = {}
    left = _MOST_STEPS
    for loop, count in counts.most_common():
        left -= len(loop.steps) + len(loop.after)
        if count < _LEAST or left < 0:
            break
        numbers[loop] = len(numbers)
    return SharedLoops(numbers)


def _loops(statements: Iterable[Statement]) -> Iterator[ElementLoop]:
    for statement in statements:
        if isinstance(statement, ElementLoop):
            yield statement
        elif isinstance(statement, Repeat):
            yield from _loops(statement.body)


def _shareable(loop: ElementLoop) -> bool:
    """True for a loop of several steps whose places are all that it names of its function."""
    values: list[Expression] = []
    for step in (*loop.steps, *loop.after):
        values.extend(step.args if isinstance(step, Accumulate) else (step.value,))
    while values:
        value = values.pop()
        if isinstance(value, SlotScale):
            return False
        if isinstance(value, Apply):
            values.extend(value.args)
    return True


class _Alike:
    """A loop being told from what it works on: `places` are its buffers in the order in which it meets them."""

    def __init__(self) -> None:
        self.places: dict[Buffer, Buffer] = {}
        self.nodes: dict[int, int] = {}

    def loop(self, loop: ElementLoop) -> ElementLoop:
        steps = tuple(map(self.step, loop.steps))
        return ElementLoop(loop.extent, loop.uniform, steps, tuple(map(self.store, loop.after)))

    def step(self, step: Step) -> Step:
        match step:
            case Let(node, value):
                return Let(self.node(node), self.value(value))
            case Store():
                return self.store(step)
            case Accumulate(node, op, first, args):
                return Accumulate(self.node(node), op, first, tuple(map(self.value, args)))

    def store(self, store: Store) -> Store:
        return Store(self.place(store.buffer), store.index, self.value(store.value))

    def value(self, value: Expression) -> Expression:
        match value:
            case Temp(node):
                return Temp(self.node(node))
            case Load(buffer, index):
                return Load(self.place(buffer), index)
            case Apply(op, args):
                return Apply(op, tuple(map(self.value, args)))
            case _:
                return value

    def node(self, node: int) -> int:
        return self.nodes.setdefault(node, len(self.nodes))

    def place(self, buffer: Buffer) -> Buffer:
        known = self.places.get(buffer)
        if known is None:
            known = self.places[buffer] = Buffer("in", 0, buffer.uniform, position=len(self.places))
        return known


def _function(loop: ElementLoop, number: int) -> str:
    alike = _Alike()
    alike.loop(loop)
    written = {step.buffer for step in (*loop.steps, *loop.after) if isinstance(step, Store)}
    places = [f"{'' if buffer in written else 'const '}float *in{buffer.position}" for buffer in alike.places]
    arguments = ", ".join(["const struct gs_tile_context *tile", *places])
    return f"GS_APART void loop{number}({arguments}) {{\n    (void)tile;\n{statements_to_text(element_loop(loop))}}}\n"
