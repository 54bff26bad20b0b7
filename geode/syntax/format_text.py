"""Text -> the same text laid out: indentation, line ends and blank lines; comments and the spaces inside a line stay.

In: a `Source` without mistakes of text. Out: text that reads as the same tokens with the same comments.
Invariant: formatting what is formatted changes nothing; the order of tokens, and which line each stands on, stay.
"""

from __future__ import annotations

import re

from geode.diagnostics import Sink
from geode.source import Source
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.token import Token
from geode.syntax.tokens_to_words import tokens_to_words

_INDENT = "  "
_OPENS = (":", "IF", "DO", "?DO", "BEGIN")
_CLOSES = (";", "THEN", "LOOP", "+LOOP", "UNTIL", "REPEAT")
_MIDDLE = ("ELSE", "WHILE")
_BLANK = " \t\f\v\r"


def format_text(source: Source) -> str:
    """The text laid out: two spaces a level of definition and control word, no blanks at line ends, no two blank lines in a
    row, no tabs between tokens, one line feed at the end.

    Raises CompileErrors if the text can't be read as words; names are not looked at.
    """
    sink = Sink()
    tokens = text_to_tokens(source, sink)
    tokens_to_words(tokens, source, sink)
    sink.fail_if_any()
    levels, inside = _levels(source, tokens)
    lines: list[str] = []
    for number, line in enumerate(_without_tabs(source, tokens).removeprefix("\ufeff").split("\n")):
        text = line.rstrip(_BLANK)
        if number not in inside:
            text = _INDENT * levels[number] + text.lstrip(_BLANK) if text.lstrip(_BLANK) else ""
        if text or number in inside or (lines and lines[-1]):
            lines.append(text)
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


def _levels(source: Source, tokens: tuple[Token, ...]) -> tuple[list[int], set[int]]:
    """The level of each line, and the lines that begin inside a comment which an earlier one opened."""
    count = source.text.count("\n") + 1
    levels, inside = [0] * count, set()
    depth, line, end = 0, -1, 0
    for token in tokens:
        first = source.position(token.span.start)[0] - 1
        inside |= _inside_comments(source, end, token.span.start)
        closes = token.is_word(*_CLOSES)
        for between in range(line + 1, first):
            levels[between] = depth
        if first > line:
            levels[first] = depth - (closes or token.is_word(*_MIDDLE))
        line, end = first, token.span.end
        depth += token.is_word(*_OPENS) - closes
    return levels, inside | _inside_comments(source, end, len(source.text))


def _inside_comments(source: Source, start: int, end: int) -> set[int]:
    """The lines in a gap between tokens that begin inside a `( … )`; the other kind of comment ends with its line."""
    found: set[int] = set()
    for match in re.finditer(
        r"(?<!\S)\\(?!\S)[^\n]*|(?<!\S)\((?!\S).*?(?<!\S)\)(?!\S)", source.text[start:end], re.DOTALL
    ):
        first = source.position(start + match.start())[0]
        last = source.position(start + match.end())[0]
        found.update(range(first, last))
    return found


def _without_tabs(source: Source, tokens: tuple[Token, ...]) -> str:
    """The text with one space for each run of blanks with a tab that stands between two tokens."""
    parts: list[str] = []
    end = 0
    for token in tokens:
        gap = source.text[end : token.span.start]
        parts.append(" " if "\t" in gap and not gap.strip(_BLANK) else gap)
        parts.append(token.span.text)
        end = token.span.end
    return "".join([*parts, source.text[end:]]).replace("\r\n", "\n")
