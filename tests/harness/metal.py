"""Programs for Apple GPUs, built and run under the emulator of Metal.

In: a program's text with TARGET-CPU, options. Out: what the same program says on the processor and under the emulator.
Invariant: both runs have the same options and differ in the target alone.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from rules.emulator import VARIABLE, emulator_library
from tests.harness.native import ROOT, Finished, build, start

SMALL_BUILD = ("--profile", "debug", "--lanes", "32")  # compiled fast, and the lanes of a GPU
needs_cxx = pytest.mark.skipif(not any(map(shutil.which, ("clang++", "g++"))), reason="no C++ compiler on PATH")


@dataclass(frozen=True, slots=True)
class Batch:
    """A command buffer: the kernels in the order of their dispatches, and the objects that lived when it ran."""

    kernels: list[str]
    objects: int


@cache
def emulator() -> Path:
    """The emulator's library, compiled once a session."""
    return emulator_library(Path(os.environ["GEODE_CACHE"]))


def for_metal(text: str) -> str:
    """The text of a program for the processor with its target changed."""
    return for_target(text, "TARGET-APPLE-METAL")


def for_target(text: str, target: str) -> str:
    """The same for another target."""
    assert text.count("TARGET-CPU") == 1
    return text.replace("TARGET-CPU", target)


def emulated(program: Path, *options: str, cwd: Path = ROOT, **environment: str) -> Finished:
    """A run of a built program under the emulator. What it compiles is kept for the session."""
    kept = Path(os.environ["GEODE_CACHE"]) / "kernels"
    kept.mkdir(parents=True, exist_ok=True)
    emulation = {VARIABLE: str(emulator()), "GEODE_EMULATOR_KEPT": str(kept)}
    return start([program, *options], cwd=cwd, **emulation, **environment)


def emulated_once(program: Path, *options: str, cwd: Path = ROOT, **environment: str) -> Finished:
    """The same with kernels that are compiled fast and run slowly: for small programs."""
    return emulated(program, *options, cwd=cwd, GEODE_EMULATOR_FLAGS="-O0", **environment)


def both(
    text: str, folder: Path, target: str = "TARGET-APPLE-METAL", options: tuple[str, ...] = ()
) -> tuple[Path, Path]:
    """The program built for the processor and for a GPU; `SMALL_BUILD` shares all of the runtime."""
    programs = []
    for name, content in (("cpu", text), ("gpu", for_target(text, target))):
        source = folder / f"{name}.gs"
        source.write_text(content, encoding="utf-8")
        programs.append(build(source, folder / name, *options))
    return programs[0], programs[1]


def told(finished: Finished) -> list[str]:
    """The epochs, without times, and the results of a run that went well."""
    assert finished.status == 0, finished.err
    results = [line for line in finished.out.splitlines() if line.startswith(("result", "evaluate", "stop"))]
    return finished.epoch_lines + results


def batches(log: Path) -> list[Batch]:
    """The command buffers that the emulator's log tells of."""
    lines = (dict(part.split("=") for part in line.split()[1:]) for line in log.read_text("utf-8").splitlines())
    found = [Batch(line["kernels"].split(","), int(line["objects"])) for line in lines]
    assert found, f"{log} is empty"
    return found


def trained(log: Path) -> list[Batch]:
    """Those of epochs: the others score the trained weights alone."""
    return [batch for batch in batches(log) if batch.kernels[-1] != "gs_score_0"]
