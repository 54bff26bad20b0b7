"""Element loops of large units that no other is like -> calls of whole-tile operations (gs_whole.h).

In: element loops and blocks to copy. Out: the statement model; a value that has no place of its own lies in `temps`.
Invariant: the operations are those of element_steps, lane by lane, in their order; only the loop over vectors is inside each
of them. Every access of a turn is to the vector at hand, so no lane sees the difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache

from geode.diagnostics import InternalError
from geode.emit.element_steps import address, element_index
from geode.emit.literals import float32_literal
from geode.emit.statement import (
    Assign,
    CallExpr,
    Declare,
    Evaluate,
    Expr,
    For,
    Member,
    Name,
    Stmt,
    Subscript,
    plus,
    times,
)
from geode.emit.writer import expression_to_text
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    Element,
    ElementLoop,
    ElementNumber,
    Expression,
    Index,
    Let,
    Load,
    SettingValue,
    SlotScale,
    Step,
    Store,
    Temp,
    Value,
)
from geode.record import dataclass

ANY = "gs_any_apart"
_LANES, _ZERO = Name("GS_LANES"), Name("0")
_CALLED = re.compile(r"gs_(?:whole_(\w+?)_([ls]*)|one_(\w+?)_([0-3]))\(")
_TEMPS = re.compile(r"temps\[(\d+)\]")
Operand = tuple[str, Expr]  # l and where it lies, or s and the number


def whole_loop(loop: ElementLoop) -> list[Stmt]:
    """One element loop."""
    return _uniform_loop(loop) if loop.uniform else _Whole(loop).run()


def whole_copy(target: Expr, source: Operand) -> Stmt:
    """`source` to `target` in every lane."""
    kind, value = source
    return Evaluate(CallExpr(f"gs_whole_copy_{kind}", (target, value)))


def temps_of(text: str) -> list[Stmt]:
    """The declaration of the `temps` that a function's text names."""
    most = max((int(place) + 1 for place in _TEMPS.findall(text)), default=0)
    return [Declare("_Alignas(64) float", f"temps[{most}][GS_LANES]")] if most else []


def operations_of(text: str) -> list[str]:
    """The lines that make the operations called in `text`, sorted: `GS_WHOLE_2(gs_add, gs_whole_add_ls, l, s)`."""
    lines: set[str] = set()
    for whole, kinds, one, count in _CALLED.findall(text):
        if whole:
            name = f"gs_whole_{whole}_{kinds}"
            lines.add(f"GS_WHOLE_{len(kinds)}({', '.join([f'gs_{whole}', name, *kinds])})")
        else:
            lines.add(f"GS_ONE_{count}(gs_{one}, gs_one_{one}_{count})")
    return sorted(lines)


# --- values of every lane


@dataclass(slots=True)
class _Whole:
    """A loop in the making. `places` is where the values named in the turn lie, `last` the last step that reads each."""

    loop: ElementLoop
    places: dict[int, Expr] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    reads: list[frozenset[int]] = field(default_factory=list)  # by step: the values that it reads
    slots: dict[int, int] = field(default_factory=dict)  # by node: its place among the temps
    free: list[int] = field(default_factory=list)
    count: int = 0
    made: list[Stmt] = field(default_factory=list)
    chains: frozenset[int] = frozenset()  # the nodes whose value is a chain over the elements

    def run(self) -> list[Stmt]:
        """The whole loop: chains begun, the turn for every element, chains put down."""
        loop = self.loop
        self.chains = frozenset(step.node for step in loop.steps if isinstance(step, Accumulate))
        for place, step in enumerate(loop.steps):
            self.reads.append(frozenset(_temps_read(step)))
            for node in self.reads[-1]:
                self.last[node] = place
        for step in loop.steps:
            if isinstance(step, Accumulate):
                self.places[step.node] = self.slot(step.node)
                self.call("copy", self.places[step.node], [("s", Name(float32_literal(step.first)))])
        before, self.made = self.made, []
        skip = -1
        for place, step in enumerate(loop.steps):
            if place != skip and self.step(place, step):
                skip = place + 1
        turn, self.made = self.made, []
        for store in loop.after:
            self.store(store)
        body = turn if loop.extent == 1 else [For("e", str(loop.extent), tuple(turn))]
        return [*before, *body, *self.made]

    @property
    def element(self) -> str:
        """The element at hand."""
        return "0" if self.loop.extent == 1 else "e"

    def step(self, place: int, step: Step) -> bool:
        """One step; True if the next one, which puts this one's value down, is done with it."""
        match step:
            case Let(node, value):
                home = self.home(place, node)
                self.places[node] = self.slot(node) if home is None else home
                self.value(value, self.places[node])
                self.release(place)
                return home is not None
            case Store():
                self.store(step)
            case Accumulate(node, op, _, args):
                chain = self.places[node]
                values = [self.operand(arg) for arg in args]
                self.call(op, chain, [*values, ("l", chain)] if op == "fma" else [("l", chain), *values])
        self.release(place)
        return False

    def home(self, place: int, node: int) -> Expr | None:
        """Where the next step puts the value of `node`, if it stays there until its last reader."""
        following = self.loop.steps[place + 1 : place + 2]
        match following:
            case (Store(buffer, Element(), Temp(stored)),) if stored == node and not buffer.uniform:
                rest = self.loop.steps[place + 2 : self.last[node] + 1]
                if not any(isinstance(step, Store) and step.buffer == buffer for step in rest):
                    return self.lanes_of(Load(buffer, Element()))
        return None

    def store(self, store: Store) -> None:
        """A value to memory."""
        self.value(store.value, self.lanes_of(Load(store.buffer, store.index)))

    def value(self, value: Expression, target: Expr) -> None:
        """Makes `value` in the lanes at `target`."""
        if isinstance(value, Apply):
            inner: list[int] = []
            self.call(value.op, target, [self.operand(arg, inner) for arg in value.args])
            self.free += inner
        else:
            self.call("copy", target, [self.operand(value)])

    def operand(self, value: Expression, inner: list[int] | None = None) -> Operand:
        """What an operation is given; a value made for it alone takes a slot, told in `inner`."""
        match value:
            case Temp(node):
                return "l", self.places[node]
            case Load(buffer, index):
                if buffer.uniform:
                    return "s", _number_at(buffer, index, self.element)
                return "l", self.lanes_of(value)
            case Apply():
                slot = self.next_slot()
                self.value(value, _temp(slot))
                if inner is not None:
                    inner.append(slot)
                return "l", _temp(slot)
            case SlotScale(parameter, by_lane=True):
                return "l", Member(Name(f"slot{parameter}"), "ss_by_lane")
            case _:
                return "s", _number(value, self.element)

    def lanes_of(self, load: Load) -> Expr:
        """Where the lanes of an element lie."""
        return _lanes_at(load.buffer, load.index, self.element)

    def call(self, op: str, target: Expr, operands: list[Operand]) -> None:
        """An operation on all lanes."""
        kinds = "".join(kind for kind, _ in operands)
        self.made.append(Evaluate(CallExpr(f"gs_whole_{op}_{kinds}", (target, *(value for _, value in operands)))))

    def slot(self, node: int) -> Expr:
        """A slot for a node's value."""
        self.slots[node] = self.next_slot()
        return _temp(self.slots[node])

    def next_slot(self) -> int:
        """A slot that holds nothing."""
        if self.free:
            return self.free.pop()
        self.count += 1
        return self.count - 1

    def release(self, place: int) -> None:
        """Gives back the slots of what no later step reads."""
        step = self.loop.steps[place]
        made = {step.node} if isinstance(step, Let) else frozenset[int]()
        for node in self.reads[place] | made:
            if node in self.slots and self.last.get(node, place) <= place and node not in self.chains:
                self.free.append(self.slots.pop(node))


