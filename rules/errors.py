"""The one error of the build: a message for the person who started it.

Invariant: whatever goes wrong for a reason outside Geode (no compiler, a bad file, a full disk) arrives as a
`BuildError`, never as a traceback.
"""

from __future__ import annotations


class BuildError(Exception):
    """A build that cannot go on; `message` says why and what to try, `status` is the exit status."""

    def __init__(self, message: str, *, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def near_miss(name: str, known: tuple[str, ...]) -> str:
    """` (did you mean …?)` or the list of what is known, to end a message about an unknown name."""
    import difflib

    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f": did you mean `{close[0]}`?" if close else f"; known: {', '.join(known)}"
