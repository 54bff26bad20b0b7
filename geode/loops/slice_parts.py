"""What of a root's run and epoch slices differs by row, so that a lane can be given the values of any row.

In: the place of a root. Out: stretches of elements of each slice, ascending and not touching.
Invariant: all other elements of the slices are the same for every row.
"""

from __future__ import annotations

from collections.abc import Iterator

from geode.loops.loop import Space
from geode.loops.specialise import Place

Stretch = tuple[int, int]  # first element, how many


def slice_parts(root: Place, space: Space) -> tuple[Stretch, ...]:
    """The stretches of the slice `space`, "run" or "epoch"."""
    found: list[Stretch] = []
    for first, count in sorted(_values(root, space, 0)):
        if found and sum(found[-1]) == first:
            found[-1] = (found[-1][0], found[-1][1] + count)
        else:
            found.append((first, count))
    return tuple(found)


def _values(place: Place, space: Space, start: int) -> Iterator[Stretch]:
    for value in place.unit.slices:
        if value.space == space and not value.uniform:
            yield start + value.offset, value.elements
    for call, slices in zip(place.calls, place.unit.callee_slices, strict=True):
        inner = slices[0 if space == "run" else 1]
        if inner is not None:
            yield from _values(call, space, start + inner)
