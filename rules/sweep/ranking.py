"""Trials with goals -> points in order: mean, standard error and n over the replicates of each.

In: trials, their records, the aim. Out: `Ranked`s, best first. Invariant: a point without any finite goal comes last; the
standard error is that of the mean, s/√n with n − 1 in s, and there is none for n = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.sweep.goal import Aim
from rules.sweep.store import Record, Store
from rules.sweep.trial import Trial


@dataclass(frozen=True, slots=True)
class Ranked:
    """A point (values by name, without the seed that replicates count up), and its goals by trial in order."""

    point: Mapping[str, str]
    trials: tuple[Trial, ...]
    goals: tuple[float, ...]

    @property
    def mean(self) -> float | None:
        """The mean of the goals that are numbers."""
        return math.fsum(self.goals) / len(self.goals) if self.goals else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        n, mean = len(self.goals), self.mean
        if n < 2 or mean is None:
            return None
        return math.sqrt(math.fsum((goal - mean) ** 2 for goal in self.goals) / (n - 1) / n)


def rank(trials: Iterable[Trial], records: Mapping[str, Record], store: Store, aim: Aim) -> list[Ranked]:
    """The points of trials that ended, best first; equal ones in the order of the sweep."""
    groups: dict[frozenset[tuple[str, str]], list[Trial]] = {}
    for trial in trials:
        if trial.key in records:
            groups.setdefault(frozenset(trial.point.items()), []).append(trial)
    ranked = []
    for group in groups.values():
        found = (
            store.goal(trial, records[trial.key], aim) for trial in group if records[trial.key].state == "done"
        )
        goals = tuple(goal for goal in found if goal is not None)
        ranked.append(Ranked(group[0].point, tuple(group), goals))
    sign = -1.0 if aim.largest else 1.0
    return sorted(ranked, key=lambda item: math.inf if item.mean is None else sign * item.mean)


def mean_text(item: Ranked) -> str:
    """`41234.5 ± 12.3 (n = 3)`."""
    if item.mean is None:
        return "no number"
    error = "" if item.error is None else f" ± {item.error:.3g}"
    return f"{item.mean:.6g}{error} (n = {len(item.goals)})"
