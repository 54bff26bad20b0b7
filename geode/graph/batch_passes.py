"""Passes over the batch: which of them a value belongs to, at each level.

In: a leveled unit. Out: for every node the number of batch reductions of its own level that must have ended, one after
the other, before it can be computed.
Invariant: what a node reads is of an outer level, or of its own level in the same pass or an earlier one; the nodes of
a loop of the program are all in one pass, and so is the work of a called unit at one level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import BatchReduce, CallResult, CallUnit, Level, LoopBegin, LoopEnd, operands
from geode.record import dataclass

Pass = tuple[Level, int]  # a level, and which of its passes; in this order they are gone through
FIRST_PASSES: Mapping[Level, int] = dict.fromkeys(Level, 0)


@dataclass(slots=True)
class BatchPasses:
    """`numbers[n]` is node n's pass at its level; `calls` says for a CallUnit node in which pass its work at each level
    is."""

    numbers: list[int]
    calls: dict[int, Mapping[Level, int]] = field(default_factory=dict)


def find_batch_passes(unit: LeveledUnit) -> BatchPasses:
    """The passes of a unit; one that reduces nothing has one at every level."""
    nodes = unit.graph.nodes
    passes = BatchPasses([0] * len(nodes))
    if not any(isinstance(node.operation, BatchReduce) for node in nodes):
        passes.calls = {n: FIRST_PASSES for n, node in enumerate(nodes) if isinstance(node.operation, CallUnit)}
        return passes
    numbers, levels = passes.numbers, unit.levels
    loop: int | None = None  # the pass of the outermost open loop
    depth = 0
    for place, node in enumerate(nodes):
        operation = node.operation
        if isinstance(operation, LoopBegin):
            if depth == 0:
                loop = _pass_of_loop(unit, numbers, place)
            depth += 1
        if isinstance(operation, CallUnit):
            passes.calls[place] = {
                level: loop if loop is not None else _latest(unit, numbers, operation.args, level) for level in Level
            }
        if isinstance(operation, CallResult):
            numbers[place] = passes.calls[operation.call][levels[place]]
        elif isinstance(operation, CallUnit):
            numbers[place] = passes.calls[place][levels[place]]
        elif loop is not None:
            numbers[place] = loop
        else:
            number = _latest(unit, numbers, operands(operation), levels[place])
            numbers[place] = number + 1 if isinstance(operation, BatchReduce) else number
        if isinstance(operation, LoopEnd):
            depth -= 1
            if depth == 0:
                loop = None
    return passes


def _latest(unit: LeveledUnit, numbers: list[int], arguments: tuple[int, ...], level: Level) -> int:
    """The latest pass of those arguments that are of this level."""
    return max((numbers[a] for a in arguments if unit.levels[a] == level), default=0)


def _pass_of_loop(unit: LeveledUnit, numbers: list[int], begin: int) -> int:
    """The one pass of all work in a loop."""
    number = 0
    nodes = unit.graph.nodes
    for place in range(begin, len(nodes)):
        node = nodes[place]
        outside = tuple(a for a in operands(node.operation) if a < begin)
        number = max(number, _latest(unit, numbers, outside, unit.levels[begin]))
        if isinstance(node.operation, LoopEnd) and node.operation.loop == begin:
            break
    return number
