"""Runs of a sweep -> a table of its points: mean, standard error and n over the replicates of each, best first.

In: `Run`s. Out: `Row`s, and for each axis the rows of each of its values. Invariant: a row without any finite goal comes
last; the standard error is that of the mean, s/√n with n − 1 in s, and there is none for n = 1.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from geode.record import dataclass

Curve = Sequence[tuple[float, float | None]]  # epochs and values, in order; None where the value was not finite


@dataclass(frozen=True, slots=True)
class Run:
    """One trial. `point` holds the values that the sweep chose; `state` is done, failed or missing.

    `goal` is None where there is no finite number; `numbers` are the last epoch's metrics and what EVALUATE gave; `made`
    tells with what it was made; `said` is the last line of a failed run's log.
    """

    name: str
    point: Mapping[str, str]
    seed: int
    state: str
    goal: float | None = None
    why: str = ""
    said: str = ""
    seconds: float = 0.0
    tries: int = 0
    numbers: Mapping[str, float | None] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    curve: Curve = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A point with the runs of its replicates."""

    point: Mapping[str, str]
    runs: tuple[Run, ...]

    @property
    def goals(self) -> tuple[float, ...]:
        """The goals that are numbers."""
        return tuple(run.goal for run in self.runs if run.goal is not None)

    @property
    def mean(self) -> float | None:
        """Their mean."""
        return math.fsum(self.goals) / len(self.goals) if self.goals else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return statistics.stdev(self.goals) / math.sqrt(len(self.goals)) if len(self.goals) > 1 else None

    @property
    def label(self) -> str:
        """The point in one line."""
        return " ".join(f"{name}={text}" for name, text in self.point.items()) or "the program as it is"


def runs_to_rows(runs: Iterable[Run], *, largest: bool) -> list[Row]:
    """The points of runs that have ended, best first; equal ones in the order of the runs."""
    groups: dict[frozenset[tuple[str, str]], list[Run]] = {}
    for run in runs:
        if run.state != "missing":
            groups.setdefault(frozenset(run.point.items()), []).append(run)
    rows = [Row(group[0].point, tuple(group)) for group in groups.values()]
    sign = -1.0 if largest else 1.0
    return sorted(rows, key=lambda row: math.inf if row.mean is None else sign * row.mean)


def by_value(rows: Sequence[Row], axis: str, values: Iterable[str]) -> dict[str, list[Row]]:
    """The rows that have a goal by their value of one axis, in the order of `values`; a value without rows is left out."""
    found = {value: [row for row in rows if row.mean is not None and row.point.get(axis) == value] for value in values}
    return {value: some for value, some in found.items() if some}


def sort_values(values: Iterable[str]) -> list[str]:
    """Numbers ascending; anything else as it comes."""
    items = list(values)
    return sorted(items, key=float) if are_numbers(items) else items


def are_numbers(values: Iterable[str]) -> bool:
    """Whether all are numbers."""
    try:
        return all(math.isfinite(float(value)) for value in values)
    except ValueError:
        return False


def spread_of(row: Row) -> list[tuple[float, float, float, float]]:
    """The row's learning curve: epoch, mean, least and largest value over its replicates, where they have one."""
    at: dict[float, list[float]] = {}
    for run in row.runs:
        for epoch, value in run.curve:
            if value is not None:
                at.setdefault(epoch, []).append(value)
    return [(epoch, math.fsum(v) / len(v), min(v), max(v)) for epoch, v in sorted(at.items())]


def mean_text(row: Row) -> str:
    """`41234.5 ± 12.3 (n = 3)`."""
    if row.mean is None:
        return "no number"
    error = "" if row.error is None else f" ± {row.error:.3g}"
    return f"{row.mean:.6g}{error} (n = {len(row.goals)})"
