"""A program run natively and by the reference, and where the two differ.

In: program text, run-time options. Out: a `Pair` of runs, stage by stage, and what differs between them as lines.
Invariant: the native numbers come from the binary's own lines, the reference's from the program's text alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from geode.reference.program import ProgramRun, StageRun, run_program
from geode.reference.training import EpochRecord
from geode.settings import FIELDS, SETTING_WORDS, Value, option_name
from geode.source import Source
from tests.harness.last_bit import run_moved
from tests.harness.native import Finished, build, start

Epoch = Mapping[str, float]
TOLERANCE = 1e-4
_MOVES = 4  # ways of rounding that are tried before two results are said to differ


@dataclass(frozen=True, slots=True)
class Native:
    """What one stage of the binary gave: the epochs of TRAIN, the value of EVALUATE, the rows of PREDICT."""

    epochs: Sequence[Epoch] = ()
    value: float | None = None
    table: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """`native[k]` and `reference.stages[k]` are stage k."""

    finished: Finished
    native: list[Native]
    reference: ProgramRun

    def differences(self, stage: int, tolerance: float = TOLERANCE) -> list[str]:
        """What differs in one stage, a line each."""
        got, want = self.native[stage], self.reference.stages[stage]
        found = epoch_differences(got.epochs, want.records, tolerance)
        if not _close(got.value, want.value, tolerance):
            found.append(f"the value is {got.value}, the reference says {want.value}")
        if want.table is not None:
            found += table_differences(got.table, want.table, tolerance)
        return found


def run_both(
    text: str,
    folder: Path,
    overrides: Mapping[str, Value] | None = None,
    *,
    dtype: DTypeLike = "float64",
    data: Path | None = None,
) -> Pair:
    """Builds the program in `folder`, runs it in `data` (default: there) and does the same by the reference.

    `overrides` are fields of the settings table, given to the binary as options.
    """
    values, place = overrides or {}, data or folder
    finished = run_native(text, folder, options_of(values), data=place)
    assert finished.status == 0, finished.err
    reference = run_program(Source("program.gs", text), values, place, dtype=dtype)
    return Pair(finished, _stages_of(finished.out, reference, place), reference)


def _stages_of(out: str, reference: ProgramRun, folder: Path) -> list[Native]:
    """The binary's lines and files by stage; the kinds of the stages are the program's."""
    epochs = iter(stage_epochs(out))
    values = iter([line for line in out.splitlines() if line.startswith("evaluate ")])
    found = []
    for run in reference.stages:
        match run.stage.kind:
            case "train":
                found.append(Native(epochs=next(epochs)))
            case "evaluate":
                fields = dict(pair.split("=") for pair in next(values).split()[1:])
                assert fields["word"] == run.stage.word
                found.append(Native(value=float(fields["value"])))
            case "predict":
                assert run.stage.path is not None
                lines = (folder / run.stage.path).read_text(encoding="utf-8").splitlines()
                found.append(Native(table=np.array([[float(x) for x in line.split(",")] for line in lines])))
    assert [*epochs, *values] == [], "the binary ran more stages than the program has"
    return found


def run_native(text: str, folder: Path, options: Sequence[str] = (), *, data: Path | None = None) -> Finished:
    """Builds the program with no optimisation in `folder` and runs it."""
    name = f"p{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    source = folder / f"{name}.gs"
    source.write_text(text, encoding="utf-8")
    program = build(source, folder / name, "--profile", "debug")
    return start([program, *options], cwd=data or folder)


def options_of(values: Mapping[str, Value]) -> list[str]:
    """The binary's options for fields of the settings table; a choice is the option of the word that makes it."""
    options, taken = [], set()
    for field, value in values.items():
        if FIELDS[field].kind == "choice":
            word = next(w for w in SETTING_WORDS.values() if (field, value) in w.fixes)
            taken |= set(word.takes)
            options.append("=".join([f"--{option_name(word.word)}", *(str(values[f]) for f in word.takes)]))
    return [
        *options,
        *(
            f"--{option_name(FIELDS[field].word)}={value}"
            for field, value in values.items()
            if FIELDS[field].kind != "choice" and field not in taken
        ),
    ]


