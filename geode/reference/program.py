"""Whole programs by the reference: a `.gs` text -> the metrics of every epoch, what EVALUATE and PREDICT give.

In: a `Source`, settings to put in place of the program's own, the folder that data paths are relative to. Out: a
`ProgramRun`. Invariant: a stage trains the TRAINABLE parameters of its own word and no other; weights go on by name,
the epoch number through all stages, the optimizer's state while the optimizer stays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from geode.graph.training_program import Stage
from geode.graph.values import Parameter as GraphParameter
from geode.pipeline import CheckedStage, check_program
from geode.reference.initial import Parameter, initial_weights
from geode.reference.interpret import OUTSIDE, Batch, Luck, evaluate, score
from geode.reference.rows import Rows
from geode.reference.training import EpochRecord, Settings, TrainingState, run_epoch, settings_of
from geode.settings import Value
from geode.source import Source

F32 = NDArray[np.float32]
Init = Literal["constant", "normal", "uniform", "orthogonal"]


@dataclass(frozen=True, slots=True)
class StageRun:
    """What one stage gave: `records` of TRAIN, `value` of EVALUATE, `table` `[rows, numbers]` of PREDICT."""

    stage: Stage
    records: tuple[EpochRecord, ...] = ()
    value: float | None = None
    table: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """Every stage in order, and the weights at the end."""

    stages: tuple[StageRun, ...]
    weights: Mapping[str, F32] = field(repr=False)

    @property
    def records(self) -> list[EpochRecord]:
        """The epochs of all stages."""
        return [record for stage in self.stages for record in stage.records]


def train_program(source: Source, overrides: Mapping[str, Value], directory: Path) -> list[EpochRecord]:
    """Return the records of every epoch of the program. See `run_program`."""
    return run_program(source, overrides, directory).records


def run_program(
    source: Source, overrides: Mapping[str, Value], directory: Path, *, dtype: DTypeLike = np.float64
) -> ProgramRun:
    """Return what the program does, each stage with `overrides` (fields of the settings table) in place of its own.

    Raises CompileErrors as the compiler does, AllNanError where no member of an epoch has a finite score, ValueError
    for a data file that has not the rows that the program says.
    """
    checked = check_program(source)
    first = settings_of({**checked.stages[0].stage.settings, **overrides})
    weights = initial_weights([_parameter(p) for p in checked.parameters], first.seed)
    rows = Rows(checked.training.files, [t for item in checked.stages for t in item.root.all_tables()], directory)
    state = TrainingState(weights, {}, 0, 0, 0)
    optimizer: str | None = None
    runs = []
    for item in checked.stages:
        values = {**item.stage.settings, **overrides}
        batches = rows.batches(item.stage, values)
        if item.stage.kind == "train":
            settings = settings_of(values)
            if settings.optimizer != optimizer:
                state, optimizer = replace(state, memory={}, steps=0), settings.optimizer
            state, run = _train(item, values, replace(state, stage_epoch=0), batches, dtype)
        elif item.stage.kind == "evaluate":
            batch = replace(next(batches), luck=Luck(first.seed))
            value = score(item.root, state.weights, batch, item.stage.settings, dtype=dtype)
            run = StageRun(item.stage, value=value)
        else:
            batch = replace(next(batches), luck=Luck(first.seed))
            run = StageRun(item.stage, table=_predict(item, state.weights, batch, dtype))
        runs.append(run)
    return ProgramRun(tuple(runs), state.weights)


def _parameter(p: GraphParameter) -> Parameter:
    """The parameter as the reference has it. Raises ValueError for an initialisation that it doesn't know."""
    if p.init not in ("constant", "normal", "uniform", "orthogonal"):
        raise ValueError(f"{p.name}: the reference knows no initialisation {p.init!r}")
    return Parameter(p.name, p.shape, p.kind, p.trainable, cast("Init", p.init), p.init_value)


def _train(
    item: CheckedStage,
    values: Mapping[str, Value],
    state: TrainingState,
    batches: Iterator[Batch],
    dtype: DTypeLike,
) -> tuple[TrainingState, StageRun]:
    settings = settings_of(values)
    parameters = [_parameter(p) for p in item.root.all_parameters()]
    records: list[EpochRecord] = []
    while len(records) < settings.epochs and not _stops(values, settings, records):
        batch = next(batches)
        calls = count()  # members in their order, then perhaps the mean weights

        def objective(
            weights: Mapping[str, F32], batch: Batch = batch, calls: Iterator[int] = calls, epoch: int = state.epoch
        ) -> float:
            member = next(calls)
            luck = Luck(settings.seed, epoch, member if member < settings.population else OUTSIDE)
            return score(item.root, weights, replace(batch, luck=luck), values, dtype=dtype)

        state, record = run_epoch(objective, parameters, state, settings)
        records.append(record)
    return state, StageRun(item.stage, tuple(records))


def _stops(values: Mapping[str, Value], settings: Settings, records: Sequence[EpochRecord]) -> bool:
    """True if STOP-BELOW, STOP-ABOVE or PATIENCE ends the stage after these epochs; the clock never does here."""
    if not records:
        return False
    below, above, patience = values["stop_below"], values["stop_above"], values["patience"]
    assert isinstance(below, int | float)
    assert isinstance(above, int | float)
    assert isinstance(patience, int)
    scores = [r.center if settings.evaluate_every > 0 else r.best for r in records]
    last = scores[-1]
    if last is not None and (last < below or last > above):
        return True
    sign = -1.0 if settings.direction == "reward" else 1.0
    ranked = [math.inf if s is None or not math.isfinite(s) else sign * s for s in scores]
    since_best = len(ranked) - 1 - ranked.index(min(ranked))
    return patience > 0 and since_best >= patience


def _predict(item: CheckedStage, weights: Mapping[str, F32], batch: Batch, dtype: DTypeLike) -> NDArray[Any]:
    """What the word leaves for every row, its values side by side in row-major order."""
    columns = []
    left = evaluate(item.root, weights, batch, item.stage.settings, dtype=dtype)
    for place, value in zip(item.root.outputs, left, strict=True):
        type_ = item.root.nodes[place].type
        full = np.broadcast_to(value, (batch.rows, *type_.shape))
        columns.append(full.reshape(batch.rows, type_.size).astype(np.float64))
    return np.concatenate(columns, axis=1)
