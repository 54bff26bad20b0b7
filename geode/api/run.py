"""What a run printed and saved -> a `Run`: metrics and weights as NumPy arrays.

In: the lines of a process, the path of the weights that it saved. Out: a `Run`. Invariant: numbers are those of the lines,
nine significant digits, and of the files, to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Epoch = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Result:
    """One `result` line: the score, the epochs trained before it, and for the best member which one it is."""

    score: float
    at: int
    member: int | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an EVALUATE stage of MAIN gave for `word` over `rows` rows."""

    word: str
    value: float
    rows: int


@dataclass(frozen=True, slots=True)
class Run:
    """A run that ended well.

    `weights` are those after the last epoch, by the parameters' names, float32 in their own shapes; `best_weights` and
    `best_member` those of the best mean weights (with EVALUATE-EVERY) and of the best member, empty where there is none.
    `metrics` has an array of float64 for each number of the epochs' lines, over all TRAIN stages (`stage` says which, from
    1), NaN where a line lacks it. `results` are the last TRAIN stage's: `last`, `best-weights`, `best-member`. `stopped` says
    why it ended before its last epoch.
    """

    weights: Mapping[str, NDArray[Any]]
    best_weights: Mapping[str, NDArray[Any]]
    best_member: Mapping[str, NDArray[Any]]
    metrics: Mapping[str, NDArray[Any]]
    results: Mapping[str, Result]
    evaluations: tuple[Evaluation, ...]
    stopped: str | None

    @property
    def score(self) -> float:
        """The score of `weights`, evaluated once after the last epoch. KeyError where nothing was trained."""
        return self.results["last"].score


@dataclass(slots=True)
class Record:
    """The lines of one process as they come in."""

    epochs: list[dict[str, float]] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    evaluations: list[Evaluation] = field(default_factory=list)
    stopped: str | None = None
    stage: int = 0

    def take(self, line: str) -> Epoch | None:
        """Takes a line in; an epoch's numbers if it is an epoch's."""
        kind, _, rest = line.partition(" ")
        if line.startswith("epoch="):
            epoch = {name: float(value) for name, value in _pairs(line).items()} | {"stage": float(self.stage)}
            self.epochs.append(epoch)
            return epoch
        if kind == "settings":
            self.stage, self.stopped = int(_pairs(rest)["stage"]), None
            self.results.clear()
        elif kind == "result":
            name, _, numbers = rest.partition(" ")
            pairs = _pairs(numbers)
            member = int(pairs["member"]) if "member" in pairs else None
            self.results[name] = Result(float(pairs["score"]), int(pairs["at"]), member)
        elif kind == "evaluate":
            pairs = _pairs(rest)
            self.evaluations.append(Evaluation(pairs["word"], float(pairs["value"]), int(pairs["rows"])))
        elif kind == "stop":
            self.stopped = _pairs(rest)["reason"]
        return None

    def run(self, weights: Path | None) -> Run:
        """The record with the files at `weights` and beside it."""
        return Run(
            _load(weights),
            _load(_best(weights, "weights") if "best-weights" in self.results else None),
            _load(_best(weights, "member") if "best-member" in self.results else None),
            _table(self.epochs),
            dict(self.results),
            tuple(self.evaluations),
            self.stopped,
        )


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split() if "=" in pair)


def _best(weights: Path | None, kind: str) -> Path | None:
    """m.safetensors -> m.best-KIND.safetensors, as the runtime names it."""
    return None if weights is None else weights.with_name(f"{weights.stem}.best-{kind}{weights.suffix}")


def _load(path: Path | None) -> dict[str, NDArray[Any]]:
    from geode.report.checkpoint import load

    return {} if path is None else load(path)


def _table(epochs: Iterable[Epoch]) -> dict[str, NDArray[Any]]:
    """Epochs by number -> arrays by name, in the order of the lines."""
    import numpy as np

    rows = list(epochs)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: np.array([row.get(name, np.nan) for row in rows], np.float64) for name in names}
