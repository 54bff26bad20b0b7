"""What a run printed and wrote -> typed records.

In: a METRICS-FILE (JSON lines) and a run's standard output. Out: `Metrics` and `Results`. Invariant: a number that was not
finite is None; a line that was cut off by a crash ends the reading, it is no error.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from geode.record import dataclass

_RESULT = re.compile(r"^result (last|best-weights|best-member) score=(\S+) at=([0-9]+)", re.MULTILINE)
_EVALUATE = re.compile(r"^evaluate word=(\S+) value=(\S+)", re.MULTILINE)
_STOP = re.compile(r"^stop reason=(\S+) at=([0-9]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Metrics:
    """The epochs of a run in order, each its numbers by name; `header` is the first line: fingerprints and settings."""

    header: Mapping[str, Any]
    epochs: tuple[Mapping[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class Results:
    """What a run said at its end: scores with the epochs that they are of, values of EVALUATE by word, why it stopped."""

    scores: Mapping[str, tuple[float | None, int]]
    evaluated: Mapping[str, float | None]
    stopped: str | None


def read_metrics(path: Path) -> Metrics:
    """The records of a METRICS-FILE. Raises OSError if it cannot be read."""
    return parse_metrics(path.read_text(encoding="utf-8", errors="replace"))


def parse_metrics(text: str) -> Metrics:
    """The records of a METRICS-FILE's text."""
    header: Mapping[str, Any] = {}
    epochs: list[Mapping[str, float | None]] = []
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            break
        if not isinstance(record, dict):
            break
        if "epoch" in record:
            epochs.append(record)
        elif not header:
            header = record
    return Metrics(header, tuple(epochs))


def read_results(output: str) -> Results:
    """The `result`, `evaluate` and `stop` lines of a run's standard output; of several stages the last one's scores."""
    scores = {name: (_number(score), int(at)) for name, score, at in _RESULT.findall(output)}
    evaluated = {word: _number(value) for word, value in _EVALUATE.findall(output)}
    stops = _STOP.findall(output)
    return Results(scores, evaluated, stops[-1][0] if stops else None)


def best_of(values: Iterable[float | None], *, largest: bool) -> float | None:
    """The best of the values that are numbers; None if there is none."""
    known = [value for value in values if value is not None]
    return (max(known) if largest else min(known)) if known else None


def _number(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None
