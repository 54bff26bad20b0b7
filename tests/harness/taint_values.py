"""What taint tracking keeps of values: levels, whether a perturbation reaches them, and the state of a path.

In: made by `tests/harness/taint.py`. Out: read there. Invariant: two values are one only if they are one object.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

RUN, EPOCH, MEMBER = 0, 1, 3


@dataclass(slots=True, eq=False)
class Taint:
    """A value: where it is computed, and whether a perturbation reaches it. Two are one value only if one object."""

    level: int = RUN
    variant: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """`['] NAME`, or an instance of it."""

    name: str


Value = Taint | Token
Slot = tuple[str, Any]  # "stack" and a depth, "local" and a name, "count" and a call site


@dataclass(slots=True)
class Path:
    """One path through a word: `counts` are the draws of each random call site so far."""

    stack: list[Value]
    locals: dict[str, Value]
    counts: dict[tuple[int, ...], Value]

    def copy(self) -> Path:
        """The same values in lists of its own."""
        return Path(list(self.stack), dict(self.locals), dict(self.counts))

    def slots(self) -> dict[Slot, Value]:
        """Every value with its place."""
        return {
            **{("stack", place): value for place, value in enumerate(self.stack)},
            **{("local", name): value for name, value in self.locals.items()},
            **{("count", site): value for site, value in self.counts.items()},
        }

    def put(self, slot: Slot, value: Value) -> None:
        """Replaces a value."""
        kind, key = slot
        holder: Any = {"stack": self.stack, "local": self.locals, "count": self.counts}[kind]
        holder[key] = value


@dataclass(slots=True)
class Frame:
    """An open loop: the paths and masks with which rows have left it."""

    left: list[tuple[Taint | None, Path]] = field(default_factory=list)


def some(values: Iterable[Taint | None]) -> list[Taint]:
    """Those that are there."""
    return [value for value in values if value is not None]


def join(values: list[Taint]) -> Taint:
    """What depends on all of these."""
    return Taint(max((v.level for v in values), default=RUN), any(v.variant for v in values))
