"""Runs of a sweep -> one page: learning curves, ranking, effect of each axis, settings, digests, every trial.

In: `Results`. Out: HTML that needs nothing else: no network, no script to be read, light and dark. Invariant: equal results
give equal bytes; whatever comes from a program or a log is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from geode.record import dataclass
from geode.report.draw_curves import draw_curves
from geode.report.draw_effects import draw_effect, draw_whisker, whisker_scale
from geode.report.runs_to_table import Row, Run, are_numbers, by_value, runs_to_rows, sort_values
from geode.report.svg import number

_TEMPLATES = Path(__file__).parent / "templates"
_HUES = 8  # colours of either kind in the style sheet


@dataclass(frozen=True, slots=True)
class Results:
    """A sweep: its name, program and goal in words; axes in order; runs in order, replicates included.

    `settings` are those that all trials share, `chosen` of them those that the sweep file gives; `digests` name what the
    numbers depend on; `command` runs the sweep.
    """

    name: str
    program: str
    goal: str
    metric: str
    largest: bool
    axes: tuple[str, ...]
    runs: tuple[Run, ...]
    settings: Mapping[str, str]
    chosen: Mapping[str, str]
    digests: Mapping[str, str]
    command: str


def runs_to_report(results: Results) -> str:
    """The page."""
    rows = runs_to_rows(results.runs, largest=results.largest)
    axes = [axis for axis in results.axes if any(axis in row.point for row in rows)]
    varied = [axis for axis in axes if len({row.point.get(axis) for row in rows}) > 1]
    numbers = {id(row): place for place, row in enumerate(rows)}
    shades = {
        axis: _shades(dict.fromkeys(run.point[axis] for run in results.runs if axis in run.point)) for axis in varied
    }
    effects = [(axis, by_value(rows, axis, shades[axis])) for axis in varied]
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["duration"] = duration
    page = environment.get_template("report.html.j2")
    return page.render(
        results=results,
        rows=[_row(row, place, results.axes) for place, row in enumerate(rows)],
        columns=axes,
        best=next((row for row in rows if row.mean is not None), None),
        curves=draw_curves(rows, results.metric),
        effects=[(axis, draw_effect(axis, found, rows, numbers)) for axis, found in effects if found],
        whiskers=_whiskers(rows),
        colours=json.dumps({"axes": varied, "of": _colours(rows, shades)}).replace("<", "\\u003c"),
        legend=[(axis, list(found.items())) for axis, found in shades.items()],
        failed=[run for run in results.runs if run.state == "failed"],
        counts={state: sum(run.state == state for run in results.runs) for state in ("done", "failed", "missing")},
        seconds=sum(run.seconds for run in results.runs),
        made=_made(results.runs),
        style=(_TEMPLATES / "report.css").read_text("utf-8"),
        script=(_TEMPLATES / "report.js").read_text("utf-8"),
    )


def duration(seconds: float) -> str:
    """`0.42 s`, `12 s`, `3 min 05 s`, `2 h 10 min`."""
    if seconds < 9.95:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _row(row: Row, place: int, axes: Sequence[str]) -> dict[str, Any]:
    extra = {name: text for name, text in row.point.items() if name not in axes}
    failed = sum(run.state == "failed" for run in row.runs)
    spread = f"{number(min(row.goals))} … {number(max(row.goals))}" if len(row.goals) > 1 else ""
    seconds = sum(run.seconds for run in row.runs) / len(row.runs)
    return {"row": row, "place": place, "extra": extra, "failed": failed, "spread": spread, "seconds": seconds}


def _whiskers(rows: Sequence[Row]) -> list[str]:
    scale = whisker_scale(rows)
    return ["" if scale is None else draw_whisker(row, place, scale) for place, row in enumerate(rows)]


def _colours(rows: Sequence[Row], shades: Mapping[str, Mapping[str, str]]) -> list[list[str]]:
    """For each row and axis the colour of its value."""
    return [[found.get(row.point.get(axis, ""), "--none") for axis, found in shades.items()] for row in rows]


def _shades(values: Iterable[str]) -> dict[str, str]:
    """A colour for each value of an axis: a step of the ramp for numbers, a hue else."""
    distinct = sort_values(values)
    if are_numbers(distinct):
        last = max(1, len(distinct) - 1)
        return {value: f"--s{round(place * (_HUES - 1) / last)}" for place, value in enumerate(distinct)}
    return {value: f"--k{place % _HUES}" for place, value in enumerate(distinct)}


def _made(runs: Sequence[Run]) -> list[tuple[str, int]]:
    """With what the runs were made, and how many of them."""
    told: dict[str, int] = {}
    for run in runs:
        if run.made:
            line = " · ".join(run.made.values())
            told[line] = told.get(line, 0) + 1
    return list(told.items())
