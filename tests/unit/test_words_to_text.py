"""Words print in one canonical way."""

from __future__ import annotations

import pytest

from geode.syntax.word import Definition
from geode.syntax.words_to_text import definition_to_text, item_to_text, words_to_text
from tests.harness.front_end import body_of, parse


def printed(text: str) -> str:
    """`text`, which has no mistakes, in its canonical form."""
    program, diagnostics = parse(text)
    assert diagnostics == ()
    return words_to_text(program)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":  F\n( x:r   -- r ) ( why )\n DUP\t* ; \\ square\n SHARED", ": F ( x:r -- r ) DUP * ; SHARED\n"),
        (": F ( -- ) ;", ": F ( -- ) ;\n"),
        ("1_000 2 *   CONSTANT K", "1000 2 * CONSTANT K\n"),
        ('"a\\"b\\\\" CONSTANT S', '"a\\"b\\\\" CONSTANT S\n'),
        ("['] F   (SHARED)", "['] F (SHARED)\n"),
        ('INCLUDE   "a b.gs"\nINCLUDE <nn>', 'INCLUDE "a b.gs"\nINCLUDE <nn>\n'),
        (
            ": F ( r:b:* <layer> f:2:k -- ) { a } TO a r r:2:k -1.50 ;",
            ": F ( r:b:* <layer> f:2:k -- ) { a } TO a r r:2:k -1.50 ;\n",
        ),
        ("", ""),
    ],
)
def test_one_line_forms(text: str, expected: str) -> None:
    """One line forms."""
    assert printed(text) == expected


def test_a_blank_line_stands_around_definitions_of_several_lines() -> None:
    """A blank line stands around definitions of several lines."""
    long = " ".join(["DUP"] * 40)
    text = printed(f": A ( -- ) ; : B ( -- ) {long} ; : C ( -- ) ; : D ( -- ) ;")
    blocks = text.split("\n\n")
    assert [block.split()[1] for block in blocks] == ["A", "B", "C"]
    assert blocks[2] == ": C ( -- ) ;\n: D ( -- ) ;\n"


def test_lines_stay_within_a_hundred_columns_where_words_allow() -> None:
    """Lines stay within a hundred columns where words allow."""
    body = "x 0 > IF " + "one-word " * 30 + "ELSE DO " + "other " * 30 + "LOOP THEN"
    text = definition_to_text(body_of(f": F ( x:r -- r ) {body} ;"))
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[0] == ": F ( x:r -- r )"
    assert text.endswith(" ;")
    assert printed(text) == text + "\n"


def test_a_word_longer_than_a_line_stands_alone() -> None:
    """A word longer than a line stands alone."""
    string = '"' + "x" * 150 + '"'
    text = definition_to_text(body_of(f": F ( -- ) 1 {string} 2 ;"))
    assert text == f": F ( -- )\n  1\n  {string}\n  2 ;"


def test_item_to_text_prints_what_the_program_prints() -> None:
    """Item to text prints what the program prints."""
    program, _ = parse("8 CONSTANT K : F ( -- ) K ;")
    assert "".join(item_to_text(item) + "\n" for item in program.items) == words_to_text(program)
    assert isinstance(program.items[1], Definition)
