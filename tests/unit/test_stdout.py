"""Commands whose standard output cannot be written to, or has no reader any more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.native import QUICK_START, ROOT

FULL = Path("/dev/full")
PROGRAM = str(QUICK_START)
COMMANDS = [
    ("--help",),
    ("words",),
    ("words", "--json"),
    ("emit", PROGRAM),
    ("cache", "stats"),
    ("check", "--json", PROGRAM),
    ("sweep", "run", "--help"),
    ("sweep", "status", "--json", str(ROOT / "examples" / "sine-ae.sweep.yaml")),
]


def run(arguments: tuple[str, ...], out: str) -> subprocess.CompletedProcess[str]:
    """`geode ARGUMENTS` with a shell's redirection of its output."""
    line = f' "$0" -m geode "$@" {out}'
    command = ["sh", "-c", line, sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_full_output_is_one_line(arguments: tuple[str, ...]) -> None:
    """The system's reason, status 1."""
    done = run(arguments, ">/dev/full")
    assert done.returncode == 1
    assert done.stderr == "geode: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize("arguments", [("words",), ("words", "--json"), ("emit", PROGRAM)], ids=" ".join)
def test_reader_that_has_gone_is_no_mistake(arguments: tuple[str, ...]) -> None:
    """Not a word on stderr."""
    done = run(arguments, "| head -1")
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_closed_output_is_no_mistake() -> None:
    """There is nowhere to write to."""
    done = run(("words",), ">&-")
    assert (done.returncode, done.stderr) == (0, "")
