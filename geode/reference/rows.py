"""The rows that a stage reads: data files, slices, shuffled batches, episodes.

In: the data files of a program, the folder that their paths are relative to, a stage with its settings. Out: a `Batch`
for every epoch. Invariant: a pass of the shuffle has a number of its own through the whole program, and a stage begins
with a new pass.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.graph.training_program import DataFile, Stage
from geode.reference.interpret import Batch
from geode.reference.streams import shuffle_order

F32 = NDArray[np.float32]


class Rows:
    """The data of one run; `passes` counts the shuffles begun."""

    def __init__(self, files: Sequence[DataFile], directory: Path) -> None:
        self.files, self.directory = files, directory
        self.passes = 0

    def batches(self, stage: Stage, settings: Mapping[str, Any]) -> Iterator[Batch]:
        """The batch of each epoch of a stage, without end. Raises ValueError where the file has too few rows."""
        batch = stage.batch
        if batch.data is None:
            while True:
                yield Batch(batch.rows)
        table = read_rows(self.files[batch.data.file], self.directory)
        first = batch.data.first
        last = len(table) if batch.data.count is None else first + batch.data.count
        if not first < last <= len(table):
            raise ValueError(f"rows {first} to {last} are wanted, the file has {len(table)}")
        chosen = table[first:last]
        if batch.kind == "sample":
            yield from self._shuffled(chosen, batch.rows, int(settings["seed"]))
        while True:
            yield Batch(len(chosen), chosen)

    def _shuffled(self, table: F32, count: int, seed: int) -> Iterator[Batch]:
        if count > len(table):
            raise ValueError(f"a batch of {count} rows is wanted, there are {len(table)}")
        while True:
            order = shuffle_order(seed, self.passes, len(table))
            self.passes += 1
            for start in range(0, len(table) - count + 1, count):
                yield Batch(count, table[order[start : start + count]])


def read_rows(file: DataFile, directory: Path) -> F32:
    """Return a CSV file's rows, float32 `[rows, k]`; a first line that is not numbers is skipped."""
    with (directory / file.path).open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines) if row]
    if rows and not all(map(_is_number, rows[0])):
        del rows[0]
    if not rows or any(len(row) != file.row_floats for row in rows):
        raise ValueError(f"{file.path}: rows of {file.row_floats} numbers are wanted")
    return np.array([[float(text) for text in row] for row in rows]).astype(np.float32)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
