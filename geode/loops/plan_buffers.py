"""Scratch: offsets for the values that live only inside one function, sharing memory where their lives do not meet.

In: the size and the first and last statement of every value. Out: an offset for each and the whole size.
Invariant: two values that are alive during one statement never overlap.
"""

from __future__ import annotations

from collections.abc import Mapping

from geode.record import dataclass


@dataclass(frozen=True, slots=True)
class Life:
    """`elements` per lane, needed from statement `first` to statement `last`, both included."""

    elements: int
    first: int
    last: int


def plan_offsets(lives: Mapping[int, Life]) -> tuple[dict[int, int], int]:
    """The offset of each value in elements, first fit in order of birth, and how many elements are needed in all."""
    alive: list[tuple[int, Life]] = []  # those that a later one may still meet
    offsets: dict[int, int] = {}
    total = 0
    for key, life in sorted(lives.items(), key=lambda item: (item[1].first, item[0])):
        alive = [(start, other) for start, other in alive if life.first <= other.last]
        taken = sorted((start, start + other.elements) for start, other in alive)
        offset = 0
        for start, end in taken:
            if offset + life.elements <= start:
                break
            offset = max(offset, end)
        alive.append((offset, life))
        offsets[key] = offset
        total = max(total, offset + life.elements)
    return offsets, total
