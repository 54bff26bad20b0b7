"""A program run natively and by the reference, and where the two differ.

In: program text, run-time options. Out: a `Pair` of runs, stage by stage, and `differences` between epochs as lines.
Invariant: the native numbers come from the binary's own lines, the reference's from the program's text alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from numpy.typing import DTypeLike

from geode.reference.program import ProgramRun, run_program
from geode.reference.training import EpochRecord
from geode.settings import FIELDS, SETTING_WORDS, Value, option_name
from geode.source import Source
from tests.harness.native import Finished, build, start

Epoch = Mapping[str, float]
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Pair:
    """`native[k]` and `reference.stages[k]` are stage k."""

    finished: Finished
    native: list[list[Epoch]]
    reference: ProgramRun


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
    return Pair(finished, stage_epochs(finished.out), reference)


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


def differences(native: Sequence[Epoch], reference: Sequence[EpochRecord], tolerance: float = TOLERANCE) -> list[str]:
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
