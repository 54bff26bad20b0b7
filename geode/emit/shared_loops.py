"""Element loops of a large unit: those that are alike share one function, all others are calls of whole-tile operations.

In: the statements of a unit's functions. Out: for each loop its calls, and the functions that they need, as C text.
Invariant: loops are alike if nothing but where their values lie differs; the shared function is the loop as small units have
it, so its values stay in registers from step to step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

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
    Value,
)
from geode.record import dataclass

_LEAST = 3  # loops of one kind that are worth a function
_MOST_STEPS = 600  # of all shared functions, which cost a compiler some two milliseconds each


Kind = tuple[Any, ...]  # a loop's records as tuples that begin with their class: cheaper to make and to compare
Places = tuple[Buffer, ...]


@dataclass(frozen=True, slots=True)
class SharedLoops:
    """`kinds` are loops that have a function, one of each kind; `found` has for every loop of these kinds, by its identity,
    the kind's number and the places that it works on.
    """

    kinds: tuple[ElementLoop, ...]
    found: Mapping[int, tuple[int, Places]]

    def calls(self, loop: ElementLoop) -> list[Stmt]:
        """One loop."""
        found = self.found.get(id(loop))
        if found is None:
            return whole_loop(loop)
        number, places = found
        return [Evaluate(CallExpr(f"loop{number}", (Name("tile"), *map(_place, places))))]

    def functions(self) -> str:
        """The functions."""
        return "".join(f"\n{_function(loop, number)}" for number, loop in enumerate(self.kinds))


def share_loops(functions: Iterable[Iterable[Statement]]) -> SharedLoops:
    """What the loops of a unit's functions share: the kinds met most often first, as many as are worth compiling.

    The loops must live as long as the answer.
    """
    alike: dict[Kind, list[tuple[ElementLoop, Places]]] = {}
    for statements in functions:
        for loop in _loops(statements):
            told = _kind(loop)
            if told is not None:
                alike.setdefault(told[0], []).append((loop, told[1]))
    kinds: list[ElementLoop] = []
    found: dict[int, tuple[int, Places]] = {}
    left = _MOST_STEPS
    for members in sorted(alike.values(), key=len, reverse=True):
        first = members[0][0]
        left -= len(first.steps) + len(first.after)
        if len(members) < _LEAST or left < 0:
            break
        found.update((id(loop), (len(kinds), places)) for loop, places in members)
        kinds.append(first)
    return SharedLoops(tuple(kinds), found)


@lru_cache(maxsize=100_000)  # a large unit has few places, and names each of them often
def _place(buffer: Buffer) -> Name:
    return Name(expression_to_text(address(buffer)))


def _loops(statements: Iterable[Statement]) -> Iterator[ElementLoop]:
    for statement in statements:
        if isinstance(statement, ElementLoop):
            yield statement
        elif isinstance(statement, Repeat):
            yield from _loops(statement.body)


def _kind(loop: ElementLoop) -> tuple[Kind, Places] | None:
    """What a loop is but for its places, and the places; None if it names more of its function than places."""
    alike = _Alike(_told)
    try:
        kind = alike.loop(loop)
    except _NamesASlotError:
        return None
    return kind, tuple(alike.places)


class _NamesASlotError(Exception):
    """A loop reads the scale of a parameter, which belongs to the unit's instance."""


class _Alike:
    """A loop being told from what it works on: places and nodes are numbered in the order in which it meets them.

    `make` is given a class and its fields. `places` are the loop's buffers in that order.
    """

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make
        self.places: dict[Buffer, Any] = {}
        self.nodes: dict[int, int] = {}

    def loop(self, loop: ElementLoop) -> Any:
        steps = tuple(map(self.step, loop.steps))
        return self.make(ElementLoop, loop.extent, loop.uniform, steps, tuple(map(self.store, loop.after)))

    def step(self, step: Step) -> Any:
        match step:
            case Let(node, value):
                return self.make(Let, self.node(node), self.value(value))
            case Store():
                return self.store(step)
            case Accumulate(node, op, first, args):
                return self.make(Accumulate, self.node(node), op, first, tuple(map(self.value, args)))

    def store(self, store: Store) -> Any:
        return self.make(Store, self.place(store.buffer), store.index, self.value(store.value))

    def value(self, value: Expression) -> Any:
        match value:
            case Temp(node):
                return self.make(Temp, self.node(node))
            case Load(buffer, index):
                return self.make(Load, self.place(buffer), index)
            case Apply(op, args):
                return self.make(Apply, op, tuple(map(self.value, args)))
            case Value(number):
                return self.make(Value, number)
            case SlotScale():
                raise _NamesASlotError
            case _:
                return value

    def node(self, node: int) -> int:
        return self.nodes.setdefault(node, len(self.nodes))

    def place(self, buffer: Buffer) -> Any:
        known = self.places.get(buffer)
        if known is None:
            known = self.places[buffer] = self.make(Buffer, "in", 0, buffer.uniform, 0, len(self.places))
        return known


def _told(*parts: Any) -> Kind:
    return (Value, parts[1].hex()) if parts[0] is Value else parts  # 0 and -0 are equal, and not alike


def _record(cls: Callable[..., object], *parts: object) -> object:
    return cls(*parts)


def _function(loop: ElementLoop, number: int) -> str:
    alike = _Alike(_record)
    own: ElementLoop = alike.loop(loop)
    written = {step.buffer for step in (*own.steps, *own.after) if isinstance(step, Store)}
    places = [f"{'' if buffer in written else 'const '}float *in{buffer.position}" for buffer in alike.places.values()]
    arguments = ", ".join(["const struct gs_tile_context *tile", *places])
    return f"GS_APART void loop{number}({arguments}) {{\n    (void)tile;\n{statements_to_text(element_loop(own))}}}\n"
