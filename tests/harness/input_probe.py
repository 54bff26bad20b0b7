"""Data files read by the runtime, under the sanitizers.

In: a file, its kind, the sizes of a row's axes (a table's: of its own). Out: the rows, or the message that ended the
program. Invariant: numbers are printed and read back exactly.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.harness.compile_c import ROOT, RUNTIME, SANITIZED, compile_c

PROBE = ROOT / "tests" / "runtime" / "input_probe.c"
_NAMES = ("csv", "decimal", "fail", "file", "input", "npy", "rows", "settings", "settings_table", "text", "text_input")
READERS = tuple(RUNTIME / f"gs_{name}.c" for name in _NAMES)


def start_probe(kind: str, path: Path, *sizes: int, **extra: str) -> subprocess.CompletedProcess[str]:
    """The process that reads the file, run in its folder."""
    return subprocess.run(
        [compile_c(SANITIZED, PROBE, *READERS), kind, path.name, *map(str, sizes)],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        cwd=path.parent,
        env={**os.environ, **extra},
    )


def probed_rows(kind: str, path: Path, *sizes: int, **extra: str) -> list[list[float]]:
    """The numbers of a good file, by row."""
    done = start_probe(kind, path, *sizes, **extra)
    assert (done.returncode, done.stderr) == (0, "")
    return [[float.fromhex(x) for x in line.split()] for line in done.stdout.splitlines()]


def refusal(kind: str, path: Path, *sizes: int) -> str:
    """The message about a file that is refused."""
    done = start_probe(kind, path, *sizes)
    assert done.returncode == 1
    assert done.stderr.startswith("probe: error: ")
    return done.stderr.removeprefix("probe: error: ").rstrip("\n")
