"""Diagnostics -> text for a terminal or a log.

In: diagnostics, sorted. Out: for each `FILE:LINE:COL: error CODE: message`, the source line, carets under the place,
and what applies of stack, wanted, declared, inferred, help, notes and the chain of calls; last a line that counts them.
Invariant: without the colours, the text is the same with and without them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from geode.diagnostics import Diagnostic
from geode.source import Span

_LONGEST_LINE = 160
_TRAIL_ENDS = 6  # calls shown at either end of a longer chain
_CONTEXT = 60  # characters shown on either side of the place in a longer line

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "caret": "\x1b[1;32m", "label": "\x1b[36m"}


def render(diagnostics: Sequence[Diagnostic], colour: bool) -> str:
    """The whole report, with a line feed at its end; nothing at all for no diagnostics. `colour` adds ANSI colours."""
    if not diagnostics:
        return ""
    lines: list[str] = []
    for diagnostic in diagnostics:
        lines.extend(_render_one(diagnostic, colour))
    lines.append(_count(diagnostics))
    return "\n".join(lines) + "\n"


def _render_one(diagnostic: Diagnostic, colour: bool) -> Iterable[str]:
    paint = _paint if colour else _plain
    kind = paint(f"{diagnostic.severity} {diagnostic.code}:", diagnostic.severity)
    place = "" if diagnostic.span is None else f"{_visible(diagnostic.span.place())}: "
    bold, reset = (_BOLD, _RESET) if colour else ("", "")
    yield f"{bold}{place}{reset}{kind} {bold}{_visible(diagnostic.message)}{reset}"
    if diagnostic.span is not None and diagnostic.span.source.text:
        line, carets = excerpt(diagnostic.span)
        yield line.rstrip()
        yield carets.replace("^" * carets.count("^"), paint("^" * carets.count("^"), "caret"))
    for label, value in (
        ("stack:  ", diagnostic.stack),
        ("wanted: ", diagnostic.wanted),
        ("declared", diagnostic.declared),
        ("inferred", diagnostic.inferred),
    ):
        if value is not None:
            wrapped = label.endswith("ed") and not value.startswith("(")
            text = f"( {value.strip()} )" if wrapped else value
            yield f"  {paint(label, 'label')} {_visible(text)}".rstrip()
    if diagnostic.help is not None:
        first, *rest = diagnostic.help.split("\n")
        yield f"  {paint('help:', 'label')} {_visible(first)}"
        yield from (f"        {_visible(line)}" for line in rest)
    for message, span in diagnostic.notes:
        where = "" if span is None else f", at {_visible(span.place())}"
        yield f"  {paint('note:', 'label')} {_visible(message)}{where}"
    for number, (word, span) in enumerate(diagnostic.trail):
        left_out = len(diagnostic.trail) - 2 * _TRAIL_ENDS
        if left_out <= 1 or not _TRAIL_ENDS <= number < len(diagnostic.trail) - _TRAIL_ENDS:
            yield f"  {paint('in', 'label')} {_visible(word)} {paint('at', 'label')} {_visible(span.place())}"
        elif number == _TRAIL_ENDS:
            yield f"  … {left_out} more calls …"


def excerpt(span: Span) -> tuple[str, str]:
    """The source line on which `span` starts, and a line with carets under it.

    Of a long line only the surroundings are shown.
    Tabs are kept in both, so that the carets stand right at any tab width; a wide character counts as two columns.
    """
    source = span.source
    start, end = source.line_bounds(span.start)
    line = source.text[start:end].rstrip("\r")
    before = line[: span.start - start]
    marked = line[span.start - start : max(span.end, span.start + 1) - start]
    if len(line) > _LONGEST_LINE:
        behind = line[len(before) + len(marked) :]
        before = before if len(before) <= _CONTEXT else "…" + before[-_CONTEXT:]
        marked = marked if len(marked) <= _CONTEXT else marked[:_CONTEXT] + "…"
        behind = behind if len(behind) <= _CONTEXT else behind[:_CONTEXT] + "…"
        line = before + marked + behind
    pad = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    return _visible(line), pad + "^" * max(1, sum(map(_columns, marked)))


def _columns(char: str) -> int:
    """How many terminal columns `char` takes as `_visible` prints it."""
    if char == "\ufeff" or unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _visible(text: str) -> str:
    """`text` without anything that would steer a terminal."""
    return "".join(_visible_char(char) for char in text)


def _visible_char(char: str) -> str:
    if char in ("\t", " ") or char.isprintable():
        return char
    return "" if char == "\ufeff" else "\ufffd"


def _count(diagnostics: Sequence[Diagnostic]) -> str:
    parts = []
    for severity in ("error", "warning"):
        number = sum(1 for d in diagnostics if d.severity == severity)
        if number:
            parts.append(f"{number} {severity}{'' if number == 1 else 's'}")
    return ", ".join(parts)


def _paint(text: str, role: str) -> str:
    return f"{_COLOURS[role]}{text}{_RESET}"


def _plain(text: str, role: str) -> str:  # noqa: ARG001 -- stands where _paint stands
    return text
