"""Programs built and run as a user does, and what their lines say.

In: a program's text or path, options. Out: `Finished` runs. Invariant: every build goes through the command line's own
path and the test session's own cache, so equal programs compile once a session.
"""

from __future__ import annotations

import hashlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

from geode.cli import run_command_line
from tests.harness.made_once import one_is_first

ROOT = Path(__file__).resolve().parents[2]
QUICK_START = ROOT / "examples" / "sine-ae.gs"
LIMIT = 120  # seconds that a command may take
_TIMES = ("evals/s=", "elapsed=")


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that ended: its status and what it printed."""

    status: int
    out: str
    err: str

    @property
    def epoch_lines(self) -> list[str]:
        """The `epoch=` lines without what depends on the clock."""
        lines = [line for line in self.out.splitlines() if line.startswith("epoch=")]
        return [" ".join(pair for pair in line.split() if not pair.startswith(_TIMES)) for line in lines]

    @property
    def epochs(self) -> list[dict[str, float]]:
        """The `epoch=` lines as numbers by name, times left out."""
        return [{k: float(v) for k, v in (pair.split("=") for pair in line.split())} for line in self.epoch_lines]

    @property
    def digest(self) -> str:
        """SHA-256 of the `epoch=` lines without times: equal for equal runs."""
        return hashlib.sha256("\n".join(self.epoch_lines).encode()).hexdigest()


def start(command: Sequence[str | Path], *, cwd: Path = ROOT, limit: float = LIMIT, **environment: str) -> Finished:
    """Run a command to its end in `cwd`, with further environment variables. What runs longer than `limit` seconds is
    killed with all that it started (TimeoutExpired).
    """
    process = subprocess.Popen(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=limit)
    except BaseException:  # an interrupt too, which no longer reaches a session of its own
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return Finished(process.returncode, out, err)


def geode(*arguments: str | Path, cwd: Path = ROOT, limit: float = LIMIT, **environment: str) -> Finished:
    """Run the `geode` command."""
    return start([sys.executable, "-m", "geode", *arguments], cwd=cwd, limit=limit, **environment)


def geode_here(*arguments: str | Path, cwd: Path = ROOT, limit: float = LIMIT) -> Finished:
    """Run the `geode` command in this process, which saves its start: for tests that are about what it makes."""

    def too_long(*_: object) -> None:
        raise subprocess.TimeoutExpired(["geode", *map(str, arguments)], limit)

    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    handler = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, limit)
    os.chdir(cwd)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = run_command_line(list(map(str, arguments)))
    finally:
        os.chdir(before)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    return Finished(status, out.getvalue(), err.getvalue())


def build(source: Path, folder: Path, *options: str, limit: float = LIMIT) -> Path:
    """Build `source` in `folder`; the binary. Fails the test with the compiler's messages if it does not build."""
    with one_is_first("build", *options):
        done = geode_here("build", *options, "-o", folder, source, limit=limit)
    assert done.status == 0, done.err
    return folder / "out" / "program"
