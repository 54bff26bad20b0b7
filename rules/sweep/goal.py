"""What trials are ordered by: the goal of a sweep file, held against its program, and its value for one run.

In: a `Goal`, the program's facts. Out: an `Aim`. Invariant: its direction is known before anything runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from geode.record import dataclass
from geode.report.metrics import Metrics, Results, best_of
from geode.settings import Value as SettingValue
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


def why_never(aim: Aim, stages: Sequence[Mapping[str, SettingValue]]) -> str | None:
    """Why a run with these stages that train, however it goes, has no value `at` the aim's epoch; None if it may have one.

    An epoch's line has the number of epochs before it; `center` after the last one is a score of its own.
    """
    if aim.at in ("last", "best") or any(values["resume_model"] for values in stages):
        return None
    at, found = int(aim.at), "there is no TRAIN"
    for values in stages:
        epochs, every, scored = (int(values[name] or 0) for name in ("epochs", "metrics_every", "evaluate_every"))
        end = epochs if aim.needs_center else epochs - 1
        if at > end:
            found = f"EPOCHS is {epochs}" + ("" if aim.needs_center else f", and the last line is that of epoch {end}")
        elif at < epochs and aim.needs_center and scored and at % scored != 0:
            found = f"EVALUATE-EVERY is {scored}"
        elif at < epochs - 1 and at % every != 0:
            found = f"METRICS-EVERY is {every}"
        else:
            return None
    return found


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
