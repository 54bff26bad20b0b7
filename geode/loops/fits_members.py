"""Which words get a second form for tiles of many members.

In: the leveled call tree of a trained word without data, and what follows its batch reductions. Out: yes or no.
Invariant: a word that does not fit loses nothing but speed.
"""

from __future__ import annotations

import math

from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import BatchReduce, operands
from geode.loops.cut_rollout import pieces
from geode.loops.loop import Buffer, Finish, SlotScale, UnitCall

MOST_WEIGHTS = 8192  # trained numbers of a member: every lane of a tile holds them all


def fits_members(unit: LeveledUnit, finish: Finish | None) -> bool:
    """True if the lanes of a tile can be rows of different members: the weights are few and no filters, the batch is
    reduced once, and what follows needs no weights."""
    parameters = [p for p in unit.application.all_parameters() if p.trainable]
    few = 0 < sum(math.prod(p.shape) for p in parameters) <= MOST_WEIGHTS
    filters = any(len(p.shape) == 4 for p in parameters)
    return few and not filters and not _reduces_again(unit) and not _needs_weights(finish)


def _reduces_again(unit: LeveledUnit) -> bool:
    """True if what is reduced depends on another reduction."""
    nodes = unit.graph.nodes
    behind: set[int] = set()
    for place, node in enumerate(nodes):
        after = any(argument in behind for argument in operands(node.operation))
        if isinstance(node.operation, BatchReduce) and after:
            return True
        if after or isinstance(node.operation, BatchReduce):
            behind.add(place)
    return False


def _needs_weights(finish: Finish | None) -> bool:
    found = (SlotScale, UnitCall)
    statements = () if finish is None else finish.statements
    return any(isinstance(p, found) or (isinstance(p, Buffer) and p.space == "weights") for p in pieces(statements))
