"""What trials are ordered by: the goal of a sweep file, held against its program, and its value for one run.

In: a `Goal`, the program's facts. Out: an `Aim`. Invariant: its direction is known before anything runs.
"""

from __future__ import annotations

from dataclasses import dataclass

from geode.report.metrics import Metrics, Results, best_of
from rules.errors import near_miss
from rules.sweep.file_parts import Goal
from rules.sweep.mistakes import Mistakes
from rules.sweep.program_facts import Facts

_SCORES = ("center", "best", "mean", "worst")  # in the program's own units, so its own direction holds
_OTHERS = ("std", "nan", "grad", "update", "evals/s", "elapsed")


@dataclass(frozen=True, slots=True)
class Aim:
    """A metric of the epochs, or (`evaluated`) the value of a word that EVALUATE runs at the end; `largest`: more is better."""

    metric: str
    at: str
    largest: bool
    evaluated: bool = False

    @property
    def needs_center(self) -> bool:
        """Whether EVALUATE-EVERY must be on."""
        return not self.evaluated and self.metric == "center"

    def __str__(self) -> str:
        way = "largest" if self.largest else "smallest"
        when = "" if self.evaluated else {"last": " at the end", "best": " at its best"}.get(self.at)
        return f"{way} {self.metric}{f' after {self.at} epochs' if when is None else when}"


def aim_of(goal: Goal, facts: Facts, mistakes: Mistakes) -> Aim:
    """The aim that a sweep file's goal means for this program."""
    words = {stage.word for stage in facts.stages if stage.kind == "evaluate"}
    known = (*_SCORES, *_OTHERS, *sorted(words))
    if goal.metric not in known:
        mistakes.add(goal.line, f"`goal` knows no metric `{goal.metric}`{near_miss(goal.metric, known)}")
    trained = facts.trained
    evaluated = goal.metric in words and goal.metric not in _SCORES
    own = goal.metric in _SCORES or (trained is not None and goal.metric == trained.word)
    if goal.direction is None and not own and goal.metric in known:
        mistakes.add(goal.line, f"`{goal.metric}` is not what the program trains for: say `direction: min` or `max`")
    if evaluated and goal.at != "last":
        mistakes.add(goal.line, f"`{goal.metric}` is evaluated once, so `at` is last")
    program_largest = trained is not None and trained.settings["direction"] == "reward"
    largest = program_largest if goal.direction is None else goal.direction == "max"
    return Aim(goal.metric, goal.at, largest, evaluated)


def value_of(aim: Aim, metrics: Metrics, results: Results) -> float | None:
    """The goal's value for a run that ended; None where it is no finite number.

    `center` at the end is the score of the trained weights, which follow the last epoch's line.
    """
    if aim.evaluated:
        return results.evaluated.get(aim.metric)
    values = [(epoch.get("epoch"), epoch.get(aim.metric)) for epoch in metrics.epochs]
    last = results.scores.get("last")
    if aim.metric == "center" and last is not None:
        values.append((float(last[1]), last[0]))
    match aim.at:
        case "last":
            return values[-1][1] if values else None
        case "best":
            return best_of((value for _, value in values), largest=aim.largest)
        case _:
            return next((value for epoch, value in values if epoch == float(aim.at)), None)
