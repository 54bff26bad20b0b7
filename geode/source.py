"""Where text comes from and where in it a thing stands.

In: a path as the user typed it and the text read from it. Out: `Span`s, and the line and column of any offset.
Invariant: an offset counts code points of `Source.text`; a line ends at its line feed; lines and columns start at 1.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from geode.record import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text. `path` is what messages print."""

    path: str
    text: str

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based (line, column) of `offset`; an offset past the end is the end's."""
        offset = max(0, min(offset, len(self.text)))
        starts = _line_starts(self.text)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_bounds(self, offset: int) -> tuple[int, int]:
        """The offsets of the first and behind the last character of the line that holds `offset`."""
        offset = max(0, min(offset, len(self.text)))
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end


@dataclass(frozen=True, slots=True)
class Span:
    """The code points `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    def __repr__(self) -> str:
        # The whole text of the file in every repr would drown what is being looked at.
        return f"Span({self.place()}+{self.end - self.start})"

    @property
    def text(self) -> str:
        """The characters that the span covers."""
        return self.source.text[self.start : self.end]

    def place(self) -> str:
        """`FILE:LINE:COL`, as messages print it."""
        line, column = self.source.position(self.start)
        return f"{self.source.path}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`, which stands later in the same source."""
        return Span(self.source, self.start, max(self.end, other.end))


@lru_cache(maxsize=16)
def _line_starts(text: str) -> tuple[int, ...]:
    """The offset of every line's first character. Kept for a few texts, for a file may have many errors."""
    return (0, *(match.end() for match in re.finditer("\n", text)))
