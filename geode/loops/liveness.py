"""What has to be computed: the nodes that an output or the score depends on, and what loops must carry for them.

In: the nodes of a unit, the nodes wanted, and which arguments each callee reads. Out: the live nodes, and the places
(loop, position) that are carried from turn to turn.
Invariant: a loop carries a value only if a live node in it or behind it reads that value, or if it ends the loop. What a
batch reduction reduces is live only where it is wanted itself: others read its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from geode.graph.graph import BatchReduce, CallUnit, LoopBegin, LoopEnd, LoopResult, LoopVariable, Node, operands

Carried = frozenset[tuple[int, int]]


def find_live(
    nodes: Sequence[Node], wanted: Iterable[int], read: Mapping[int, AbstractSet[int]]
) -> tuple[frozenset[int], Carried]:
    """The live nodes and the carried places; `read[call]` are the arguments that call's unit reads."""
    ends = {node.operation.loop: place for place, node in enumerate(nodes) if isinstance(node.operation, LoopEnd)}
    pending = list(wanted)
    live: set[int] = set()
    carried: set[tuple[int, int]] = set()

    def carry(loop: int, position: int) -> None:
        begin, end = nodes[loop].operation, nodes[ends[loop]].operation
        assert isinstance(begin, LoopBegin)
        assert isinstance(end, LoopEnd)
        if (loop, position) not in carried:
            carried.add((loop, position))
            pending.extend((loop, begin.inits[position], end.nexts[position]))

    while pending:
        node = pending.pop()
        if node in live:
            continue
        live.add(node)
        match nodes[node].operation:
            case LoopVariable(loop, position):
                carry(loop, position)
            case LoopResult(end, position):
                ending = nodes[end].operation
                assert isinstance(ending, LoopEnd)
                carry(ending.loop, position)
            case LoopBegin(_, _, alive):
                pending.append(ends[node])
                if alive is not None:
                    carry(node, alive)
            case LoopEnd(loop):
                pending.append(loop)
            case CallUnit(call, args):
                pending.extend(args[position] for position in read[call])
            case BatchReduce():
                pass
            case operation:
                pending.extend(operands(operation))
    return frozenset(live), frozenset(carried)