@lru_cache(maxsize=100_000)  # a large unit has few places, and names each of them often
def _lanes_at(buffer: Buffer, index: Index, element: str) -> Name:
    """Where the lanes of an element lie, as an argument of a call."""
    return Name(expression_to_text(plus(address(buffer), times(element_index(index, element), _LANES))))


@lru_cache(maxsize=100_000)
def _number_at(buffer: Buffer, index: Index, element: str) -> Name:
    """A number that all lanes share."""
    return Name(expression_to_text(Subscript(address(buffer), element_index(index, element))))


def _temp(slot: int) -> Expr:
    return Name(f"temps[{slot}]")


def _temps_read(step: Step) -> Iterator[int]:
    values: list[Expression] = list(step.args) if isinstance(step, Accumulate) else [step.value]
    while values:
        value = values.pop()
        if isinstance(value, Temp):
            yield value.node
        elif isinstance(value, Apply):
            values.extend(value.args)


def _number(value: Expression, element: str) -> Expr:
    match value:
        case Value(number):
            return Name(float32_literal(number))
        case SettingValue(name):
            return Member(Name("tile"), name)
        case ElementNumber():
            return CallExpr("(float)", (Name(element),))
        case SlotScale(parameter):
            return Member(Name(f"slot{parameter}"), "ss")
        case _:
            raise InternalError(f"{type(value).__name__} is no number of all lanes")


# --- values that all rows share


def _uniform_loop(loop: ElementLoop) -> list[Stmt]:
    element = "0" if loop.extent == 1 else "e"
    body: list[Stmt] = []
    turn: list[Stmt] = []
    for step in loop.steps:
        match step:
            case Let(node, value):
                turn.append(Declare("const float", f"t{node}", _one(value, element)))
            case Store():
                turn.append(_put(step, element))
            case Accumulate(node, op, first, args):
                body.append(Declare("float", f"t{node}", Name(float32_literal(first))))
                values, chain = tuple(_one(arg, element) for arg in args), Name(f"t{node}")
                turn.append(Assign(chain, _apply(op, (*values, chain) if op == "fma" else (chain, *values))))
    body += turn if loop.extent == 1 else [For("e", str(loop.extent), tuple(turn))]
    body += [_put(store, element) for store in loop.after]
    return body


def _put(store: Store, element: str) -> Stmt:
    return Assign(Subscript(address(store.buffer), element_index(store.index, element)), _one(store.value, element))


def _one(value: Expression, element: str) -> Expr:
    match value:
        case Temp(node):
            return Name(f"t{node}")
        case Load(buffer, index):
            place = element_index(index, element)
            return Subscript(address(buffer), place if buffer.uniform else times(place, _LANES))
        case Apply(op, args):
            return _apply(op, tuple(_one(arg, element) for arg in args))
        case SlotScale(parameter, by_lane=True):
            return Subscript(Member(Name(f"slot{parameter}"), "ss_by_lane"), _ZERO)
        case _:
            return _number(value, element)


def _apply(op: str, args: tuple[Expr, ...]) -> Expr:
    return CallExpr(f"gs_one_{op}_{len(args)}", args)


__all__ = ["ANY", "operations_of", "temps_of", "whole_copy", "whole_loop"]
