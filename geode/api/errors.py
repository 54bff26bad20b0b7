"""What the Python API raises: one family of exceptions, each with a message for the person who wrote the call.

Invariant: a mistake in a program, a call, a data file or a run arrives as a `GeodeError`, never as the traceback of a process.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from geode.errors import FileReadError, GeodeError

if TYPE_CHECKING:
    from geode.diagnostics import Diagnostic

__all__ = [
    "BuildFailedError",
    "FileReadError",
    "GeodeError",
    "GeodeWarning",
    "ProgramError",
    "RunError",
    "SettingError",
    "path_of",
    "shown",
    "warn",
]

_OURS = tuple(str(Path(__file__).resolve().parents[2] / name) for name in ("geode", "rules"))


class ProgramError(GeodeError):
    """Mistakes in a program. The message is what the command line prints; `diagnostics` are the same as data."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        from geode.render import render

        super().__init__(render(diagnostics, colour=False).rstrip("\n"))
        self.diagnostics = tuple(diagnostics)


class BuildFailedError(GeodeError):
    """A build that cannot go on for a reason outside the program: no compiler, an unknown profile, a full disk."""


class SettingError(GeodeError, ValueError):
    """A keyword that is no setting, or a value out of its range."""


class RunError(GeodeError):
    """A run that ended with an error; `status` is the exit status of the binary, the message what it printed."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class GeodeWarning(UserWarning):
    """What the compiler or a run warns of."""


def path_of(what: str, value: object, wanted: str = "a path") -> str:
    """A path as a text. GeodeError, which calls the argument `what` and says what is `wanted`, for anything else."""
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if isinstance(path, str) and path and "\0" not in path:
            return path
    raise GeodeError(f"`{what}` must be {wanted}, not {shown(value)}")


def shown(value: object) -> str:
    """A value in a message: numbers and short texts as they are, anything else by its type."""
    text = repr(value)
    return text if isinstance(value, int | float | str | bytes) and len(text) < 80 else f"a {type(value).__name__}"


def warn(message: str) -> None:
    """A GeodeWarning at the line of the caller's own code that led to it."""
    level, frame = 1, sys._getframe()  # noqa: SLF001 -- warnings itself counts frames
    while frame.f_back is not None and str(Path(frame.f_code.co_filename).resolve()).startswith(_OURS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, GeodeWarning, stacklevel=level)
