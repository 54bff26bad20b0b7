"""The second form of a trained word: each lane of a tile is a row of a member of its own.

In: the leveled call tree of a trained word whose rows are few. Out: the same tree for tiles of many members: what a
perturbed parameter reaches differs by lane, and there is no work at the pair level.
Invariant: no operation is added, taken away or moved; only types and levels change, so every lane computes the bits that
it has in the form of one member a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import (
    BatchReduce,
    CallResult,
    CallUnit,
    Graph,
    Input,
    Known,
    Level,
    LinearCorrect,
    LinearFactor,
    LinearFactored,
    LinearJoin,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    ParameterValue,
    Table,
    operands,
)
from geode.record import dataclass

FEWEST_TURNS = 16  # a shorter loop is not worth a driver of its own


@dataclass(frozen=True, slots=True)
class MembersForm:
    """`unit` is the tree; `rollout` the loop of its root that each lane may leave in its own time, or None."""

    unit: LeveledUnit
    rollout: int | None


def spread_members(unit: LeveledUnit) -> MembersForm:
    """The form of `unit` for tiles of many members; its outputs are what is reduced over the batch, in order."""
    nodes = unit.graph.nodes
    reduced = tuple(n.operation.x for n in nodes if isinstance(n.operation, BatchReduce))
    kept = tuple(Node(Known(0.0), n.type) if isinstance(n.operation, BatchReduce) else n for n in nodes)
    root = replace(unit, graph=replace(unit.graph, nodes=kept, outputs=reduced or unit.graph.outputs))
    rollout = _rollout(root)
    return MembersForm(_Spread(root, (), {}, rollout).run(), rollout)


def _rollout(unit: LeveledUnit) -> int | None:
    """The loop at the outer level of the root that takes most of the time, if there is one that is long enough."""
    best, most = None, 0.0
    begin, depth = 0, 0
    for place, node in enumerate(unit.graph.nodes):
        if isinstance(node.operation, LoopBegin):
            begin = place if depth == 0 else begin
            depth += 1
        elif isinstance(node.operation, LoopEnd):
            depth -= 1
            if depth == 0 and unit.levels[begin] == Level.MEMBER:
                opening = unit.graph.nodes[begin].operation
                assert isinstance(opening, LoopBegin)
                turns = float("inf") if opening.count is None else opening.count
                if turns >= FEWEST_TURNS and turns * (place - begin) > most:
                    best, most = begin, turns * (place - begin)
    return best


_Found = dict[tuple[int, tuple[bool, ...]], LeveledUnit]  # by unit and inputs: a unit is asked for again and again


class _Spread:
    """One unit at one place of the tree, given which of its inputs differ by lane."""

    def __init__(self, unit: LeveledUnit, inputs: Sequence[bool], found: _Found, rollout: int | None = None) -> None:
        self.unit = unit
        self.found = found
        self.nodes = unit.graph.nodes
        self.inputs = inputs
        self.rollout = rollout
        self.flags = [n.type.batched for n in self.nodes]
        self.calls: dict[int, LeveledUnit] = {}
        self.ends = {n.operation.loop: n.operation for n in self.nodes if isinstance(n.operation, LoopEnd)}

    def run(self) -> LeveledUnit:
        changed = True
        while changed:
            changed = False
            for place, node in enumerate(self.nodes):
                if not self.flags[place] and self.differs(place, node):
                    self.flags[place] = changed = True
            changed = changed and bool(self.ends)  # without loops one pass is enough
        nodes = tuple(self.spread(place, node) for place, node in enumerate(self.nodes))
        levels = tuple(Level.MEMBER if level == Level.PAIR else level for level in self.unit.levels)
        parameters = tuple(replace(p, by_lane=p.trainable) for p in self.unit.graph.parameters)
        graph = Graph(self.unit.graph.word, nodes, self.unit.graph.outputs, parameters)
        calls = tuple(self.calls.get(c, call) for c, call in enumerate(self.unit.calls))
        return replace(self.unit, graph=graph, levels=levels, calls=calls)

    def spread(self, place: int, node: Node) -> Node:
        if isinstance(node.operation, CallUnit):
            self.callee(node.operation)  # for the flags as they are in the end
        same = self.flags[place] == node.type.batched or isinstance(node.operation, LoopBegin | LoopEnd)
        return node if same else replace(node, type=replace(node.type, batched=True))

    def differs(self, place: int, node: Node) -> bool:
        """True if a value differs by lane, as far as is known by now."""
        flags = self.flags
        match node.operation:
            case Input(position):
                return self.inputs[position]
            case ParameterValue(parameter):
                return self.unit.graph.parameters[parameter].trainable
            case LinearPerturbed() | LinearNoise() | LinearJoin():
                return True
            case LinearFactor() | LinearCorrect() | LinearFactored():
                return True
            case CallUnit():
                return self.callee_flag(node.operation, 0)
            case CallResult(call, position):
                made_by = self.nodes[call].operation
                assert isinstance(made_by, CallUnit)
                return self.callee_flag(made_by, position)
            case Known() | Table() | LoopBegin() | LoopEnd():
                return False
            case LoopVariable(loop, position):
                return self.carried_flag(loop, position)
            case LoopResult(end, position):
                ending = self.nodes[end].operation
                assert isinstance(ending, LoopEnd)
                return self.carried_flag(ending.loop, position)
            case operation:
                # What the rollout begins with is copied lane by lane.
                first = self.rollout is not None and place < self.rollout
                member = self.unit.levels[place] >= Level.PAIR
                return (first and member) or any(flags[argument] for argument in operands(operation))

    def carried_flag(self, loop: int, position: int) -> bool:
        """What a loop carries; in a rollout each lane is at a turn of its own."""
        begin = self.nodes[loop].operation
        assert isinstance(begin, LoopBegin)
        either = self.flags[begin.inits[position]] or self.flags[self.ends[loop].nexts[position]]
        return either or loop == self.rollout

    def callee_flag(self, operation: CallUnit, position: int) -> bool:
        callee = self.callee(operation)
        return callee.graph.nodes[callee.graph.outputs[position]].type.batched

    def callee(self, operation: CallUnit) -> LeveledUnit:
        """The callee for the arguments as they are known now."""
        given = tuple(self.flags[a] for a in operation.args)
        callee = self.unit.calls[operation.call]
        key = (id(callee), given)
        if key not in self.found:
            self.found[key] = _Spread(callee, given, self.found).run()
        self.calls[operation.call] = self.found[key]
        return self.calls[operation.call]


__all__ = ["MembersForm", "spread_members"]
