"""The small parts of a sweep file: `goal`, `run`, `search`.

In: nodes. Out: records with checked values. Invariant: durations are in seconds, counts are at least what makes sense.
"""

from __future__ import annotations

import math
import re
from typing import Literal

from geode.record import dataclass
from rules.errors import near_miss
from rules.sweep.mistakes import Mistakes
from rules.sweep.yaml_nodes import Mapping, Node, Scalar, Sequence

Direction = Literal["min", "max"]
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SAMPLERS = ("tpe", "random")


@dataclass(frozen=True, slots=True)
class Goal:
    """What trials are ordered by: a metric, `at` the last epoch, at its best, or after that many epochs.

    `direction` None is the program's own.
    """

    metric: str = "center"
    at: str = "last"
    direction: Direction | None = None
    line: int = 1
    at_line: int = 1


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How trials run: how many at a time (None: as many as there are cores), seconds each may take, further tries."""

    parallel: int | None = None
    timeout: float | None = None
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Range:
    """A name of a search's space: numbers from `low` to `high`, or one of `values`."""

    name: Scalar
    low: Scalar | None
    high: Scalar | None
    log: bool
    step: Scalar | None
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """`search`: which sampler chooses how many trials from which space, and from which seed."""

    sampler: str
    trials: int
    seed: int
    space: tuple[Range, ...]
    line: int


def read_integer(node: Node, what: str, least: int, mistakes: Mistakes) -> int | None:
    """A whole number of at least `least`, None after a mistake."""
    if isinstance(node, Scalar) and re.fullmatch(r"[0-9]{1,15}", node.text) and int(node.text) >= least:
        return int(node.text)
    mistakes.add(node.line, f"`{what}` is an integer of at least {least}, not {_say(node)}")
    return None


def read_goal(node: Node | None, mistakes: Mistakes) -> Goal:
    """`goal: {metric: center, at: last, direction: min}`."""
    given = _texts(node, "goal", ("metric", "at", "direction"), mistakes)
    at = given.get("at")
    if at is not None and at.text not in ("last", "best") and not re.fullmatch(r"[0-9]{1,15}", at.text):
        mistakes.add(at.line, f"`at` is last, best or a number of epochs, not `{at.text}`")
    direction = given.get("direction")
    if direction is not None and direction.text not in ("min", "max"):
        mistakes.add(direction.line, f"`direction` is min or max, not `{direction.text}`")
    metric = given.get("metric")
    way: Direction | None = None
    if direction is not None:
        way = "max" if direction.text == "max" else "min"
    return Goal(
        metric.text if metric else "center",
        at.text if at else "last",
        way,
        node.line if node is not None else 1,
        at.line if at else 1,
    )


def read_run(node: Node | None, mistakes: Mistakes) -> RunOptions:
    """`run: {parallel: 2, timeout: 10m, retries: 1}`."""
    given = _texts(node, "run", ("parallel", "timeout", "retries"), mistakes)
    parallel, timeout, retries = given.get("parallel"), given.get("timeout"), given.get("retries")
    return RunOptions(
        None if parallel is None else read_integer(parallel, "parallel", 1, mistakes),
        None if timeout is None else _seconds(timeout, mistakes),
        (None if retries is None else read_integer(retries, "retries", 0, mistakes)) or 0,
    )


def read_search(node: Node, mistakes: Mistakes) -> Search | None:
    """`search: {sampler: tpe, trials: 50, seed: 1, space: {…}}`, None after a mistake."""
    if not isinstance(node, Mapping):
        mistakes.add(node.line, "`search` is a mapping with `trials` and `space`")
        return None
    plain = Mapping(tuple((k, v) for k, v in node.entries if k.text != "space"), node.line)
    given = _texts(plain, "search", ("sampler", "trials", "seed"), mistakes)
    sampler = given.get("sampler")
    if sampler is not None and sampler.text not in _SAMPLERS:
        mistakes.add(sampler.line, f"`sampler` cannot be `{sampler.text}`{near_miss(sampler.text, _SAMPLERS)}")
    trials = given.get("trials")
    if trials is None:
        mistakes.add(node.line, "`search` needs `trials`, how many points are tried")
    seed = given.get("seed")
    space = node.get("space")
    if not isinstance(space, Mapping) or not space.entries:
        mistakes.add(node.line, "`search` needs a `space`: {ALPHA: {low: 1e-4, high: 0.1, log: true}}")
        return None
    ranges = tuple(found for name, value in space.entries if (found := _range(name, value, mistakes)) is not None)
    count = 1 if trials is None else read_integer(trials, "trials", 1, mistakes)
    start = 0 if seed is None else read_integer(seed, "seed", 0, mistakes)
    return Search(sampler.text if sampler else "tpe", count or 1, start or 0, ranges, node.line)


def _range(name: Scalar, node: Node, mistakes: Mistakes) -> Range | None:
    if isinstance(node, Sequence):
        values = tuple(item for item in node.items if isinstance(item, Scalar))
        if values and len(values) == len(node.items):
            return Range(name, None, None, log=False, step=None, values=values)
        mistakes.add(node.line, f"`{name.text}` of `space` is a range or a list of values")
        return None
    given = _texts(node, f"space` of `{name.text}", ("low", "high", "log", "step"), mistakes)
    log = given.get("log")
    if log is not None and log.text not in ("true", "false"):
        mistakes.add(log.line, f"`log` is true or false, not `{log.text}`")
    if "low" not in given or "high" not in given:
        mistakes.add(node.line, f"`{name.text}` needs `low` and `high`, or a list of values")
        return None
    if log is not None and log.text == "true" and "step" in given:
        mistakes.add(node.line, f"`{name.text}` has `log` or `step`, not both")
    is_log = log is not None and log.text == "true"
    return Range(name, given["low"], given["high"], log=is_log, step=given.get("step"), values=())


def _texts(node: Node | None, part: str, known: tuple[str, ...], mistakes: Mistakes) -> dict[str, Scalar]:
    """The scalars of a mapping by name."""
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        mistakes.add(node.line, f"`{part}` is a mapping with {', '.join(known)}")
        return {}
    given: dict[str, Scalar] = {}
    for name, value in node.entries:
        if name.text not in known:
            mistakes.add(name.line, f"`{part}` has no `{name.text}`{near_miss(name.text, known)}")
        elif not isinstance(value, Scalar) or not value.text:
            mistakes.add(value.line, f"`{name.text}` of `{part}` is one value")
        else:
            given[name.text] = value
    return given


def _seconds(node: Scalar, mistakes: Mistakes) -> float | None:
    """`90s`, `10m`, `1.5h`, `2d`; a number alone is seconds."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([smhd]?)", node.text)
    seconds = float(match[1]) * _UNITS[match[2] or "s"] if match else 0.0
    if 0 < seconds < math.inf:
        return seconds
    mistakes.add(node.line, f"`timeout` is a time such as 90s, 10m or 1.5h, not `{node.text}`")
    return None


def _say(node: Node) -> str:
    return f"`{node.text}`" if isinstance(node, Scalar) else "a list" if isinstance(node, Sequence) else "a mapping"
