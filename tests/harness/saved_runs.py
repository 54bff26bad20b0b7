"""Runs that save and resume, of a program in C or of a compiled one.

In: an executable, a folder to run it in, options. Out: what it printed, and the files it left. Invariant: text that
depends on the clock is taken out before anything is compared.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.compile_c import ROOT, Build

BUILD = Build("gcc", "-O2", "native")
STAGES = ROOT / "tests" / "runtime" / "stages.c"
SINE = ROOT / "tests" / "runtime" / "program.c"
_TIMES = re.compile(r" evals/s=\S+ elapsed=\S+")


@dataclass(frozen=True, slots=True)
class SavedRun:
    """One process that ended: status, epoch lines, result lines, messages, by name the files it was to save."""

    status: int
    epochs: list[str]
    results: list[str]
    err: str


@dataclass(frozen=True, slots=True)
class Saver:
    """An executable with the options that all of its runs have, run in `folder`; `command` where it needs an emulator."""

    program: Path
    folder: Path
    options: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    def run(self, *options: str) -> SavedRun:
        """One process; options given here come last and win."""
        done = subprocess.run(
            [*(self.command or (self.program,)), *self.options, *options],
            cwd=self.folder,
            capture_output=True,
            text=True,
            errors="replace",  # a message may show a name from a broken file
            check=False,
            timeout=60,
        )
        lines = [_TIMES.sub("", line) for line in done.stdout.splitlines()]
        return SavedRun(
            done.returncode,
            [line for line in lines if line.startswith("epoch=")],
            [line for line in lines if line.startswith(("result ", "evaluate "))],
            done.stderr,
        )

    def good(self, *options: str) -> SavedRun:
        """One process that ends well."""
        done = self.run(*options)
        assert (done.status, done.err) == (0, "")
        return done

    def read(self, name: str) -> bytes:
        """A file of the folder."""
        return (self.folder / name).read_bytes()

    def write(self, name: str, data: bytes) -> str:
        """A file of the folder, by its name."""
        (self.folder / name).write_bytes(data)
        return name

    def metrics(self, name: str) -> list[dict[str, object]]:
        """A METRICS-FILE without what depends on the clock or on where files lie."""
        lines = [json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]
        return [{key: value for key, value in line.items() if key not in _NOT_COMPARED} for line in lines]


_NOT_COMPARED = ("evals/s", "elapsed", "settings")


def straight_and_resumed(saver: Saver, epochs: int, options: Sequence[str] = ()) -> list[str]:
    """Runs straight through, and stopped and resumed at every epoch up to `epochs`; what differs, a line each.

    Compared: the state's bytes, the weights' files (last, best center, best member), metrics lines, JSON metrics,
    results, and the results of stages after the one that was resumed.
    """
    files = ("m.safetensors", "m.best-weights.safetensors", "m.best-member.safetensors")
    saving = (*options, "--save-model", "m.safetensors", "--save-model-all")
    whole = saver.good(*saving, "straight.safetensors", "--metrics-file", "straight.jsonl")
    straight = {name: saver.read(name) for name in files if (saver.folder / name).exists()}
    found = []
    for at in range(epochs + 1):
        metrics = ("--metrics-file", "stopped.jsonl")
        first = saver.good(*saving, "stopped.safetensors", *metrics, "--stop-at-epoch", str(at))
        for name in straight:
            (saver.folder / name).unlink(missing_ok=True)
        resume = ("--resume-model", "stopped.safetensors")
        second = saver.good(*saving, "stopped.safetensors", *metrics, *resume)
        same = {
            "state": saver.read("stopped.safetensors") == saver.read("straight.safetensors"),
            "epochs": first.epochs + second.epochs == whole.epochs,
            "results": second.results == whole.results[len(whole.results) - len(second.results) :],
            "metrics": saver.metrics("stopped.jsonl") == saver.metrics("straight.jsonl"),
            **{name: saver.read(name) == data for name, data in straight.items()},
        }
        found += [f"resumed at epoch {at}: {name} differs" for name, equal in same.items() if not equal]
    return found
