"""One run of a trial's binary as a process, in a folder of its own.

In: a trial, its binary. Out: an `Attempt` that can be asked whether it ended and how. Invariant: a trial dies with the
process that runs the sweep (on Linux even if that is killed), and writes nothing outside its folder unless the program
names an absolute path to PREDICT.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import field
from pathlib import Path

from geode.record import dataclass
from geode.report.metrics import read_metrics, read_results
from rules.death import dies_with_this
from rules.errors import BuildError
from rules.sweep.store import LOG, METRICS, SETTINGS, Made, Record, describe, saved_files, saved_name, writing
from rules.sweep.trial import Trial

_GRACE = 5.0  # seconds from SIGTERM to SIGKILL


@dataclass(frozen=True, slots=True)
class Program:
    """A built variant of a sweep's program."""

    path: Path
    made: Made


@dataclass(slots=True)
class Attempt:
    """A try of a trial that runs. Times are of the monotonic clock, in seconds."""

    trial: Trial
    program: Program
    folder: Path
    workers: int
    tries: int
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)
    timed_out: bool = False
    asked_to_stop: float | None = None

    def poll(self, timeout: float | None) -> bool:
        """Whether it has ended; stops it when it is past its time."""
        if self.process.poll() is not None:
            return True
        now = time.monotonic()
        if timeout is not None and now - self.started > timeout and not self.timed_out:
            self.timed_out = True
            self.stop()
        if self.asked_to_stop is not None and now - self.asked_to_stop > _GRACE:
            self.process.kill()
        return False

    def stop(self) -> None:
        """Ask it to end, and see to it that it does with the next polls."""
        if self.asked_to_stop is None:
            self.asked_to_stop = time.monotonic()
            self.process.terminate()

    def epochs(self) -> int:
        """How many epochs it has written."""
        try:
            with (self.folder / METRICS).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - 2048))
                lines = [line for line in file.read().split(b"\n")[:-1] if line.startswith(b'{"epoch":')]
            return int(json.loads(lines[-1])["epoch"]) + 1 if lines else 0
        except (OSError, ValueError, KeyError):
            return 0  # nothing yet, or a line that is being written

    def record(self, timeout: float | None) -> Record:
        """What became of it, once it has ended."""
        seconds = time.monotonic() - self.started
        status = self.process.returncode
        output = (self.folder / LOG).read_text(encoding="utf-8", errors="replace")
        missing = sorted(name for name in saved_files(self.trial) if not (self.folder / name).is_file())
        why = ""
        if self.timed_out:
            why = f"took longer than {timeout:g} s"
        elif status < 0:
            why = f"ended by {_signal_name(-status)}"
        elif status > 0:
            why = f"status {status}"
        elif missing or not (self.folder / METRICS).is_file():
            why = f"wrote no {', '.join(missing) or METRICS}"
        files = tuple(sorted(saved_files(self.trial))) if not why else ()
        return Record(
            self.trial.key,
            "failed" if why else "done",
            why,
            status,
            self.tries,
            round(seconds, 3),
            self.workers,
            read_results(output),
            self.program.made,
            files,
            self._last_epoch(),
        )

    def _last_epoch(self) -> dict[str, float | None]:
        try:
            epochs = read_metrics(self.folder / METRICS).epochs
        except OSError:
            return {}
        return dict(epochs[-1]) if epochs else {}

    @property
    def may_be_retried(self) -> bool:
        """Whether it ended for a reason that another try may not meet: a signal or its time."""
        return self.timed_out or self.process.returncode < 0


def begin(trial: Trial, program: Program, folder: Path, root: Path, *, workers: int, tries: int) -> Attempt:
    """Start a try of `trial` in `folder`, which is made anew; data files are looked for from `root`.

    Raises BuildError if it cannot be started.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with writing(folder.parents[1]):
        folder.mkdir(parents=True)
        for name in saved_files(trial):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / SETTINGS).write_text(json.dumps(describe(trial), indent=1) + "\n", encoding="utf-8")
    command = [str(program.path.resolve()), *_options(trial, root, workers)]
    with writing(folder.parents[1]):
        log = (folder / LOG).open("wb")
    try:
        with log:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C is for the sweep, which ends its trials itself
                preexec_fn=dies_with_this(),  # noqa: PLW1509 -- this process has one thread
            )
    except OSError as error:
        raise BuildError(f"cannot start {command[0]}: {error.strerror}") from None
    return Attempt(trial, program, folder, workers, tries, process)


def _options(trial: Trial, root: Path, workers: int) -> list[str]:
    """The binary's whole command line: the trial's own options, and where files lie from the folder it runs in."""
    options = list(trial.options)
    if "--workers" not in options:
        options += ["--workers", str(workers)]
    options += ["--metrics-file", METRICS]
    for name, files in (("--data", trial.facts.files), ("--table", trial.facts.tables)):
        for number, path in enumerate(files, 1):
            options += [name if len(files) == 1 else f"{name}-{number}", str((root / path).resolve())]
    first = trial.settings[0]
    if first["resume_model"]:
        options += ["--resume-model", str((root / str(first["resume_model"])).resolve())]
    for name in ("save_model", "save_model_all"):
        for number, values in enumerate(trial.settings, 1):
            saved = values[name]
            if isinstance(saved, str) and saved_name(saved) != saved:
                options += ["--set", f"{number}:{name.upper().replace('_', '-')}={saved_name(saved)}"]
    return options


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
