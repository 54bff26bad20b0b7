"""`geode fmt`: the same tokens, the same comments, and nothing left to do the second time.

For longer: `GEODE_RANDOM=5000 pytest tests/properties/test_format.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from geode.cli import run_command_line
from geode.diagnostics import CompileErrors, Sink
from geode.source import Source
from geode.syntax.format_text import format_text
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.token import TokenKind
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.word import Program
from tests.harness.case_file import find_cases
from tests.harness.generate import MAIN, VALID
from tests.harness.native import ROOT
from tests.harness.random_count import one_by_default, seeds

EXAMPLES = sorted([*(ROOT / "examples").glob("*.gs"), *(ROOT / "geode" / "vocabulary" / "library").glob("*.gs")])
TEXTS = [*(text + MAIN for text in VALID), *(path.read_text(encoding="utf-8") for path in EXAMPLES)]
GAPS = (
    " ",
    "  ",
    "   ",
    "\t",
    " \t ",
    "\n",
    "\n    ",
    " \n\n\n",
    "\r\n",
    "\n\t",
    " \\ to the end ( of it\n",
    " ( a  b )\n ",
)
COMMENTS = ("\n( two  \n\n\n      lines ) ", " \\ x\n\\ y )\n")


def parsed(text: str) -> Program:
    """The words of a text without mistakes."""
    source, sink = Source("t.gs", text), Sink()
    program = tokens_to_words(text_to_tokens(source, sink), source, sink)
    assert sink.diagnostics == ()
    return program


def scattered(random: Random, text: str) -> str:
    """The tokens of a text with other white space, and comments, between them."""
    tokens = text_to_tokens(Source("t.gs", text), Sink())
    parts = [random.choice(("", "\ufeff", "\n\n", "\\ first\n"))]
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        opens = after is not None and after.kind is TokenKind.SIGNATURE_OPEN
        parts += [token.span.text, random.choice(GAPS[:10] if opens else GAPS + COMMENTS)]
    return "".join(parts)


def comments(text: str) -> list[str]:
    """The comments in order, blanks at line ends gone."""
    source = Source("t.gs", text)
    found, end = [], 0
    for token in (*text_to_tokens(source, Sink()), None):
        gap = source.text[end : token.span.start if token is not None else None]
        found += [part.rstrip() for part in re.sub("[\r\ufeff]", "", gap).split("\n") if part.strip()]
        end = token.span.end if token is not None else end
    return [part.strip() for part in found]


def check(text: str) -> str:
    """The text laid out, which has the properties that every one has."""
    new = format_text(Source("t.gs", text))
    assert parsed(new) == parsed(text)
    assert comments(new) == comments(text)
    assert format_text(Source("t.gs", new)) == new
    assert new.endswith("\n")
    assert not re.search(r"[ \t\r]\n", new)
    return new


@pytest.mark.parametrize("first", one_by_default(seeds(150, step=50)))
def test_any_layout_becomes_the_same_words_and_comments(first: int) -> None:
    """Programs with white space and comments put anywhere between tokens."""
    for seed in range(first, first + 50):
        random = Random(seed)
        check(scattered(random, random.choice(TEXTS)))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_programs_of_the_repository_are_laid_out(path: Path) -> None:
    """The formatter has nothing to do."""
    text = path.read_text(encoding="utf-8")
    assert check(text) == text


@pytest.mark.parametrize("path", find_cases(), ids=lambda path: path.stem)
def test_case_files_keep_their_words_or_are_refused(path: Path) -> None:
    """A text with mistakes is refused, any other keeps its words."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    try:
        check(text)
    except CompileErrors as errors:
        assert {d.code[:3] for d in errors.diagnostics} <= {"GS1", "GS4"}  # noqa: PT017 -- either way is right


def test_levels_are_indented_two_spaces_each() -> None:
    """Definitions and control words; the words that divide or close one stand with the one that opened it."""
    text = """
1 CONSTANT K\t\\ one


: F ( r -- r )
DUP 0> IF   2* \\ kept   apart
ELSE
3 0 DO
1+
LOOP   \t
THEN
( a comment
that keeps its   place )
;
"""
    assert format_text(Source("t.gs", text)).splitlines() == [
        "1 CONSTANT K\t\\ one",
        "",
        ": F ( r -- r )",
        "  DUP 0> IF   2* \\ kept   apart",
        "  ELSE",
        "    3 0 DO",
        "      1+",
        "    LOOP",
        "  THEN",
        "  ( a comment",
        "that keeps its   place )",
        ";",
    ]


def test_the_command_changes_files_or_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In place, or with --check only told by status; a text with mistakes stays as it is."""
    file, wrong = tmp_path / "a.gs", tmp_path / "b.gs"
    file.write_text(": F ( r -- r )\n 2* ;  \n")
    wrong.write_text(": F ( r -- r \n")
    assert run_command_line(["fmt", "--check", str(file)]) == 1
    assert "a.gs would change" in capsys.readouterr().out
    assert run_command_line(["fmt", str(file), str(wrong)]) == 1
    out, err = capsys.readouterr()
    assert "a.gs laid out" in out
    assert "b.gs:1:" in err
    assert file.read_text() == ": F ( r -- r )\n  2* ;\n"
    assert wrong.read_text() == ": F ( r -- r \n"
    assert run_command_line(["fmt", "--check", str(file)]) == 0
