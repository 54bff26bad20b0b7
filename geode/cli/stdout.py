"""Standard output that says so if it cannot be written to.

In: the process's file 1. Out: `sys.stdout`, whose errors are a `StdoutError` and never taken for those of another file.
Invariant: a pipe whose reader has gone stays a BrokenPipeError, which ends a command without a word.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class StdoutError(Exception):
    """Standard output cannot be written to; the message is the system's reason."""


class _Stdout(io.FileIO):
    """File 1, whose failed writes raise StdoutError: no OSError, for those are caught where files are written."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise StdoutError(error.strerror) from None


def guard_stdout() -> None:
    """Put a stream of this module in the place of `sys.stdout`, which has written nothing yet."""
    old = sys.stdout
    if isinstance(old, io.TextIOWrapper):  # not where Python found it closed, or a test has put its own there
        raw = io.BufferedWriter(_Stdout(old.fileno(), "wb", closefd=False))
        sys.stdout = io.TextIOWrapper(raw, old.encoding, old.errors, line_buffering=old.line_buffering)


def drop_stdout() -> None:
    """Let whatever is still to be written go nowhere, so that leaving the process raises nothing more."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 -- for the rest of the process