def stage_epochs(out: str) -> list[list[Epoch]]:
    """The numbers of the `epoch=` lines of each stage that prints its settings."""
    stages: list[list[Epoch]] = []
    for line in out.splitlines():
        if line.startswith("settings stage="):
            stages.append([])
        elif line.startswith("epoch="):
            stages[-1].append({k: float(v) for k, v in (pair.split("=") for pair in line.split())})
    return stages


def table_differences(got: NDArray[Any] | None, want: NDArray[Any], tolerance: float) -> list[str]:
    """Where two tables of predictions differ: each number relative to the largest of its column, NaN equal to NaN."""
    if got is None or got.shape != want.shape:
        return [f"the table is {None if got is None else got.shape}, the reference says {want.shape}"]
    finite = np.where(np.isfinite(want), np.abs(want), 0)
    near = np.isclose(got, want, rtol=0, atol=tolerance * finite.max(axis=0, initial=0), equal_nan=True)
    return [
        f"row {row}, number {column} is {got[row, column]:.9g}, the reference says {want[row, column]:.9g}"
        for row, column in np.argwhere(~near)[:5]
    ]


def _close(got: float | None, want: float | None, tolerance: float) -> bool:
    if got is None or want is None:
        return got is want
    return math.isclose(got, want, rel_tol=tolerance) or (math.isnan(got) and math.isnan(want))


def epoch_differences(
    native: Sequence[Epoch], reference: Sequence[EpochRecord], tolerance: float = TOLERANCE
) -> list[str]:
    """What differs, a line each: scores relative to the largest of the epoch, norms and step sizes to themselves."""
    if len(native) != len(reference):
        return [f"{len(native)} epochs natively, {len(reference)} by the reference"]
    found = []
    for got, want in zip(native, reference, strict=True):
        size = max(abs(want.best), abs(want.mean), abs(want.worst))
        for name in ("epoch", "nan", "best", "mean", "worst", "std", "alpha", "sigma", "grad", "update"):
            expected = getattr(want, name)
            scale = size if name in ("best", "mean", "worst", "std") else abs(expected)
            if not math.isclose(got[name], expected, rel_tol=0, abs_tol=tolerance * scale):
                found.append(f"epoch {want.epoch}: {name} is {got[name]:.9g}, the reference says {expected:.9g}")
        if want.center is not None and not math.isclose(got["center"], want.center, rel_tol=tolerance):
            found.append(f"epoch {want.epoch}: center is {got['center']:.9g}, the reference says {want.center:.9g}")
    return found


def hangs_on_a_bit(moved: StageRun, exact: StageRun, tolerance: float = TOLERANCE) -> bool:
    """True if the interpreter's own numbers for a stage change with how it rounds (a lower precision, or roundings moved by
    tests/harness/last_bit.py): a row stands on the edge of a branch, or a word multiplies the last bit. What another
    order of rounding gives then says nothing.
    """
    for a, b in zip(moved.records, exact.records, strict=True):
        size = max(abs(b.best), abs(b.mean), abs(b.worst))
        for name in ("best", "mean", "worst", "std"):
            if abs(getattr(a, name) - getattr(b, name)) > tolerance * size:
                return True
        # Where the scores hardly differ, their differences are last bits, and so is the estimate that is made of them.
        if abs(a.grad - b.grad) > tolerance * abs(b.grad):
            return True
    return moved.table is not None and table_differences(moved.table, np.asarray(exact.table), tolerance) != []


def disagreements(
    wrong: Sequence[int], text: str, folder: Path, pair: Pair, tolerance: Callable[[int], float] = lambda _: TOLERANCE
) -> list[int]:
    """The stages of `wrong` in which the binary differs from the interpreter by more than a last bit explains;
    `tolerance` of a stage. The interpreter works again only while there is something to explain.
    """
    if not wrong:
        return []
    exact = run_program(Source("program.gs", text), {}, folder, dtype="float64").stages
    others = (run_moved(text, folder, salt).stages for salt in range(_MOVES))
    for stages in chain([pair.reference.stages], others):
        wrong = [n for n in wrong if not hangs_on_a_bit(stages[n], exact[n], tolerance(n))]
        if not wrong:
            break
    return list(wrong)
