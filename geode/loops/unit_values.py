"""Where the values of a unit live: which are needed at an inner level or in a later pass, and the slices that hand them on.

In: a unit's graph with levels, and the interfaces of the units that it calls. Out: for every node the passes that use
it, its place in its level's slice, and the place of every callee's slices.
Invariant: a value that an inner level or a later pass of its own level reads stands in the slice of its own level; an
input never does, since the caller hands it in again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from geode.graph.batch_passes import BatchPasses, Pass, find_batch_passes
from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import (
    BatchReduce,
    CallResult,
    CallUnit,
    Input,
    Known,
    Level,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    ParameterValue,
    Setting,
    Table,
    View,
    operands,
)
from geode.loops.liveness import Carried, find_live
from geode.loops.loop import Buffer, Interface, Slices, Space
from geode.record import dataclass

SLICES: dict[Level, Space] = {Level.RUN: "run", Level.EPOCH: "epoch", Level.PAIR: "pair", Level.MEMBER: "kept"}

_NO_WORK = (Input, Known, ParameterValue, Table, Setting, View, CallResult, BatchReduce)
_NO_PLACE = (Input, Known, ParameterValue, Table, Setting, View, LoopBegin, LoopEnd, BatchReduce)


@dataclass(slots=True)
class UnitValues:
    """The plan of one unit. `outputs` are the nodes that it hands back and the pass in which it does, `reductions` its
    batch reductions in the order of their results, which everything behind them reads."""

    unit: LeveledUnit
    callees: Sequence[Interface]
    outputs: tuple[tuple[int, Pass], ...]
    passes: BatchPasses
    reductions: tuple[int, ...] = ()
    used_at: list[set[Pass]] = field(default_factory=list)
    slices: dict[int, Buffer] = field(default_factory=dict)
    callee_slices: dict[int, Slices] = field(default_factory=dict)
    sizes: dict[Level, int] = field(default_factory=dict)
    live: frozenset[int] = frozenset()
    carried: Carried = frozenset()
    carried_at: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by loop: the positions that it carries
    further: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # by call: its results behind the first
    variables: dict[tuple[int, int], int] = field(default_factory=dict)  # by loop and position

    nodes: tuple[Node, ...] = field(init=False)  # the unit's
    bases: list[int] = field(init=False)  # of each node

    def __post_init__(self) -> None:
        self.nodes = self.unit.graph.nodes
        self.bases = []
        for place, node in enumerate(self.nodes):
            self.bases.append(self.bases[node.operation.x] if isinstance(node.operation, View) else place)

    def base(self, node: int) -> int:
        """The node whose memory holds `node`: a view lies in the value that it looks into."""
        return self.bases[node]

    def skip(self, node: int) -> int:
        """Where in its base a node begins, in elements."""
        operation = self.nodes[node].operation
        return operation.offset + self.skip(operation.x) if isinstance(operation, View) else 0

    def results(self, call: int) -> list[int]:
        """The call node and its further results, by position."""
        return [call, *(place for _, place in sorted(self.further.get(call, ())))]

    def variable(self, loop: int, position: int) -> int:
        """The LoopVariable of what a loop carries at `position`."""
        return self.variables[loop, position]

    def call_nodes(self) -> list[int]:
        """The nodes that call a unit, by call."""
        calls = {n.operation.call: place for place, n in enumerate(self.nodes) if isinstance(n.operation, CallUnit)}
        return [calls[call] for call in range(len(self.callees))]

    def reduction_place(self, node: int) -> int:
        """Where the result of a BatchReduce node stands among those of all."""
        return self.reductions.index(node)

    def pass_of(self, node: int) -> Pass:
        """The pass in which a node is computed."""
        return self.unit.levels[node], self.passes.numbers[node]

    def carried_positions(self, loop: int) -> tuple[int, ...]:
        """The positions at which a loop really carries something, ascending."""
        return self.carried_at.get(loop, ())

    def reads(self, node: int) -> tuple[int, ...]:
        """The operands of a node that are computed: of a loop's begin and end those that are carried."""
        match self.nodes[node].operation:
            case LoopBegin(inits):
                return tuple(inits[position] for position in self.carried_positions(node))
            case LoopEnd(loop, nexts):
                return tuple(nexts[position] for position in self.carried_positions(loop))
            case LoopVariable() | LoopResult():
                return ()
            case operation:
                return operands(operation)

    def works_at(self, node: int) -> tuple[Pass, ...]:
        """The passes in which something is done for a node: its own, or those in which its unit has work."""
        operation = self.nodes[node].operation
        if isinstance(operation, _NO_WORK) or node not in self.live:
            return ()
        if isinstance(operation, CallUnit):
            numbers = self.passes.calls[node]
            return tuple((level, numbers[level]) for level, _, _ in self.callees[operation.call].functions)
        return (self.pass_of(node),)


def plan_values(
    unit: LeveledUnit,
    callees: Sequence[Interface],
    outputs: tuple[tuple[int, Pass], ...],
    reductions: tuple[int, ...] = (),
    passes: BatchPasses | None = None,
) -> UnitValues:
    """The plan of `unit`: of all that `outputs` need, up to the batch reductions that they read. `passes` where they are
    known already."""
    values = UnitValues(unit, callees, outputs, passes or find_batch_passes(unit), reductions)
    wanted = [node for node, _ in outputs]
    read = {call: {p for _, inputs, _ in callee.functions for p in inputs} for call, callee in enumerate(callees)}
    values.live, values.carried = find_live(values.nodes, wanted, read)
    for loop, position in sorted(values.carried):
        values.carried_at[loop] = (*values.carried_at.get(loop, ()), position)
    for place, node in enumerate(values.nodes):
        match node.operation:
            case CallResult(call, position):
                values.further.setdefault(call, []).append((position, place))
            case LoopVariable(loop, position):
                values.variables[loop, position] = place
            case _:
                pass
    values.used_at = [set() for _ in values.nodes]
    for place, node in enumerate(values.nodes):
        _note_uses(values, place, node)
    for node_place, when in outputs:
        values.used_at[values.base(node_place)].add(when)
    values.sizes = dict.fromkeys(SLICES, 0)
    for place, node in enumerate(values.nodes):
        _place_slices(values, place, node)
    return values


def _note_uses(values: UnitValues, place: int, node: Node) -> None:
    operation = node.operation
    if isinstance(operation, CallUnit):
        numbers = values.passes.calls[place]
        for level, inputs, _ in values.callees[operation.call].functions:
            for position in inputs:
                values.used_at[values.base(operation.args[position])].add((level, numbers[level]))
        return
    if isinstance(operation, View | CallResult):
        return
    for when in values.works_at(place):
        for argument in values.reads(place):
            values.used_at[values.base(argument)].add(when)


def _place_slices(values: UnitValues, place: int, node: Node) -> None:
    operation = node.operation
    if isinstance(operation, CallUnit):
        callee = values.callees[operation.call]
        sizes = values.sizes
        values.callee_slices[place] = (
            sizes[Level.RUN] if callee.run else None,
            sizes[Level.EPOCH] if callee.epoch else None,
            sizes[Level.PAIR] if callee.pair else None,
        )
        sizes[Level.RUN] += callee.run
        sizes[Level.EPOCH] += callee.epoch
        sizes[Level.PAIR] += callee.pair
    if isinstance(operation, _NO_PLACE):
        return
    level, number = values.pass_of(place)
    if any(used > (level, number) for used in values.used_at[place]):
        elements = node.type.size
        values.slices[place] = Buffer(SLICES[level], elements, not node.type.batched, offset=values.sizes[level])
        values.sizes[level] += elements
