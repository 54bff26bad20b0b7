"""Every name is known, and one that is not is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.codes import CODES
from geode.names import did_you_mean, edit_distance, near_misses
from geode.pipeline import check_program
from geode.source import Source
from geode.syntax.check_names import SYNTAX_WORDS
from geode.syntax.forth_words import INSTEAD
from geode.syntax.other_names import NAMES, other_name
from tests.harness.front_end import checked, places
from tests.harness.stages import BUILTINS

MAIN = " : MAIN ( -- ) ;"


def found(text: str) -> list[tuple[str, str]]:
    """The code and marked text of each mistake in `text`, which has a MAIN put behind it."""
    return places(checked(text + MAIN))


def help_of(text: str) -> str | None:
    """The help of the one mistake in `text`."""
    (diagnostic,) = checked(text + MAIN)
    return diagnostic.help


@pytest.mark.parametrize(
    "text",
    [
        "8 CONSTANT K K 2* CONSTANT L : F ( r:K r:k -- r:L ) { k } K L k r:K r:L r:k ;",
        ": F ( r:k -- n ) k ; : G ( -- ) ['] F ['] RELU DROP DROP ;",
        ": F ( r -- r ) ; : G ( r -- r ) { F } F TO F F ;",
        ": F ( -- ) IF { a } a ELSE { a } a THEN { a } a ;",
        ": F ( -- ) BEGIN { a } a WHILE a TO a REPEAT 9 0 DO { a } I a IF I LEAVE THEN 3 0 DO J LOOP LOOP ;",
        ": F ( -- ) ; SHARED ['] F (SHARED)",
        ": F ( größe:r:größe -- ) { GRÖSSE } größe GRÖSSE ;",
    ],
)
def test_right_programs_pass(text: str) -> None:
    """Right programs pass."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (": F ( -- ) G ; : G ( -- ) F ;", [("GS202", "G")]),
        (": F ( -- ) ['] G ; : G ( -- ) ;", [("GS202", "G")]),
        ("['] G (SHARED) : G ( -- ) ;", [("GS202", "G")]),
        ("X CONSTANT X", [("GS202", "X")]),
        ("1 CONSTANT DUP : THEN ( -- ) ; : TO ( -- ) ;", [("GS203", "DUP"), ("GS203", "THEN"), ("GS203", "TO")]),
        ("1 CONSTANT A : A ( -- ) ; 2 CONSTANT A", [("GS204", "A"), ("GS204", "A")]),
        (": F ( -- ) F ; : F ( -- ) F ;", [("GS205", "F"), ("GS204", "F"), ("GS205", "F")]),
        (": F ( -- ) { F } F ;", []),
        (": F ( -- ) { a } IF { a } THEN ;", [("GS207", "a")]),
        (": F ( -- ) 1 0 DO { a } LOOP a ;", [("GS201", "a")]),
        (": F ( -- ) BEGIN { a } WHILE REPEAT a ;", [("GS201", "a")]),
        (": F ( -- ) { a } ; : G ( -- ) a ;", [("GS201", "a")]),
        (": F ( r:k -- ) ; : G ( -- ) k ;", [("GS201", "k")]),
        (": F ( -- ) { I J E } ;", [("GS208", "I"), ("GS208", "J"), ("GS208", "E")]),
        ("1 CONSTANT K : F ( r:k -- ) TO k TO K TO F TO G ;", [("GS209", name) for name in ("k", "K", "F", "G")]),
        ("1 CONSTANT K ['] K (SHARED) ['] DUP (SHARED)", [("GS210", "K"), ("GS210", "DUP")]),
        (": F ( r:K -- ) ; 1 CONSTANT K", [("GS202", "r:K")]),
        (": G ( -- ) ; : F ( r:G -- ) r:F ;", [("GS211", "r:G"), ("GS211", "r:F")]),
        (": F ( -- ) ['] IF ['] CONSTANT ;", [("GS212", "IF"), ("GS212", "CONSTANT")]),
        (": F ( -- ) I 1 0 DO J LOOP BEGIN LEAVE TRUE UNTIL ;", [("GS405", "I"), ("GS405", "J"), ("GS405", "LEAVE")]),
        ("TARGET-CPU TARGET-CPU", [("GS127", "TARGET-CPU")]),
    ],
)
def test_mistakes_are_marked_exactly(text: str, expected: list[tuple[str, str]]) -> None:
    """Mistakes are marked exactly."""
    assert found(text) == expected


