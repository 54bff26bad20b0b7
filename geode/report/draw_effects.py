"""The effect of each axis of a sweep, and each point's place among all, as small drawings.

In: rows. Out: SVG text. Invariant: all drawings of a page share one scale of the goal.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from html import escape

from geode.report.runs_to_table import Row
from geode.report.svg import Scale, line, number, path, scale_over, text, wants_log

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 230.0, 56.0, 12.0, 12.0, 34.0
_COLUMN, _LETTER = 62.0, 7.3  # least width of a column, width of a letter
_WHISKER = 190.0  # width of a row's whisker
_LOG_RATIO = 30.0
_LONGEST = 18  # characters of a value under a column


def goal_scale(rows: Sequence[Row], start: float, end: float) -> Scale | None:
    """A scale for all means with their standard errors; None where no row has one."""
    means = [row.mean for row in rows if row.mean is not None]
    if not means:
        return None
    if wants_log(means, _LOG_RATIO):
        return scale_over(means, start, end, log=True, room=0.06)
    ends = [row.mean + sign * (row.error or 0.0) for row in rows if row.mean is not None for sign in (-1, 1)]
    return scale_over(ends, start, end, room=0.06)


def draw_effect(axis: str, values: Mapping[str, Sequence[Row]], rows: Sequence[Row], numbers: Mapping[int, int]) -> str:
    """One axis: above each value a dot for each point that has it, and a bar at their median; a line joins the points
    that differ in this axis alone, so that its effect is not taken for that of another one.

    `numbers` gives each row's number by its identity.
    """
    step = max(_COLUMN, *(_LETTER * min(len(value), _LONGEST) + 22 for value in values))
    width = _LEFT + _RIGHT + step * len(values)
    y = goal_scale(rows, _HEIGHT - _BOTTOM, _TOP)
    assert y is not None
    parts = []
    for tick in y.ticks(4):
        parts.append(line(_LEFT, y(tick), width - _RIGHT, y(tick), "grid"))
        parts.append(text(_LEFT - 8, y(tick) + 4, number(tick, 3), anchor="end"))
    parts.append(line(_LEFT, _HEIGHT - _BOTTOM, width - _RIGHT, _HEIGHT - _BOTTOM, "axis"))
    medians = {value: statistics.median(_means(found)) for value, found in values.items()}
    others = _others(axis, values)
    points = {
        id(row): (_LEFT + (column + 0.5) * step + _aside(others[_rest(axis, row)], len(others)), y(row.mean))
        for column, found in enumerate(values.values())
        for row in found
        if row.mean is not None
    }
    for rest in others:
        alike = [points[id(row)] for found in values.values() for row in found if _rest(axis, row) == rest]
        if len(alike) > 1:
            parts.append(f'<path class="alike" d="{path(alike)}"/>')
    for column, (value, found) in enumerate(values.items()):
        x = _LEFT + (column + 0.5) * step
        parts.append(text(x, _HEIGHT - _BOTTOM + 20, _short(value)))
        parts += [_dot(*points[id(row)], numbers[id(row)]) for row in found]
        parts.append(line(x - 17, y(medians[value]), x + 17, y(medians[value]), "median"))
    told = ", ".join(f"{value} {number(median, 4)}" for value, median in medians.items())
    return (
        f'<svg viewBox="0 0 {width:.0f} {_HEIGHT:.0f}" style="width:{width:.0f}px" role="img" '
        f'aria-label="{escape(f"{axis}: medians {told}")}">{"".join(parts)}</svg>'
    )


def _means(rows: Sequence[Row]) -> list[float]:
    return [row.mean for row in rows if row.mean is not None]


def _short(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"


def _rest(axis: str, row: Row) -> frozenset[tuple[str, str]]:
    """The point without its value of the axis."""
    return frozenset(item for item in row.point.items() if item[0] != axis)


def _others(axis: str, values: Mapping[str, Sequence[Row]]) -> dict[frozenset[tuple[str, str]], int]:
    """What the points have beside their value of the axis, numbered in the order of the rows."""
    found = dict.fromkeys(_rest(axis, row) for rows in values.values() for row in rows)
    return {rest: place for place, rest in enumerate(found)}


def _dot(x: float, y: float, place: int) -> str:
    return f'<circle class="dot" data-p="{place}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _aside(place: int, count: int) -> float:
    """A small shift, so that equal dots lie side by side; the same in every column."""
    return 0.0 if count == 1 else ((place * 5) % min(count, 7) - (min(count, 7) - 1) / 2) * 3.2


def draw_whisker(row: Row, number_: int, scale: Scale) -> str:
    """A row's mean with its standard error, and its replicates as small marks."""
    if row.mean is None:
        return ""
    error = row.error or 0.0
    parts = [line(0, 11, _WHISKER, 11, "grid")]
    parts += [line(scale(goal), 6, scale(goal), 16, "replicate") for goal in row.goals if len(row.goals) > 1]
    if error:
        parts.append(line(scale(row.mean - error), 11, scale(row.mean + error), 11, "error"))
    parts.append(f'<circle class="dot" cx="{scale(row.mean):.1f}" cy="11" r="4"/>')
    box = f'viewBox="0 0 {_WHISKER:.0f} 22" aria-hidden="true"'
    return f'<svg class="whisker" data-p="{number_}" {box}>{"".join(parts)}</svg>'


def whisker_scale(rows: Sequence[Row]) -> Scale | None:
    """The scale that all whiskers of a page share."""
    return goal_scale(rows, 6.0, _WHISKER - 6.0)
