"""What a mutant is: one line of the C engine that says something else than the formula.

In: the path of a file of the runtime, a piece of a line, what stands there instead, the tests that must notice. Out: the
file's text with the change. Invariant: the piece stands exactly once in its file, on one line, or `MutantError` says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = Path("geode/runtime")


class MutantError(ValueError):
    """The line that a mutant changes is not there, or more than once."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`what` is wrong in the mutant; `tests` are arguments of pytest, the quickest first."""

    what: str
    file: str  # below geode/runtime
    old: str
    new: str
    tests: tuple[str, ...]

    def changed(self, root: Path) -> str:
        """The text of the file under `root` with the change. MutantError if the piece is not there exactly once."""
        path = root / RUNTIME / self.file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        count = text.count(self.old)
        if count != 1 or "\n" in self.old + self.new or self.old == self.new:
            message = (
                f"{self.what}: `{self.old}` stands {count} times in {RUNTIME / self.file}, wanted once, on one line"
            )
            raise MutantError(f"{message}; the mutant must follow the engine")
        return text.replace(self.old, self.new)
