"""Text -> tokens.

In: a `Source`. Out: its tokens without comments; what is never closed is reported and ends with its line.
Invariant: a `(` is the start of a signature only directly after `: NAME`; elsewhere it is a comment.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import field

from geode.diagnostics import Sink
from geode.record import dataclass
from geode.source import Source, Span
from geode.syntax.token import Token, TokenKind

_SPACE = " \t\r\n\f\v"
_SPACES = re.compile(r"[ \t\r\n\f\v]*")
_WORD = re.compile(r"[^ \t\r\n\f\v]+")
_COMMENT_CLOSE = re.compile(r"(?<![^ \t\r\n\f\v])\)(?![^ \t\r\n\f\v])")
_SEMICOLON = re.compile(r"(?<=[ \t]);(?![^ \t\r\n\f\v])")
_BYTE_ORDER_MARK = "\ufeff"


def text_to_tokens(source: Source, sink: Sink) -> tuple[Token, ...]:
    """All tokens of `source`. Mistakes (GS102 to GS106) go to `sink`; the tokens around them are still there."""
    lexer = _Lexer(source, sink)
    text, at = source.text, 0
    if text.startswith(_BYTE_ORDER_MARK):
        at = 1
    while True:
        at = _skip_spaces(text, at)
        if at >= len(text):
            return tuple(lexer.tokens)
        if text[at] == '"':
            at = lexer.string(at)
            continue
        end = _word_end(text, at)
        word = text[at:end]
        if word == "\\":
            at = source.line_bounds(at)[1]
        elif word == "(" and not lexer.signature_may_start():
            at = lexer.comment(at)
        else:
            at = lexer.word(at, end)


def _skip_spaces(text: str, at: int) -> int:
    match = _SPACES.match(text, at)
    return match.end() if match else at


def _word_end(text: str, at: int) -> int:
    match = _WORD.match(text, at)
    return match.end() if match else at


@dataclass(slots=True)
class _Lexer:
    """The tokens so far, and whether a signature is open."""

    source: Source
    sink: Sink
    tokens: list[Token] = field(default_factory=list)
    in_signature: bool = False
    no_more_closings: bool = False  # no `)` stands behind this place: looked for once

    def signature_may_start(self) -> bool:
        """True directly after `: NAME`."""
        if len(self.tokens) < 2:
            return False
        colon, name = self.tokens[-2:]
        # In `: : (` the second colon is a name, and in `: A : (` too few words for the third to be anything but one.
        return colon.is_word(":") and name.kind is TokenKind.WORD and name.text not in (":", ";")

    def word(self, start: int, end: int) -> int:
        """Takes the word from `start` to `end`, or its part before an invisible character; gives where to go on."""
        text = self.source.text[start:end]
        plain = text.isascii() and text.isprintable()  # nearly all are
        bad = None if plain else next((i for i, c in enumerate(text) if _is_invisible(c)), None)
        if bad is not None:
            self._invisible(start + bad)
            if bad > 0:
                self.word(start, start + bad)
            return start + bad + 1
        kind = TokenKind.WORD
        if text == "(":
            kind, self.in_signature = TokenKind.SIGNATURE_OPEN, True
        elif text == ")" and self.in_signature:
            kind, self.in_signature = TokenKind.SIGNATURE_CLOSE, False
        elif text in (":", ";"):
            self.in_signature = False
        self.tokens.append(Token(kind, text, Span(self.source, start, end)))
        return end

    def comment(self, start: int) -> int:
        """Skips a comment that starts at `start`; gives where to go on."""
        match = None if self.no_more_closings else _COMMENT_CLOSE.search(self.source.text, start + 1)
        if match is not None:
            return match.end()
        self.no_more_closings = True
        self.sink.error(
            "GS104",
            "this comment is never closed",
            Span(self.source, start, start + 1),
            help="a comment that starts with `(` ends at the next `)` that stands alone, with white space around it",
        )
        return self._resume(start)

    def string(self, start: int) -> int:
        """Reads the string whose quote is at `start`; gives where to go on."""
        text, source = self.source.text, self.source
        line_end = source.line_bounds(start)[1]
        value: list[str] = []
        at = start + 1
        while at < line_end and text[at] != '"':
            char = text[at]
            if char == "\\" and at + 1 < line_end:
                at += 1
                if text[at] not in '"\\':
                    self._unknown_escape(at)
                char = text[at]
            elif _is_invisible(char) and unicodedata.category(char) == "Cc" and char not in "\t\r":
                self._invisible(at)
            value.append(char)
            at += 1
        if at >= line_end:
            resume = self._resume(start)
            end = max(start + 1, start + len(text[start:resume].rstrip(_SPACE)))
            self.sink.error(
                "GS102",
                "this string is never closed",
                Span(source, start, end),
                help='a string ends with `"` on the line where it starts',
            )
            self.tokens.append(Token(TokenKind.STRING, text[start + 1 : end], Span(source, start, end)))
            return resume
        at += 1
        self.tokens.append(Token(TokenKind.STRING, "".join(value), Span(source, start, at)))
        end = _word_end(text, at)
        if end > at:
            self.sink.error(
                "GS105",
                f"`{text[at:end]}` touches the string before it",
                Span(source, at, end),
                help='put white space after the closing `"`; a quote inside a string is written `\\"`',
            )
        return end

    def _resume(self, start: int) -> int:
        """Where to go on behind something at `start` that is never closed: at a `;` on its line, else at its end."""
        line_end = self.source.line_bounds(start)[1]
        match = _SEMICOLON.search(self.source.text, start + 1, line_end)
        return match.start() if match else line_end

    def _unknown_escape(self, at: int) -> None:
        self.sink.error(
            "GS103",
            f"`\\{self.source.text[at]}` is no escape",
            Span(self.source, at - 1, at + 1),
            help='the escapes are `\\"` and `\\\\`; a backslash is written `\\\\`',
        )

    def _invisible(self, at: int) -> None:
        char = self.source.text[at]
        name = unicodedata.name(char, "a control character")
        self.sink.error(
            "GS106",
            f"the character U+{ord(char):04X} ({name}) cannot be seen here",
            Span(self.source, at, at + 1),
            help="write an ordinary space, or take it out",
        )


def _is_invisible(char: str) -> bool:
    """True for control and format characters and for white space other than ASCII's."""
    return unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp") and char != " "
