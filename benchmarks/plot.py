"""A run's ratios as a picture: one bar a row, the limit as a line.

In: the record of `results.to_record`. Out: an SVG or PNG file. Invariant: matplotlib is imported here alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.errors import BuildError


def plot(record: dict[str, Any], path: Path) -> None:
    """Draw value / limit of every row, so that 1 is the limit and more is better. Raises BuildError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BuildError(f"{path}: a plot needs matplotlib: pip install matplotlib") from None
    rows = record["rows"]
    reached = [_reached(row) for row in rows]
    figure = Figure(figsize=(9, 0.42 * len(rows) + 1.2), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(rows))
    colours = ["#2a7f62" if value >= 1 else "#c8553d" for value in reached]
    axes.barh(list(places), reached, color=colours, height=0.6)
    axes.axvline(1.0, color="#333333", linewidth=1)
    axes.set_yticks(list(places), [row["key"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 3.1)
    axes.set_xlabel("reached, as a multiple of what must hold (cut at 3)")
    for place, row, value in zip(places, rows, reached, strict=True):
        unit = f" {row['unit']}" if row["unit"] else ""
        axes.text(value - 0.03, place, f"{row['value']:.3g}{unit}", va="center", ha="right", color="white", size=8)
    machine = record["machine"]
    axes.set_title(f"{machine['processor']}, {machine['date']}", loc="left", size=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path)


def _reached(row: dict[str, Any]) -> float:
    value, limit = float(row["value"]), float(row["limit"])
    if not row["at_most"]:
        return min(3.0, value / limit)
    return 3.0 if value <= limit / 3.0 else limit / value
