"""A place in a row of tokens, for the parser.

In: the tokens of one source. Out: the next token, the last one's span, and whether a token starts its line.
Invariant: the place only moves forward.
"""

from __future__ import annotations

from geode.record import dataclass
from geode.source import Source, Span
from geode.syntax.token import Token, TokenKind

_NO_NAMES = (":", ";", "(", ")", "{", "}")


def is_name(text: str) -> bool:
    """True if a token spelt like this may be a name where one is wanted."""
    return text not in _NO_NAMES


@dataclass(slots=True)
class WordStream:
    """The tokens from `at` on are still to be read."""

    tokens: tuple[Token, ...]
    source: Source
    at: int = 0

    @property
    def at_end(self) -> bool:
        """True if no token is left."""
        return self.at >= len(self.tokens)

    @property
    def last_span(self) -> Span:
        """The span of the token read last; the start of the source before the first."""
        return self.tokens[self.at - 1].span if self.at else Span(self.source, 0, 0)

    def peek(self) -> Token | None:
        """The next token, which stays there."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self) -> Token:
        """Reads the next token; there is one."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def take_name(self) -> Token | None:
        """Reads the next token if it may be a name, else leaves it and gives None."""
        token = self.peek()
        if token is None or token.kind is not TokenKind.WORD or not is_name(token.text):
            return None
        return self.next()

    def starts_line(self, token: Token) -> bool:
        """True if only white space stands before `token` on its line."""
        start = self.source.line_bounds(token.span.start)[0]
        return not self.source.text[start : token.span.start].strip()

    def starts_definition(self) -> bool:
        """True if the next three tokens are `: NAME (`."""
        ahead = self.tokens[self.at : self.at + 3]
        return len(ahead) == 3 and ahead[0].is_word(":") and ahead[2].kind is TokenKind.SIGNATURE_OPEN
