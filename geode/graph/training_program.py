"""The training program that MAIN describes: data files, and stages with all of their settings.

In: made by `main_to_stages`. Out: read by `trained_word`, `program_to_c` and the reference.
Invariant: `settings` of a stage holds every field of the settings table, each within its range.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from geode.graph.concrete import BatchValue
from geode.graph.types import Shape
from geode.record import dataclass
from geode.settings import Value
from geode.source import Span

DataKind = Literal["csv", "npy", "text"]
StageKind = Literal["train", "evaluate", "predict"]


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of rows, each of row shape `shape`; those of a CSV or text have one axis."""

    path: str
    kind: DataKind
    shape: Shape

    @property
    def row_floats(self) -> int:
        """The numbers of a row."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Stage:
    """One TRAIN, EVALUATE or PREDICT. `settings` holds every field of the settings table, `places` where MAIN set those
    that it sets.
    """

    kind: StageKind
    word: str
    batch: BatchValue
    settings: dict[str, Value]
    span: Span
    path: str | None = None
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)

    @property
    def noise_rank(self) -> int | None:
        """The rank of the noise of matrices, None where it is dense."""
        rank = self.settings["rank"]
        assert isinstance(rank, int)
        return None if self.settings["perturbation"] == "gaussian" else rank

    @property
    def bf16(self) -> bool:
        """True if wide layers multiply bfloat16 numbers."""
        return bool(self.settings["bf16"])


@dataclass(frozen=True, slots=True)
class TrainingProgram:
    """What MAIN says."""

    files: tuple[DataFile, ...]
    stages: tuple[Stage, ...]
