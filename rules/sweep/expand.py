"""A sweep with typed values -> its points: product, zip, conditional axes, exclude, include, in this order.

In: a `Resolved`. Out: `Point`s, each a choice of values, no two equal. Invariant: the order is that of nested loops over
the axes as the file has them, the last one fastest; entries of `include` come last.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping

from geode.record import dataclass
from rules.errors import BuildError
from rules.sweep.mistakes import Mistakes
from rules.sweep.resolve import Match, Resolved, Values
from rules.sweep.value import Value

MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class Point:
    """Values by name; `line` is the entry of `include` that gives it, 0 for one of the matrix."""

    values: Mapping[str, Value]
    line: int = 0

    @property
    def texts(self) -> dict[str, str]:
        """The values as text, by name."""
        return {name: value.text for name, value in self.values.items()}

    def label(self) -> str:
        """The point in one line."""
        return " ".join(f"{name}={text}" for name, text in self.texts.items()) or "the program as it is"


def expand(sweep: Resolved, mistakes: Mistakes) -> list[Point]:
    """The points of a sweep; excluded nothing, or said twice, is noted."""
    plain = [_distinct(axis, mistakes) for axis in sweep.axes if not axis.when]
    conditional = [_distinct(axis, mistakes) for axis in sweep.axes if axis.when]
    count = math.prod(len(axis.values) for axis in (*plain, *conditional, *(group[0] for group in sweep.zips)))
    if count > MOST_POINTS:
        raise BuildError(f"{mistakes.path}: the matrix has {count} points, {MOST_POINTS} are the most")
    single = [[{axis.name: value} for value in axis.values] for axis in plain]
    stepped = [_rows(group) for group in sweep.zips]
    points = [
        {name: value for part in parts for name, value in part.items()}
        for parts in itertools.product(*single, *stepped)
    ]
    for axis in conditional:
        points = [grown for point in points for grown in _grow(point, axis)]
    has_axes = bool(sweep.axes or sweep.zips)
    kept = [Point(point) for point in _exclude(points, sweep, mistakes)] if has_axes or not sweep.include else []
    included = [Point({given.name: given.value for given in entry}, line) for line, entry in sweep.include]
    return _without_repeats([*kept, *included], sweep, mistakes)


def _rows(group: tuple[Values, ...]) -> list[dict[str, Value]]:
    """The rows of a zip."""
    return [{axis.name: axis.values[row] for axis in group} for row in range(len(group[0].values))]


def _distinct(axis: Values, mistakes: Mistakes) -> Values:
    values = {value.text: value for value in axis.values}
    if len(values) < len(axis.values):
        texts = [value.text for value in axis.values]
        repeated = ", ".join(text for text in values if texts.count(text) > 1)
        mistakes.note(axis.line, f"`{axis.name}` has {repeated} more than once; equal values are one")
    return Values(axis.name, tuple(values.values()), axis.line, axis.when)


def _grow(point: Mapping[str, Value], axis: Values) -> list[dict[str, Value]]:
    """The point with each value of a conditional axis, or as it is where the condition does not hold."""
    if not _matches(point, axis.when):
        return [dict(point)]
    return [{**point, axis.name: value} for value in axis.values]


def _matches(point: Mapping[str, Value], matches: Iterable[Match]) -> bool:
    return all(match.name in point and point[match.name].text in match.texts for match in matches)


def _exclude(points: list[dict[str, Value]], sweep: Resolved, mistakes: Mistakes) -> list[dict[str, Value]]:
    for line, matches in sweep.exclude:
        left = [point for point in points if not _matches(point, matches)]
        if len(left) == len(points):
            mistakes.note(line, "this entry of `exclude` excludes nothing that is left")
        points = left
    return points


def _without_repeats(points: Iterable[Point], sweep: Resolved, mistakes: Mistakes) -> list[Point]:
    found: dict[frozenset[tuple[str, str]], Point] = {}
    for point in points:
        key = frozenset(point.texts.items())
        if key in found and point.line:
            mistakes.note(point.line, "this entry of `include` is a trial already; equal trials are one")
        elif key in found:  # axes have distinct values, so two rows of a zip are equal
            mistakes.note(sweep.zips[0][0].line, "`zip` has equal rows; equal trials are one")
        found.setdefault(key, point)
    mistakes.notes[:] = dict.fromkeys(mistakes.notes)
    return list(found.values())
