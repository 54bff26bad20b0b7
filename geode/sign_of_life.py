"""A line on the terminal while something takes long, with the seconds so far.

In: what is being done. Out: from the third second on a line on stderr, taken away at the end.
Invariant: nothing is written where stderr is no terminal, and nothing for what takes less than two seconds.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_PATIENCE = 2.0  # seconds without a sign


@contextmanager
def sign_of_life(doing: str, stream: TextIO | None = None, *, patience: float = _PATIENCE) -> Iterator[None]:
    """Shows `geode: DOING, N s` on `stream`, stderr unless given, once a second after `patience` seconds."""
    out = sys.stderr if stream is None else stream
    if not out.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(doing, out, done, patience), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(doing: str, out: TextIO, done: threading.Event, patience: float) -> None:
    start = time.monotonic()
    shown = ""
    wait = patience
    while not done.wait(wait):
        shown = f"geode: {doing}, {time.monotonic() - start:.0f} s"
        out.write(f"\r{shown}")
        out.flush()
        wait = 1.0
    if shown:
        out.write(f"\r{' ' * len(shown)}\r")
        out.flush()
