"""How far the compiles of a build are, for people who wait.

In: how many files are compiled, and of how many. Out: a bar on a terminal, which is gone when the build is done; elsewhere one
line, once it has taken a while. Invariant: everything goes to stderr, and a build that takes no time shows nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

Watch = Callable[[int, int], None]  # is told how many files are compiled, and of how many, several times a second
_QUICK = 0.5  # seconds after which a bar is drawn
_SILENCE = 2.0  # seconds after which a line is printed where no bar can be


@contextmanager
def show_compiles() -> Iterator[Watch]:
    """What a build is to be watched by; when it is left, the bar is taken away."""
    started = time.monotonic()
    terminal = sys.stderr.isatty() and not _is_a_child()
    told = False
    with ExitStack() as stack:
        bar: Progress | None = None

        def watch(done: int, total: int) -> None:
            nonlocal bar, told
            passed = time.monotonic() - started
            if terminal and passed > _QUICK:
                if bar is None:
                    bar = stack.enter_context(_bar())
                    bar.add_task("compiling", total=total, completed=done)
                bar.update(bar.task_ids[0], completed=done, total=total)
            elif not terminal and passed > _SILENCE and not told:
                told = True
                print(f"geode: compiling {total} file{'s' if total > 1 else ''}", file=sys.stderr, flush=True)  # noqa: T201 -- for people

        yield watch


def _is_a_child() -> bool:
    """Whether `multiprocessing` started this process, as doit does with -n: such a process has loaded its module."""
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
