"""What a reduction of the batch reaches.

In: a unit under construction. Out: whether a value needs the result of a batch reduction.
Invariant: a value that needs one is computed when every row of the batch has been seen, once a member.
"""

from __future__ import annotations

from collections.abc import Iterable

from geode.graph.call_tree import Application
from geode.graph.graph import BatchReduce, operands


def needs_batch(unit: Application, nodes: Iterable[int]) -> bool:
    """True if one of `nodes` is a batch reduction or is computed from one."""
    pending = list(nodes)
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        operation = unit.nodes[node].operation
        if isinstance(operation, BatchReduce):
            return True
        pending.extend(operands(operation))
    return False
