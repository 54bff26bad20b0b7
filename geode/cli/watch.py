"""A running program on a terminal: a bar over its epochs instead of its lines.

In: a command line. Out: the program's status. Invariant: the lines that are not `epoch=` lines and the last epoch's
line are printed as they came; a signal that asks us to stop is passed on once, and the program decides how to end.
"""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import IO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from rules.errors import BuildError

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def watch(command: Sequence[str], console: Console | None = None) -> int:
    """Run `command` with a progress bar; returns its exit status, 128 + n if signal n ended it."""
    try:
        # A session of its own: a Ctrl-C reaches this process alone, which passes it on once.
        process = subprocess.Popen(
            list(command),
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise BuildError(f"cannot start {command[0]}: {error.strerror}") from None
    assert process.stdout is not None
    with _signals_to(process), process.stdout as lines:
        _show(lines, console or Console(highlight=False), _asked_epochs(command))
        status = process.wait()
    return status if status >= 0 else 128 - status


def fields(line: str) -> dict[str, str]:
    """The `key=value` pairs of a metrics or header line."""
    return dict(pair.split("=", 1) for pair in line.split() if "=" in pair)


def _show(lines: IO[str], console: Console, total: int | None) -> None:
    columns = (
        TextColumn("epoch"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    last = ""
    with Progress(*columns, console=console) as progress:
        bar: TaskID | None = None
        for line in lines:
            text = line.rstrip("\n")
            pairs = fields(text)
            if "epoch" not in pairs:
                if text.startswith("settings ") and pairs.get("epochs", "").isdigit() and total is None:
                    total = int(pairs["epochs"])
                progress.console.print(text, markup=False, soft_wrap=True)
                continue
            last = text
            if bar is None:
                bar = progress.add_task("", total=total)
            told = " ".join(f"{key}={pairs[key]}" for key in ("best", "mean", "center") if key in pairs)
            epoch = pairs["epoch"]
            done = int(epoch) + 1 if epoch.isdigit() else None
            progress.update(bar, completed=done, description=told)
    if last:
        console.print(last, markup=False, soft_wrap=True)


def _asked_epochs(command: Sequence[str]) -> int | None:
    """The number after `--epochs` on the program's command line."""
    found = re.findall(r"(?:^|\0)--epochs[=\0](\d+)(?=\0|$)", "\0".join(command[1:]))
    return int(found[-1]) if found else None


@contextlib.contextmanager
def _signals_to(process: subprocess.Popen[str]) -> Iterator[None]:
    """Pass SIGINT, SIGTERM and SIGHUP on to `process` for the length of a `with` block."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)

    before = [(number, signal.signal(number, pass_on)) for number in _PASSED_ON]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
