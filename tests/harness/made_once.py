"""Files that several tests need, made once a session.

In: what a file is made of, as words; a function that makes it. Out: its path. Invariant: of two test processes that want a
file at once, one makes it and the other waits.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = "GEODE_TESTS_MADE"  # the variable that names the folder of the session, which its processes share


def made_once(parts: Sequence[str], name: str, make: Callable[[Path], None]) -> Path:
    """Return the file called `name` that is made of `parts`; `make` gets the path where it is to lie."""
    with _alone_with(parts) as folder:
        path = folder / name
        if not path.exists():
            unfinished = folder / ".unfinished"
            make(unfinished)
            unfinished.rename(path)
    return path


@contextmanager
def one_is_first(*parts: str) -> Iterator[None]:
    """Runs the block; where two test processes come to their first block of these `parts` at once, one after the other, so
    that the second finds in the cache what both need.
    """
    if parts in _DONE:
        yield
        return
    with _alone_with(parts):
        yield
    _DONE.add(parts)


_DONE: set[tuple[str, ...]] = set()


@contextmanager
def _alone_with(parts: Sequence[str]) -> Iterator[Path]:
    """A folder that belongs to `parts`, and to this process as long as the block runs."""
    folder = _folder() / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


@cache
def _folder() -> Path:
    named = os.environ.get(FOLDER)
    return Path(named) if named else Path(_own().name)


@cache
def _own() -> TemporaryDirectory[str]:
    """Outside of a session: a folder that lives as long as the process; its finaliser removes it."""
    return TemporaryDirectory(prefix="geode-tests-")
