"""Small programs whose objective is known by a formula, compiled, to be run many times with options.

In: a program's text, a folder. Out: a `Saver` of the binary in that folder. Invariant: built without optimisation, which
changes no digit.
"""

from __future__ import annotations

from pathlib import Path

from tests.harness.native import build
from tests.harness.saved_runs import SavedRun, Saver


def trainer(text: str, folder: Path, name: str = "program", *options: str) -> Saver:
    """The program built in `folder`; `options` are those of all its runs."""
    source = folder / f"{name}.gs"
    source.write_text(text, encoding="utf-8")
    return Saver(build(source, folder / name, "--profile", "debug"), folder, options)


def numbers(run: SavedRun) -> list[dict[str, float]]:
    """The epochs' lines as numbers by name."""
    return [{k: float(v) for k, v in (pair.split("=") for pair in line.split())} for line in run.epochs]
