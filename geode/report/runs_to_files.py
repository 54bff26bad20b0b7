"""Runs of a sweep -> results.csv and results.parquet, one row a trial.

In: runs in order. Out: text, or a file. Invariant: the columns are the axes by their names and the rest of one table for
both files; a number that is missing or not finite is an empty field, null in Parquet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from geode.report.runs_to_table import Run, are_numbers

Cell = str | int | float | None


def runs_to_columns(runs: Sequence[Run], axes: Sequence[str], metric: str) -> dict[str, list[Cell]]:
    """The table by columns: trial, state, axes, SEED, the goal, the last epoch's metrics, time, tries, what made it."""
    columns: dict[str, list[Cell]] = {"trial": [run.name for run in runs], "state": [run.state for run in runs]}
    for axis in dict.fromkeys([*axes, *(name for run in runs for name in run.point)]):
        if axis != "SEED":
            columns[axis] = _typed([run.point.get(axis) for run in runs])
    columns["SEED"] = [run.seed for run in runs]
    columns[f"goal:{metric}"] = [run.goal for run in runs]
    for name in dict.fromkeys(name for run in runs for name in run.numbers):
        columns[f"last:{name}"] = [run.numbers.get(name) for run in runs]
    columns["seconds"] = [run.seconds if run.tries else None for run in runs]
    columns["tries"] = [run.tries or None for run in runs]
    columns["why"] = [run.why or None for run in runs]
    for name in dict.fromkeys(name for run in runs for name in run.made):
        columns[name] = [run.made.get(name) for run in runs]
    return columns


def columns_to_csv(columns: dict[str, list[Cell]]) -> str:
    """The table as CSV; numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row])
    return out.getvalue()


def columns_to_parquet(columns: dict[str, list[Cell]], path: Path) -> bool:
    """Write the table as Parquet; False where pyarrow is not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        return False
    arrays = {
        name: pa.array(cells, type=pa.uint64()) if name == "SEED" else pa.array(cells)
        for name, cells in columns.items()
    }
    parquet.write_table(pa.table(arrays), path)
    return True


def _typed(texts: Sequence[str | None]) -> list[Cell]:
    """An axis as numbers where all of its values are."""
    known = [text for text in texts if text is not None]
    if not known or not are_numbers(known):
        return list(texts)
    whole = all(text.lstrip("-").isdigit() and abs(int(text)) < 2**63 for text in known)
    return [None if text is None else int(text) if whole else float(text) for text in texts]
