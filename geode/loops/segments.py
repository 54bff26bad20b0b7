"""Segments: which nodes of one level share a loop over elements, and what is nested in which loop of the program.

In: the nodes of a unit that have work at one level. Out: segments in order, the time at which each runs, and how long
each value is needed.
Invariant: nodes keep their order; a node joins the segment before it only if it reads nothing from it but its own
element, so every segment can be one loop.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from geode.graph.graph import (
    CallUnit,
    Elementwise,
    Iota,
    Level,
    LinearCorrect,
    LinearFactored,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    Reduce,
    operands,
)
from geode.graph.types import TensorType
from geode.loops.unit_values import UnitValues
from geode.record import dataclass

FUSED_RANK = 4  # a low-rank correction of a higher rank is a statement of its own
MOST_FUSED = 200  # items of one loop over elements; compilers take more than linear time over longer bodies


@dataclass(frozen=True, slots=True)
class Move:
    """The value of node `source` becomes what loop `loop` carries at `position`."""

    source: int
    loop: int
    position: int


Item = int | Move


@dataclass(slots=True)
class Segment:
    """Work that becomes one statement: items of one extent in one element loop (`fused`), one node of another kind, or
    with a `body` a loop of the program, whose LoopBegin is its only item. It runs from `time` to `end`. The elements of a
    fused one may be the outputs of a layer, its first node (`layer`): what follows takes them from the registers."""

    items: list[Item]
    extent: int = 0
    uniform: bool = False
    fused: bool = False
    layer: bool = False
    body: list[Segment] | None = None
    time: int = 0
    end: int = 0

    nodes: dict[int, None] = field(default_factory=dict)  # the items that are nodes: a set in order

    @property
    def first(self) -> int:
        """The first node."""
        return next(iter(self.nodes))

    def append(self, item: Item) -> None:
        """Puts an item at the end."""
        self.items.append(item)
        if isinstance(item, int):
            self.nodes[item] = None


@dataclass(slots=True)
class Schedule:
    """The segments of one function. `readers` are the times at which a value is read, `made` when it is made, `inside`
    the loops (their spans of time) that hold each time."""

    values: UnitValues
    level: Level
    segments: list[Segment] = field(default_factory=list)
    readers: dict[int, list[int]] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)
    fused_with: dict[int, Segment] = field(default_factory=dict)
    loops: list[Segment] = field(default_factory=list)
    loop_segments: dict[int, Segment] = field(default_factory=dict)  # by LoopBegin
    taken: dict[int, list[int]] = field(default_factory=dict)  # by loop: when its results are taken out
    inside: dict[int, tuple[Segment, ...]] = field(default_factory=dict)  # the loops around each time, outermost first
    open_loops: list[Segment] = field(default_factory=list)
    filled: dict[int, int] = field(default_factory=dict)  # when the first value that a loop carries is put in place
    clock: int = 0

    def last_need(self, node: int) -> int:
        """The last time at which a value must still be there: a reader inside a loop that began after the value was
        made keeps it alive until that loop ends."""
        made = self.made.get(node, 0)
        last = made
        for time in self.readers.get(node, []):
            last = max(last, self.lengthened(made, time))
        return last

    def lengthened(self, made: int, time: int) -> int:
        """`time`, or the end of the outermost loop around it that began after `made`."""
        return next((loop.end for loop in self.inside.get(time, ()) if loop.time > made), time)

    def carried_life(self, loop: int) -> tuple[int, int]:
        """From when to when loop `loop` holds what it carries: from its first Move to the last reader of its results."""
        segment = self.loop_segments[loop]
        last = segment.end
        for time in self.taken.get(loop, ()):
            last = max(last, self.lengthened(segment.time, time))
        return self.filled.get(loop, segment.time), last

    def loop_of(self, end: int) -> int:
        """The LoopBegin that a LoopEnd closes."""
        operation = self.values.nodes[end].operation
        assert isinstance(operation, LoopEnd)
        return operation.loop

    def read_outside(self, segment: Segment, node: int) -> bool:
        """True if a value made in a fused segment is read anywhere else, so that it must be in memory."""
        return any(time != segment.time for time in self.readers.get(node, []))

    # --- building

    def build(self, nodes: Iterable[int]) -> None:
        """Makes the segments of `nodes`, which are in order and hold whole loops only."""
        stack: list[list[Segment]] = [self.segments]
        for node in nodes:
            operation = self.values.nodes[node].operation
            match operation:
                case LoopBegin(inits):
                    for position in self.values.carried_positions(node):
                        self.add(stack[-1], Move(inits[position], node, position))
                    loop = Segment([], body=[], time=self.tick())
                    loop.append(node)
                    stack[-1].append(loop)
                    self.open_loops.append(loop)
                    self.loops.append(loop)
                    self.loop_segments[node] = loop
                    stack.append(loop.body if loop.body is not None else [])
                case LoopEnd(begin, nexts):
                    for position in self.values.carried_positions(begin):
                        self.add(stack[-1], Move(nexts[position], begin, position))
                    stack.pop()
                    self.open_loops.pop().end = self.tick()
                case _:
                    self.add(stack[-1], node)

    def tick(self) -> int:
        """The next time."""
        self.clock += 1
        return self.clock

    def add(self, segments: list[Segment], item: Item) -> None:
        """Takes one more piece of work into the last segment, or opens a new one."""
        node = self.values.nodes[item.source if isinstance(item, Move) else item]
        extent = self.move_extent(item) if isinstance(item, Move) else self.loop_extent(node)
        uniform = not (self.carried_type(item) if isinstance(item, Move) else node.type).batched
        last = segments[-1] if segments else None
        if last is not None and self.continues_layer(last, item, extent):
            last.fused = last.layer = True
            last.extent = extent
        if extent and last is not None and last.fused and self.joins(last, item, extent, uniform=uniform):
            last.append(item)
            segment = last
        else:
            segment = Segment([], extent, uniform, fused=extent > 0, time=self.tick())
            segment.append(item)
            segment.end = segment.time
            self.inside[segment.time] = tuple(self.open_loops)
            segments.append(segment)
        if isinstance(item, Move):
            self.filled.setdefault(item.loop, segment.time)
        else:
            self.made[item] = segment.time
            if isinstance(node.operation, LoopResult):
                self.taken.setdefault(self.loop_of(node.operation.end), []).append(segment.time)
            for result in self.made_by_call(item):
                self.made[result] = segment.time
        for argument in self.arguments(item):
            self.readers.setdefault(argument, []).append(segment.time)

    def continues_layer(self, segment: Segment, item: Item, extent: int) -> bool:
        """True if the segment is one layer over single rows and the item works on its outputs, element by element."""
        if segment.fused or segment.body is not None or isinstance(item, Move):
            return False
        layer = self.values.nodes[segment.first]
        match layer.operation:
            case (
                LinearMean(parameter) | LinearNoise(parameter) | LinearPerturbed(parameter) | LinearFactored(parameter)
            ):
                owner = self.values.unit.graph.parameters[parameter]
                shape = owner.shape
                if owner.by_lane and isinstance(layer.operation, LinearFactored):
                    return False
            case _:
                return False
        if len(shape) != 2 or not layer.type.batched or layer.type.shape != shape[:1] or extent != shape[0]:
            return False
        return segment.first in self.arguments(item)

    def move_extent(self, move: Move) -> int:
        """The elements that a Move copies."""
        return self.carried_type(move).size

    def carried_type(self, move: Move) -> TensorType:
        """The type of what a loop carries."""
        return self.values.nodes[self.values.variable(move.loop, move.position)].type

    def made_by_call(self, node: int) -> list[int]:
        """The values that a call makes; none for other nodes."""
        if not isinstance(self.values.nodes[node].operation, CallUnit):
            return []
        return self.values.results(node)

    def loop_extent(self, node: Node) -> int:
        """The elements of the loop that a node can be part of; 0 for a node that is a statement of its own."""
        match node.operation:
            case Elementwise() | LinearJoin() | Iota() | LoopVariable() | LoopResult():
                return node.type.size
            case LinearCorrect(_, factor, _) if self.values.nodes[factor].type.size <= FUSED_RANK:
                return node.type.size if len(node.type.shape) == 1 else 0
            case Reduce(_, args) if node.type.size == 1:
                return self.values.nodes[args[0]].type.size
            case _:
                return 0

    def joins(self, segment: Segment, item: Item, extent: int, *, uniform: bool) -> bool:
        """True if an item may share the loop of the segment before it."""
        if segment.extent != extent or segment.uniform != uniform or len(segment.items) >= MOST_FUSED:
            return False
        if segment.layer and isinstance(item, Move):
            return False  # what a loop carries may be the layer's input, which later outputs still need
        operation = self.values.nodes[item].operation if isinstance(item, int) else None
        if isinstance(operation, LoopResult):
            return False
        for argument in self.direct_arguments(item):
            base = self.values.base(argument)
            if base in segment.nodes:
                made = self.values.nodes[base]
                whole = made.type.size == extent == self.values.nodes[argument].type.size
                if isinstance(made.operation, Reduce) or not whole:
                    return False
        return True

    def direct_arguments(self, item: Item) -> tuple[int, ...]:
        """The values that an item reads, views as they stand."""
        if isinstance(item, Move):
            return (item.source,)
        operation = self.values.nodes[item].operation
        if isinstance(operation, LoopVariable | LoopResult):
            return ()
        if isinstance(operation, CallUnit):
            functions = self.values.callees[operation.call].functions
            read = next(inputs for level, inputs, _ in functions if level == self.level)
            return tuple(operation.args[position] for position in read)
        return operands(operation)

    def arguments(self, item: Item) -> list[int]:
        """The values in memory or in the same loop that an item reads."""
        return [self.values.base(argument) for argument in self.direct_arguments(item)]
