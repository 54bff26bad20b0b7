"""The tokens form: the pieces of a program's text, comments gone.

In: made by `text_to_tokens`. Out: read by `tokens_to_words`.
Invariant: tokens stand in source order and their spans do not overlap.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from geode.record import dataclass
from geode.source import Span


class TokenKind(Enum):
    """What a token is, by its form alone."""

    WORD = "word"  # anything that white space delimits
    STRING = "string"  # "…", escapes resolved
    SIGNATURE_OPEN = "open"  # `(` directly after the name in a definition
    SIGNATURE_CLOSE = "close"  # the `)` that belongs to it


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of text. `text` is as written, but for a string, where it is the string's value."""

    kind: TokenKind
    text: str
    span: Span = field(compare=False)

    def __str__(self) -> str:
        line, column = self.span.source.position(self.span.start)
        return f"{line}:{column} {self.kind.value} {self.span.text}"

    def is_word(self, *texts: str) -> bool:
        """True if this is a word token spelt like one of `texts`."""
        return self.kind is TokenKind.WORD and self.text in texts
