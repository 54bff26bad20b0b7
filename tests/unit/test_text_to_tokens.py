"""Text becomes tokens with exact spans, and what is never closed ends with its line."""

from __future__ import annotations

import pytest

from geode.diagnostics import CompileErrors
from geode.source import Source, Span
from geode.syntax.file_to_text import bytes_to_text, file_to_text
from geode.syntax.token import TokenKind
from tests.harness.front_end import lex, places


def spelt(text: str) -> list[str]:
    """The tokens of `text`, which has no mistakes, as written."""
    tokens, diagnostics = lex(text)
    assert diagnostics == ()
    return [token.span.text for token in tokens]


def test_white_space_alone_separates_tokens() -> None:
    """White space alone separates tokens."""
    assert spelt(" a\tb\r\nc\fd\ve  ") == ["a", "b", "c", "d", "e"]
    assert spelt("") == []


def test_a_backslash_comment_needs_its_space_and_ends_with_the_line() -> None:
    """A backslash comment needs its space and ends with the line."""
    assert spelt("a \\ b c\nd \\\ne \\f") == ["a", "d", "e", "\\f"]


def test_a_parenthesis_is_a_signature_only_after_a_definitions_name() -> None:
    """A parenthesis is a signature only after a definitions name."""
    tokens, _ = lex(": F ( r ( the input ) -- r ) ( why ) ( r -- r ) DUP ;")
    assert [token.span.text for token in tokens] == [":", "F", "(", "r", "--", "r", ")", "DUP", ";"]
    assert [t.kind for t in tokens][2:7:4] == [TokenKind.SIGNATURE_OPEN, TokenKind.SIGNATURE_CLOSE]


def test_a_comment_may_stand_between_the_name_and_the_signature() -> None:
    """A comment may stand between the name and the signature."""
    tokens, diagnostics = lex(": F \\ what it does\n  ( r -- r ) ;")
    assert diagnostics == ()
    assert tokens[2].kind is TokenKind.SIGNATURE_OPEN


def test_shared_in_parentheses_is_a_word() -> None:
    """Shared in parentheses is a word."""
    assert spelt("['] F (SHARED)") == ["[']", "F", "(SHARED)"]


def test_a_comment_ends_only_at_a_parenthesis_that_stands_alone() -> None:
    """A comment ends only at a parenthesis that stands alone."""
    assert spelt("( a) (b) )c ) d") == ["d"]


def test_escapes_are_resolved_in_the_token_and_kept_in_the_span() -> None:
    """Escapes are resolved in the token and kept in the span."""
    (token,), diagnostics = lex(r'"a \"b\" \\ c ( d ; \\"')
    assert diagnostics == ()
    assert token.text == 'a "b" \\ c ( d ; \\'
    assert token.span.text == r'"a \"b\" \\ c ( d ; \\"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"abc', [("GS102", '"abc')]),
        ('"abc\n"', [("GS102", '"abc'), ("GS102", '"')]),
        ('"abc ; x', [("GS102", '"abc')]),
        ('"abc\\"', [("GS102", '"abc\\"')]),
        ('"a\\n"', [("GS103", "\\n")]),
        ("( a", [("GS104", "(")]),
        ('"a"b', [("GS105", "b")]),
        ('"a""b"', [("GS105", '"b"')]),
        ("a\u00a0b", [("GS106", "\u00a0")]),
        ("\x00", [("GS106", "\x00")]),
        ('"\x1b[0m"', [("GS106", "\x1b")]),
    ],
)
def test_mistakes_are_marked_exactly(text: str, expected: list[tuple[str, str]]) -> None:
    """Mistakes are marked exactly."""
    assert places(lex(text)[1]) == expected


def test_an_invisible_character_separates_the_words_around_it() -> None:
    """An invisible character separates the words around it."""
    tokens, _ = lex("DUP\u00a0\u200bDROP")
    assert [token.text for token in tokens] == ["DUP", "DROP"]


def test_a_string_that_is_never_closed_leaves_the_semicolon() -> None:
    """A string that is never closed leaves the semicolon."""
    tokens, _ = lex('"abc ; SHARED\nDUP')
    assert [token.text for token in tokens] == ["abc", ";", "SHARED", "DUP"]


def test_letters_of_any_alphabet_may_stand_in_names_and_strings() -> None:
    """Letters of any alphabet may stand in names and strings."""
    assert spelt('größe 世界 "a\u00a0b é"') == ["größe", "世界", '"a\u00a0b é"']


def test_lines_and_columns_count_from_one_in_code_points() -> None:
    """Lines and columns count from one in code points."""
    source = Source("t.gs", "é世\n\tab\n\nc")
    assert [source.position(i) for i in (0, 1, 2, 3, 4, 6, 7, 8, 9, 99)] == [
        *((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 4), (3, 1), (4, 1), (4, 2), (4, 2))
    ]
    assert source.line_bounds(4) == (3, 6)
    assert Span(source, 8, 9).place() == "t.gs:4:1"


def test_a_files_bytes_become_plain_text() -> None:
    """A files bytes become plain text."""
    assert bytes_to_text("t.gs", b"\xef\xbb\xbfa\r\nb\n").text == "a\nb\n"


@pytest.mark.parametrize(
    ("data", "place", "byte"),
    [
        (b"\xff", "t.gs:1:1", "byte 0 of the file, 0xff"),
        (b"ab\r\n\xc3\xa9 \xc3(", "t.gs:2:3", "byte 7 of the file, 0xc3"),
        (b"\xef\xbb\xbfa\xe2\x82", "t.gs:1:2", "byte 4 of the file, 0xe2"),
    ],
)
def test_what_is_not_utf8_is_told_with_its_byte(data: bytes, place: str, byte: str) -> None:
    """What is not utf8 is told with its byte."""
    with pytest.raises(CompileErrors) as raised:
        bytes_to_text("t.gs", data)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "GS101"
    assert diagnostic.span is not None
    assert diagnostic.span.place() == place
    assert diagnostic.message.startswith(byte)


@pytest.mark.parametrize("path", ["no/such/file.gs", ".", "a\x00b"])
def test_a_file_that_cannot_be_read_is_an_error_not_an_exception_of_python(path: str) -> None:
    """A file that cannot be read is an error not an exception of python."""
    with pytest.raises(CompileErrors) as raised:
        file_to_text(path)
    assert [d.code for d in raised.value.diagnostics] == ["GS107"]
