"""What trial runs of a loop's body have found, so that the loops inside it need not find it again.

In: loops as they are met, told apart by where they stand, the calls that lead there, and how often they have been met
in this run of the body around them. Out: what each has to carry, its step, the shape of what it makes.
Invariant: each run of a body is more general than the one before, so what a loop carried once it carries ever after;
whoever recalls something still runs the body and notices where it is not enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from geode.graph.types import Shape, TensorType
from geode.record import dataclass

Slot = int | str  # a place on the stack counted from the bottom, or a local
Place = tuple[str, int, tuple[int, ...]]  # a definition, an offset in the text, and those of the calls that lead there


@dataclass(slots=True)
class Trials:
    """The loops met in runs of one body; `met` counts them in the run that goes on."""

    found: dict[tuple[Place, int], Found] = field(default_factory=dict)
    met: dict[Place, int] = field(default_factory=dict)

    def meet(self, place: Place) -> Found:
        """What is known of the loop that is met now."""
        number = self.met.get(place, 0)
        self.met[place] = number + 1
        return self.found.setdefault((place, number), Found())


@dataclass(slots=True)
class Found:
    """What is known of one loop. `steps` holds its step, None for one that is known at run time only, once that is known;
    `shapes` the row shape of an element of its result."""

    carried: dict[bool, dict[Slot, TensorType]] = field(default_factory=dict)  # by whether it counts its turns itself
    leaves: bool = False  # rows LEAVE it
    steps: list[float | None] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    inside: Trials = field(default_factory=Trials)


@dataclass(slots=True)
class TrialsNow:
    """The trials of the body that is being run; None outside all loops."""

    body: Trials | None = None

    def meet(self, place: Place) -> Found:
        """What is known of the loop that is met now; nothing outside all loops, where each is met once."""
        return Found() if self.body is None else self.body.meet(place)

    @contextmanager
    def run_of(self, body: Trials) -> Iterator[None]:
        """One run of a body from its start to its end."""
        around, self.body = self.body, body
        body.met.clear()
        try:
            yield
        finally:
            self.body = around
