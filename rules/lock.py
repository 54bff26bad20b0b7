"""One build at a time in an output folder: a second one waits and says for whom.

Invariant: the lock belongs to the open file, so a build that dies releases it; processes that it started with the file
handed on keep it until they have ended, too, so that none of them writes into the next build.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(folder: Path, say: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock of `folder` for the length of a `with` block, which gets the file to hand on."""
    path = folder / ".lock"
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for the build in {folder} by {path.read_text(encoding='utf-8').strip() or 'another process'}")
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()}\n")
        file.flush()
        yield file.fileno()
