"""Files that several tests need, made once a session.

In: what a file is made of, as words; a function that makes it. Out: its path. Invariant: of two test processes that want a
file at once, one makes it and the other waits.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = "GEODE_TESTS_MADE"  # the variable that names the folder of the session, which its processes share


def made_once(parts: Sequence[str], name: str, make: Callable[[Path], None]) -> Path:
    """Return the file called `name` that is made of `parts`; `make` gets the path where it is to lie."""
    folder = _folder() / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = folder / ".unfinished"
            make(unfinished)
            unfinished.rename(path)
    return path


@cache
def _folder() -> Path:
    named = os.environ.get(FOLDER)
    return Path(named) if named else Path(_own().name)


@cache
def _own() -> TemporaryDirectory[str]:
    """Outside of a session: a folder that lives as long as the process; its finaliser removes it."""
    return TemporaryDirectory(prefix="geode-tests-")
