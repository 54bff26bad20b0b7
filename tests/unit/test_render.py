"""Diagnostics render as a place, the line, carets, and what applies."""

from __future__ import annotations

import re

import pytest

from geode.diagnostics import CompileErrors, Diagnostic, InternalError, Sink
from geode.render import render
from geode.source import Source, Span

SOURCE = Source("dir/x.gs", "\\ one\n\t: F ( r -- r ) LINAER ;\r\n\n: 世界 é e\u0301 X ;\n")


def span_of(text: str, source: Source = SOURCE) -> Span:
    """The place of `text` in `source`."""
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def test_everything_that_applies_is_printed_in_order() -> None:
    """Everything that applies is printed in order."""
    diagnostic = Diagnostic(
        "GS301",
        "the word leaves another type than it declares",
        span_of("LINAER"),
        stack="r:b:100 n",
        wanted="r:100",
        declared="r -- r",
        inferred="( r -- r r )",
        help="first\nsecond",
        trail=(("FORWARD", span_of("F")), ("MAIN", span_of("世界"))),
        notes=(("see here", span_of("one")), ("and know this", None)),
    )
    assert render([diagnostic], colour=False) == (
        "dir/x.gs:2:17: error GS301: the word leaves another type than it declares\n"
        "\t: F ( r -- r ) LINAER ;\n"
        "\t               ^^^^^^\n"
        "  stack:   r:b:100 n\n"
        "  wanted:  r:100\n"
        "  declared ( r -- r )\n"
        "  inferred ( r -- r r )\n"
        "  help: first\n"
        "        second\n"
        "  note: see here, at dir/x.gs:1:3\n"
        "  note: and know this\n"
        "  in FORWARD at dir/x.gs:2:4\n"
        "  in MAIN at dir/x.gs:4:3\n"
        "1 error\n"
    )


def test_an_empty_stack_and_an_empty_effect_are_shown() -> None:
    """An empty stack and an empty effect are shown."""
    text = render([Diagnostic("GS301", "m", None, stack="", declared="--")], colour=False)
    assert text == "error GS301: m\n  stack:\n  declared ( -- )\n1 error\n"


def test_carets_stand_under_wide_and_combining_characters() -> None:
    """Carets stand under wide and combining characters."""
    lines = render(
        [Diagnostic("GS201", "m", span_of("世界")), Diagnostic("GS201", "m", span_of("X"))], False
    ).splitlines()
    assert lines[2] == "  ^^^^"
    # `: ` 2, two wide characters 4, ` é ` 3, `e` with its accent 1, a space 1.
    assert lines[5] == " " * 11 + "^"


def test_a_place_at_the_end_of_the_text_has_one_caret() -> None:
    """A place at the end of the text has one caret."""
    source = Source("t.gs", ": F")
    assert render([Diagnostic("GS118", "m", Span(source, 3, 3))], False).splitlines()[1:3] == [": F", "   ^"]


def test_a_span_over_lines_is_marked_on_its_first() -> None:
    """A span over lines is marked on its first."""
    source = Source("t.gs", "ab cd\nef")
    assert render([Diagnostic("GS118", "m", Span(source, 3, 8))], False).splitlines()[1:3] == ["ab cd", "   ^^"]


def test_of_a_long_line_the_surroundings_are_shown() -> None:
    """Of a long line the surroundings are shown."""
    source = Source("t.gs", "x" * 1000 + " HERE " + "y" * 1000)
    line, carets = render([Diagnostic("GS201", "m", span_of("HERE", source))], False).splitlines()[1:3]
    assert len(line) < 160
    assert line[carets.index("^") : carets.rindex("^") + 1] == "HERE"


def test_nothing_in_the_text_steers_the_terminal() -> None:
    """Nothing in the text steers the terminal."""
    source = Source("a\x1b.gs", "\x1b[31m \u202e X\n")
    text = render([Diagnostic("GS201", "bad \x1b[2J\u202e", span_of("X", source), help="\x07")], False)
    assert re.fullmatch(r"[^\x00-\x09\x0b-\x1f\x7f\u202e]*", text)


def test_colours_change_nothing_but_colours() -> None:
    """Colours change nothing but colours."""
    diagnostics = [
        Diagnostic("GS201", "m", span_of("LINAER"), stack="r", help="h", trail=(("F", span_of("F")),)),
        Diagnostic("GS299", "w", span_of("F"), severity="warning"),
    ]
    coloured = render(diagnostics, colour=True)
    assert "\x1b[1;31merror GS201:\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(diagnostics, colour=False)


def test_the_last_line_counts() -> None:
    """The last line counts."""
    error = Diagnostic("GS201", "m", None)
    warning = Diagnostic("GS299", "m", None, severity="warning")
    assert render([], False) == ""
    assert render([error, error], False).splitlines()[-1] == "2 errors"
    assert render([error, warning, warning], False).splitlines()[-1] == "1 error, 2 warnings"
    assert render([warning], False).splitlines()[-1] == "1 warning"


def test_a_sink_sorts_by_place_and_drops_repetitions() -> None:
    """A sink sorts by place and drops repetitions."""
    sink = Sink()
    for text in ("LINAER", "one", "LINAER"):
        sink.error("GS201", "m", span_of(text))
    sink.error("GS601", "m", None)
    assert [d.span.text if d.span else None for d in sink.diagnostics] == [None, "one", "LINAER"]
    with pytest.raises(CompileErrors) as raised:
        sink.fail_if_any()
    assert raised.value.diagnostics == sink.diagnostics


def test_warnings_alone_do_not_fail() -> None:
    """Warnings alone do not fail."""
    sink = Sink()
    sink.add(Diagnostic("GS299", "m", None, severity="warning"))
    sink.fail_if_any()
    assert len(sink) == 1
    assert not sink.has_errors


def test_an_internal_error_carries_its_code() -> None:
    """An internal error carries its code."""
    assert (InternalError("m").code, str(InternalError("m"))) == ("GS901", "GS901: m")
