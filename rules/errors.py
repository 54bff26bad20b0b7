"""The one error of the build: a message for the person who started it.

Invariant: whatever goes wrong for a reason outside Geode (no compiler, a bad file, a full disk) arrives as a
`BuildError`, never as a traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from geode.diagnostics import CompileErrors, InternalError


class BuildError(Exception):
    """A build that cannot go on; `message` says why and what to try, `status` is the exit status."""

    def __init__(self, message: str, *, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def os_reason(error: OSError) -> str:
    """The system's reason, with the file that it is about where that is known: a failed write does not name one."""
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{reason}: {error.filename}"


def tell_error(error: CompileErrors | InternalError | BuildError) -> str:
    """An error as plain text."""
    from geode.diagnostics import CompileErrors, InternalError
    from geode.render import render

    if isinstance(error, CompileErrors):
        return render(error.diagnostics, colour=False).rstrip("\n")
    if isinstance(error, InternalError):
        return f"error {error.code}: {error.message}\n  This is a fault of the compiler, not of the program."
    return error.message


def near_miss(name: str, known: tuple[str, ...]) -> str:
    """` (did you mean …?)` or the list of what is known, to end a message about an unknown name."""
    import difflib

    if not known:
        return "; there is none"
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f": did you mean `{close[0]}`?" if close else f"; known: {names(known)}"


_MOST_NAMES = 16  # of a list in a message


def names(known: tuple[str, ...]) -> str:
    """Names for a message: all of a few, the first of many."""
    if len(known) <= _MOST_NAMES:
        return ", ".join(known)
    return f"{', '.join(known[: _MOST_NAMES - 4])} and {len(known) - _MOST_NAMES + 4} more"
