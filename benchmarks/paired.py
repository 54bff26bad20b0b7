"""Two or more things timed in turn, so that a loaded or throttled machine hurts them alike.

In: functions that each return one measurement. Out: those of each, by name. Invariant: the sides take turns in
every round, and the order is turned round each time, so that none always follows the other.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Samples:
    """The measurements of one side, seconds."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The least: what the machine can do when nothing else runs."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """The middle one: what it did."""
        return statistics.median(self.seconds)


def take_turns(
    sides: Mapping[str, Callable[[], T]], rounds: int, tick: Callable[[], None] = lambda: None
) -> dict[str, list[T]]:
    """Call every side `rounds` times, side by side; `tick` is called after each call."""
    seen: dict[str, list[T]] = {name: [] for name in sides}
    order = list(sides)
    for _ in range(rounds):
        for name in order:
            seen[name].append(sides[name]())
            tick()
        order.reverse()
    return seen


def in_turn(
    sides: Mapping[str, Callable[[], float]], rounds: int, tick: Callable[[], None] = lambda: None
) -> dict[str, Samples]:
    """The same of sides that each give seconds."""
    return {name: Samples(tuple(values)) for name, values in take_turns(sides, rounds, tick).items()}
