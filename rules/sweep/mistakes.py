"""What is wrong with a sweep file, collected so that all of it is told at once.

In: lines and messages. Out: one `BuildError` with a line `FILE:LINE: message` for each, by line. Invariant: nothing runs
while there is a mistake.
"""

from __future__ import annotations

from dataclasses import field

from geode.record import dataclass
from rules.errors import BuildError


@dataclass(slots=True)
class Mistakes:
    """The mistakes of the sweep file at `path`, as it is named in messages; and notes, which stop nothing."""

    path: str
    found: dict[tuple[int, str], None] = field(default_factory=dict)  # a set that keeps its order
    notes: list[str] = field(default_factory=list)

    def add(self, line: int, message: str) -> None:
        """Take one mistake; one that is already there is dropped."""
        self.found[line, message] = None

    def note(self, line: int, message: str) -> None:
        """Take something that the author may not have meant."""
        self.notes.append(f"{self.path}:{line}: {message}")

    def fail_if_any(self) -> None:
        """Raise BuildError with everything that was found."""
        if self.found:
            raise BuildError("\n".join(f"{self.path}:{line}: {message}" for line, message in sorted(self.found)))
