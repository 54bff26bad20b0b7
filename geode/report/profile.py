"""A profile file -> records and a text: where each stage's time went.

In: the JSON lines of a binary's --profile-file. Out: `StageProfile`s. Invariant: the phases of a stage add up to its length, and
the units' seconds are those of the workers in the phases that run units.
"""

from __future__ import annotations

import json
from typing import Any

from geode.record import dataclass

PHASES = {
    "read": "data and memory",
    "hoist": "values known once a run or epoch",
    "population": "noise and forward of the members",
    "center": "the mean weights",
    "shape": "shaping",
    "estimate": "estimate",
    "update": "update",
    "report": "metrics and files",
}


@dataclass(frozen=True, slots=True)
class UnitTime:
    """What one unit at one place of the call tree took, without the units it calls: `seconds` of all workers together by
    level, and the floating-point operations of its layers, work that is shared among members counted in full."""

    path: str
    seconds: dict[str, float]
    flops: float

    @property
    def total(self) -> float:
        """Seconds at all levels."""
        return sum(self.seconds.values())

    @property
    def rate(self) -> float:
        """Operations a second and worker."""
        return self.flops / self.total if self.total > 0 else 0.0


@dataclass(frozen=True, slots=True)
class StageProfile:
    """A stage. Times in seconds; `busy`, `noise` and `waiting` are of all workers together; `peak` is what one core can do
    at most, operations a second, 0 where it was not measured."""

    number: int
    kind: str
    word: str
    workers: int
    rows: int
    population: int
    epochs: int
    total: float
    phases: dict[str, float]
    busy: float
    noise: float
    waiting: float
    peak: float
    units: tuple[UnitTime, ...]


def read_profile(text: str) -> list[StageProfile]:
    """The stages of a profile file, in order."""
    return [_stage(json.loads(line)) for line in text.splitlines()]


def _stage(record: dict[str, Any]) -> StageProfile:
    evaluations = record["rows"] * max(1, record["population"] * record["epochs"])
    ticks = sum(unit["ticks"] for unit in record["units"])
    # One call in seven is measured: shares are taken from the ticks, seconds from what the workers did in all.
    phases = record["phases"]
    with_units = record["workers"] * (phases["hoist"] + phases["population"] + phases["center"])
    spent = max(0.0, min(record["busy"], with_units) - record["noise"])
    seconds: dict[str, dict[str, float]] = {}
    flops: dict[str, float] = {}
    for unit in record["units"]:
        levels = seconds.setdefault(unit["path"], {})
        levels[unit["level"]] = levels.get(unit["level"], 0.0) + spent * unit["ticks"] / ticks
        flops[unit["path"]] = unit["flops"] * evaluations
    units = tuple(UnitTime(path, levels, flops[path]) for path, levels in seconds.items())
    names = (
        "kind",
        "word",
        "workers",
        "rows",
        "population",
        "epochs",
        "total",
        "phases",
        "busy",
        "noise",
        "waiting",
        "peak",
    )
    return StageProfile(number=record["stage"], units=units, **{name: record[name] for name in names})


def profile_to_text(stage: StageProfile) -> str:
    """A table of one stage."""
    each = f", {stage.epochs} epochs of {stage.population} members" if stage.epochs else ""
    workers = f"{stage.workers} worker{'s' if stage.workers > 1 else ''}"
    lines = [
        f"stage {stage.number}: {stage.kind} {stage.word}, {stage.rows} rows{each}, {workers}, {stage.total:.3f} s",
        "",
        f"  {'phase':36} {'s':>9} {'share':>7}",
    ]
    for name, told in PHASES.items():
        if stage.phases[name] > 0:
            lines.append(f"  {told:36} {stage.phases[name]:9.4f} {_share(stage.phases[name], stage.total)}")
    whole = stage.workers * stage.total
    lines += ["", f"  {'workers, together':36} {'s':>9} {'share':>7}"]
    lines.append(f"  {'in jobs':36} {stage.busy:9.4f} {_share(stage.busy, whole)}")
    lines.append(f"  {'of that, noise':36} {stage.noise:9.4f} {_share(stage.noise, whole)}")
    lines.append(f"  {'waiting for one another':36} {max(0.0, stage.waiting):9.4f} {_share(stage.waiting, whole)}")
    if stage.units:
        lines += ["", f"  {'unit':36} {'s':>9} {'share':>7} {'GF/s':>8} {'of peak':>8}  levels"]
        lines += [_unit_line(unit, stage, whole) for unit in sorted(stage.units, key=lambda unit: -unit.total)]
    return "\n".join(lines) + "\n"


def _unit_line(unit: UnitTime, stage: StageProfile, whole: float) -> str:
    rate, peak = f"{'':8}", f"{'':8}"
    if unit.flops > 0:
        rate = f"{unit.rate / 1e9:8.1f}"
        peak = f"{100 * unit.rate / stage.peak:7.0f}%" if stage.peak > 0 else peak
    levels = ", ".join(f"{level} {100 * s / unit.total:.0f}%" for level, s in unit.seconds.items() if s > 0)
    return f"  {unit.path:36} {unit.total:9.4f} {_share(unit.total, whole)} {rate} {peak}  {levels}"


def _share(part: float, whole: float) -> str:
    return f"{100 * max(0.0, part) / whole:6.1f}%" if whole > 0 else f"{'':7}"
