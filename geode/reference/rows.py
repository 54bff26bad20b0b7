"""The rows that a stage reads: data files, slices, shuffled batches, episodes.

In: the data files and tables of a program, the folder that their paths are relative to, a stage with its settings. Out:
a `Batch` for every epoch. Invariant: a pass of the shuffle has a number of its own through the whole program, and a
stage begins with a new pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.graph.training_program import DataFile, Stage
from geode.graph.values import TableFile
from geode.reference.files import read_rows, read_table
from geode.reference.interpret import Batch
from geode.reference.streams import shuffle_order

F32 = NDArray[np.float32]


class Rows:
    """The data of one run; `passes` counts the shuffles begun."""

    def __init__(self, files: Sequence[DataFile], tables: Sequence[TableFile], directory: Path) -> None:
        self.files, self.directory = files, directory
        self.tables = {table: read_table(table, directory) for table in tables}
        self.passes = 0

    def batches(self, stage: Stage, settings: Mapping[str, Any]) -> Iterator[Batch]:
        """The batch of each epoch of a stage, without end. Raises ValueError where the file has too few rows."""
        batch = stage.batch
        if batch.data is None:
            while True:
                yield Batch(batch.rows, tables=self.tables)
        table = read_rows(self.files[batch.data.file], self.directory)
        first = batch.data.first
        last = len(table) if batch.data.count is None else first + batch.data.count
        if not first < last <= len(table):
            raise ValueError(f"rows {first} to {last} are wanted, the file has {len(table)}")
        chosen = table[first:last]
        if batch.kind == "sample":
            yield from self._shuffled(chosen, batch.rows, int(settings["seed"]))
        while True:
            yield Batch(len(chosen), chosen, tables=self.tables)

    def _shuffled(self, table: F32, count: int, seed: int) -> Iterator[Batch]:
        if count > len(table):
            raise ValueError(f"a batch of {count} rows is wanted, there are {len(table)}")
        while True:
            order = shuffle_order(seed, self.passes, len(table))
            self.passes += 1
            for start in range(0, len(table) - count + 1, count):
                yield Batch(count, table[order[start : start + count]], tables=self.tables)
