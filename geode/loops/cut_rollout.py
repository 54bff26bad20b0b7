"""A member function whose time is in one loop, cut in three: what comes before the loop, one turn of it, what comes after.

In: the plan of a root's values and the loop. Out: the `Rollout`, whose parts hand values on in the pair's slice, which
tiles of many members do not use otherwise.
Invariant: the parts run in order are the whole function; every lane's values pass from one to the next in its own lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from geode.graph.graph import Level, LoopBegin
from geode.graph.types import TensorType
from geode.loops.graph_to_loops import FunctionLowering
from geode.loops.loop import (
    Buffer,
    ConvKernel,
    FactoredKernel,
    Function,
    LayerLoop,
    LinearKernel,
    Part,
    Repeat,
    Rollout,
    SlotScale,
    Statement,
    UnitCall,
    UnitLoops,
)
from geode.loops.segments import Segment
from geode.loops.unit_values import UnitValues
from geode.record import dataclass


def cut_rollout(values: UnitValues, loop: int, callees: Mapping[str, UnitLoops]) -> Rollout | None:
    """The parts of the member function of `values`, whose loop begins at node `loop`; `callees` by symbol. None if a part
    would hand on a value that all lanes share, which cannot go from lane to lane."""
    return _RolloutLowering(values, Level.MEMBER).cut(loop, callees)


@dataclass(slots=True)
class _RolloutLowering(FunctionLowering):
    """The function being cut; `state` counts the elements that its parts hand on."""

    state: int = 0
    shared: bool = False  # a value that all lanes share would be handed on

    def keep(self, type_: TensorType) -> Buffer:
        """The next place of the state."""
        self.shared = self.shared or not type_.batched
        buffer = Buffer("pair", type_.size, uniform=not type_.batched, offset=self.state)
        self.state += type_.size
        return buffer

    def cut(self, loop: int, callees: Mapping[str, UnitLoops]) -> Rollout | None:
        """Places all values, then lowers each part."""
        values, schedule = self.values, self.schedule
        schedule.build(n for n in range(len(values.nodes)) if (Level.MEMBER, 0) in values.works_at(n))
        outputs = [(position, node) for position, (node, _) in enumerate(values.outputs)]
        final = schedule.tick()
        for _, node in outputs:
            schedule.readers.setdefault(values.base(node), []).append(final)
        middle = next(place for place, segment in enumerate(schedule.segments) if segment.items == [loop])
        turn = schedule.segments[middle]
        made = [node for segment in schedule.segments for _, node in self.made([segment])]
        self.outliving = frozenset([loop, *(n for n in made if self._crosses(n, turn))])
        copies, scratch = self.place(outputs)
        if self.shared:
            return None
        before = [self.lower(segment) for segment in schedule.segments[:middle]]
        body = [self.lower(segment) for segment in turn.body or []]
        after = [self.lower(segment) for segment in schedule.segments[middle + 1 :]]
        after += [self.copy(position, node) for position, node in copies]
        begin = values.nodes[loop].operation
        assert isinstance(begin, LoopBegin)
        written = tuple(position for position, _ in outputs)
        return Rollout(
            _part(before, (), scratch, callees),
            _part(body, (), scratch, callees),
            _part(after, written, scratch, callees),
            self.state,
            None if begin.alive is None else self.carried[loop, begin.alive].offset,
            begin.count,
            any(_leaves_alone(statement, callees) for statement in body),
        )

    def _crosses(self, node: int, turn: Segment) -> bool:
        """True if a value is read in another part than that which makes it."""
        times = [self.schedule.made[node], *self.schedule.readers.get(node, [])]
        return len({0 if time < turn.time else 1 if time <= turn.end else 2 for time in times}) > 1


def _part(body: list[Statement], outputs: tuple[int, ...], scratch: int, callees: Mapping[str, UnitLoops]) -> Part:
    function = Function(Level.MEMBER, (), outputs, tuple(body), scratch)
    weights, slices = _reads(function.statements, callees)
    return Part(function, weights, slices)


def _reads(statements: tuple[Statement, ...], callees: Mapping[str, UnitLoops]) -> tuple[bool, bool]:
    """Whether statements, or what they call, read weights of the lanes' members, and values of outer levels."""
    weights = slices = False
    for piece in pieces(statements):
        match piece:
            case LinearKernel() | LayerLoop() | ConvKernel() | FactoredKernel() | SlotScale() | Buffer(space="weights"):
                weights = True
            case Buffer(space="run" | "epoch"):
                slices = True
            case UnitCall(_, symbol, _, (run, epoch, _)):
                slices = slices or run is not None or epoch is not None
                for function in callees[symbol].functions:
                    if function.level == Level.MEMBER:
                        weights = weights or _reads(function.statements, callees)[0]
    return weights, slices


def _leaves_alone(statement: Statement, callees: Mapping[str, UnitLoops]) -> bool:
    """True if there is a loop in a statement, or in what it calls, that goes on while any lane does."""
    for piece in pieces(statement):
        if isinstance(piece, Repeat) and piece.alive is not None:
            return True
        if isinstance(piece, UnitCall):
            functions = (f for f in callees[piece.symbol].functions if f.level == Level.MEMBER)
            if any(_leaves_alone(inner, callees) for function in functions for inner in function.statements):
                return True
    return False


def pieces(part: object) -> Iterator[object]:
    """A piece of the loops form and all that it is made of."""
    yield part
    if isinstance(part, tuple):
        for item in part:
            yield from pieces(item)
    elif is_dataclass(part):
        for entry in fields(part):
            yield from pieces(getattr(part, entry.name))