def test_main_is_missing() -> None:
    """Main is missing."""
    assert places(checked("")) == [("GS601", "")]
    assert places(checked("TARGET-CPU")) == [("GS601", "TARGET-CPU")]
    assert places(checked(": F ( -- ) ;")) == [("GS601", "F")]
    assert places(checked("1 CONSTANT MAIN")) == [("GS601", "1 CONSTANT MAIN")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LINAER", "did you mean `LINEAR`?"),
        ("dup", "did you mean `DUP`? Case matters"),
        ("Relu", "did you mean `RELU`? Case matters"),
        ("SOFTMX", "did you mean `SOFTMAX`?"),
        ("EUCLIDEAN-LOSS", "did you mean `LOSS-EUCLIDEAN`?"),
        ("\\x", "a comment starts with `\\` and a space"),
        ("12abc", "numbers are written `42`, `-7`, `1_000`, `0.01`, `.5`, `1e-3`"),
        ("qwertyuiop", None),
    ],
)
def test_an_unknown_word_gets_the_help_that_fits(name: str, expected: str | None) -> None:
    """An unknown word gets the help that fits."""
    assert help_of(f": F ( -- ) {name} ;") == expected


@pytest.mark.parametrize("name", sorted(INSTEAD))
def test_each_word_of_forth_says_how_to_write_it(name: str) -> None:
    """The table's names are no built-in words, and using one names the way to write it here."""
    assert name not in BUILTINS | SYNTAX_WORDS
    if name in ("{", "--"):
        return
    (diagnostic,) = checked(f": F ( -- ) {name} ;{MAIN}")
    assert diagnostic.code == ("GS205" if name == "RECURSE" else "GS206")
    assert diagnostic.help == INSTEAD[name]


FORTH = [
    word
    for line in (Path(__file__).parents[1] / "data" / "forth_words.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("# ") or line.startswith("# #")
    for word in line.split()
]


def test_every_standard_word_of_forth_is_a_word_here_or_gets_advice() -> None:
    """A word of the standard that Geode has, or an answer that says how to write it: none is merely unknown."""
    assert len(FORTH) > 300
    silent = [word for word in FORTH if word not in BUILTINS | SYNTAX_WORDS | {"(", "\\"} and word not in INSTEAD]
    assert silent == []


def test_words_named_in_help_texts_exist() -> None:
    """What stands in backquotes in the advice is made of built-in words, names in lower case and literals."""
    for text in INSTEAD.values():
        for quoted in text.split("`")[1::2]:
            for token in quoted.split():
                known = token in BUILTINS | SYNTAX_WORDS or not any(c.isupper() for c in token)
                assert known or token in ("NAME", "F", '"text"'), (text, token)


@pytest.mark.parametrize(
    "code", [code for code in CODES if CODES[code].example and code not in ("GS107", "GS128", "GS611")]
)
def test_the_example_of_each_code_of_the_front_end_fails_with_it(code: str) -> None:
    """The example of each code of the front end fails with it."""
    if (code[2] not in "124" and code != "GS601") or "GS405" < code < "GS500":
        pytest.skip("reported by a later stage, whose tests run its example")
    assert code in {d.code for d in checked(CODES[code].example or "")}


def test_syntax_words_are_part_of_the_languages_list() -> None:
    """Syntax words are part of the languages list."""
    assert SYNTAX_WORDS <= BUILTINS


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("", "", 0),
        ("AB", "AB", 0),
        ("AB", "BA", 1),
        ("LINAER", "LINEAR", 1),
        ("KITTEN", "SITTING", 3),
        ("AB", "ABCDE", 3),
    ],
)
def test_edit_distance(a: str, b: str, distance: int) -> None:
    """Edit distance."""
    assert edit_distance(a, b, 3) == distance
    assert edit_distance(b, a, 3) == distance
    assert edit_distance(a, b, distance - 1) is None or distance == 0


def test_near_misses_do_not_depend_on_the_order_of_names() -> None:
    """Near misses do not depend on the order of names."""
    known = ["LINEAR", "LINO", "LONE", "LINE"]
    assert near_misses("LINX", known) == near_misses("LINX", reversed(known)) == ["LINE", "LINO"]
    assert did_you_mean("LINX", known) == "did you mean `LINE` or `LINO`?"
    assert did_you_mean("ZZZ", known) is None


def test_names_of_other_frameworks_have_one_answer_and_name_words_that_there_are() -> None:
    """None is a word of Geode or of the table of Forth's; what stands in backquotes is a program's text of known words."""
    assert not NAMES & (BUILTINS | SYNTAX_WORDS | set(INSTEAD))
    for name in NAMES:
        for text in re.findall(r"`([^`]+)`", other_name(name) or ""):
            words = [word for word in text.split() if word.isupper() or "-" in word]
            assert all(word in BUILTINS or re.match(r'[0-9"]', word) for word in words), text


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_target_may_stand_anywhere_outside_definitions(place: int) -> None:
    """First, between definitions or last: it holds for the whole program."""
    items = [
        ": OBJECTIVE ( r:4 -- r ) 1 LINEAR TRAINABLE SUM ;",
        ': MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;',
    ]
    items.insert(place, "TARGET-CUDA")
    assert check_program(Source("target.gs", "\n".join(items))).target == "TARGET-CUDA"
