"""Measure rows one after another, with a progress bar.

In: rows, a compiler, a folder. Out: `Outcome`s in order. Invariant: rows never run side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.results import Outcome
from benchmarks.row import Bench, Row
from benchmarks.rows import ROWS
from rules.errors import BuildError, near_miss
from rules.tool import Tool


def chosen(keys: Sequence[str]) -> tuple[Row, ...]:
    """The rows whose keys are in `keys` or begin with one of them; all for none. Raises BuildError for a key of no row."""
    for key in keys:
        if not any(row.key.startswith(key) for row in ROWS):
            known = tuple(row.key for row in ROWS)
            raise BuildError(f"no benchmark `{key}`{near_miss(key, known)}")
    return tuple(row for row in ROWS if not keys or any(row.key.startswith(key) for key in keys))


def run(rows: Sequence[Row], tool: Tool, folder: Path, rounds: int) -> list[Outcome]:
    """Measure `rows`, each `rounds` times a side. Raises BuildError if a program or a baseline fails."""
    outcomes = []
    columns = (TextColumn("{task.description:24}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for row in rows:
            task = progress.add_task(row.key, total=row.ticks * rounds)
            bench = Bench(tool, folder, rounds, lambda task=task: progress.advance(task))  # type: ignore[misc]
            outcomes.append(Outcome(row, row.measure(bench)))
            progress.update(task, completed=row.ticks * rounds)
    return outcomes
