"""Tokens become words: every form, exact spans, and several mistakes in one run."""

from __future__ import annotations

import random
import struct
from fractions import Fraction
from pathlib import Path

import pytest

from geode.diagnostics import Sink
from geode.source import Source
from geode.syntax.read_literal import to_float32
from geode.syntax.text_to_words import text_to_words
from geode.syntax.word import (
    Call,
    Constant,
    CountedLoop,
    Definition,
    If,
    Include,
    Integer,
    Locals,
    Program,
    Real,
    ShapeLiteral,
    SharedMark,
    Store,
    String,
    Target,
    Tick,
    TypeText,
    Until,
    While,
)
from geode.syntax.words_to_text import word_to_text
from tests.harness.front_end import body_of, parse, places


def literal(text: str) -> object:
    """The one word in `text`."""
    (word,) = body_of(f": F ( -- ) {text} ;").body
    return word


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        ("-7", -7),
        ("1_000", 1000),
        ("0", 0),
        ("007", 7),
        (str(2**63 - 1), 2**63 - 1),
        (str(-(2**63)), -(2**63)),
    ],
)
def test_integers(text: str, value: int) -> None:
    """Integers."""
    word = literal(text)
    assert isinstance(word, Integer)
    assert word.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("0.01", 0.01),
            ("1.", 1.0),
            (".5", 0.5),
            ("1e-3", 1e-3),
            ("-2.5E+4", -2.5e4),
            ("-.5", -0.5),
            ("1_0.5e1", 105.0),
        ),
        *(("3.4028235e38", 3.4028235e38), ("1e-60", 1e-60), ("1e-999999999", 0.0)),
    ],
)
def test_reals(text: str, value: float) -> None:
    """Reals."""
    word = literal(text)
    assert isinstance(word, Real)
    assert (word.value, word.text) == (value, text)


@pytest.mark.parametrize(
    "text", ["1+", "2DUP", "+5", "1e", ".", "e5", "1_", "1__0", "-", "1.2.3", "0x10", "rr", "f:3", "٣"]
)
def test_what_is_no_literal_is_a_call(text: str) -> None:
    """What is no literal is a call."""
    word = literal(text)
    assert isinstance(word, Call)
    assert word.name == text


@pytest.mark.parametrize(
    ("text", "dims"), [("r", ()), ("r:28:28", (28, 28)), ("r:HIDDEN", ("HIDDEN",)), ("r:k:1_0", ("k", 10))]
)
def test_shape_literals(text: str, dims: tuple[int | str, ...]) -> None:
    """Shape literals."""
    word = literal(text)
    assert isinstance(word, ShapeLiteral)
    assert word.dims == dims


def float32_by_fractions(text: str) -> float | None:
    """The nearest float32, ties to even, by exact arithmetic on the neighbours of the float64 of `text`."""
    exact = Fraction(text)
    near = struct.unpack("<I", struct.pack("<f", min(abs(float(text)), 3.4028234663852886e38)))[0]
    best: tuple[Fraction, int, int] | None = None
    for bits in range(max(0, near - 2), near + 3):
        value = Fraction(2) ** 128 if bits >= 0x7F800000 else Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])
        candidate = (abs(abs(exact) - value), bits & 1, min(bits, 0x7F800000))
        best = candidate if best is None or candidate < best else best
    assert best is not None
    if best[2] == 0x7F800000:
        return None
    size = float(struct.unpack("<f", struct.pack("<I", best[2]))[0])
    return -size if text.startswith("-") else size


def test_reals_round_once_to_float32() -> None:
    """Also where rounding to float64 first would give the other neighbour."""
    # Half a step above 1 and a hair more or less: its float64 is the middle itself.
    assert to_float32("1.00000005960464477539062500000001") == 1.0000001192092896
    assert to_float32("1.000000059604644775390625") == 1.0
    assert to_float32("1.00000005960464477539062499999999") == 1.0
    assert to_float32("-1.00000017881393432617187499999999") == -1.0000001192092896
    assert to_float32("7.0064923216240853546186479164495806564013097093825788587853e-46") == 0.0
    assert to_float32("7.0064923216240853546186479164495806564013097093825788587854e-46") == 1.401298464324817e-45
    assert to_float32("340282356779733661637539395458142568447.9") == 3.4028234663852886e38
    assert to_float32("340282356779733661637539395458142568448.") is None
    assert to_float32("1e999999999999") is None
    below = literal("-340282356779733661637539395458142568447.9")
    assert isinstance(below, Real)
    assert struct.pack("<f", below.value) == struct.pack("<f", -3.4028234663852886e38)
    generator = random.Random(3)
    for _ in range(300):
        bits = generator.randrange(0x7F7FFFFF)
        low, high = (Fraction(struct.unpack("<f", struct.pack("<I", b))[0]) for b in (bits, bits + 1))
        middle = (low + high) / 2 * (1 + Fraction(generator.choice([-1, 0, 1]), 10**40))
        digits = f"{middle.numerator * 10**220 // middle.denominator}e-220"
        expected = float32_by_fractions(digits)
        assert to_float32(digits) == expected, digits
        word = literal(digits)
        assert isinstance(word, Real)
        assert struct.unpack("<f", struct.pack("<f", word.value)) == (expected,)


def test_control_structures_nest_with_their_spans() -> None:
    """Control structures nest with their spans."""
    text = ": F ( -- ) IF a DO b LOOP ELSE BEGIN c UNTIL THEN ?DO d +LOOP BEGIN e WHILE g REPEAT ;"
    branch, counted, loop = body_of(text).body
    assert isinstance(branch, If)
    assert isinstance(counted, CountedLoop)
    assert isinstance(loop, While)
    assert (counted.question, counted.plus) == (True, True)
    assert branch.span.text == "IF a DO b LOOP ELSE BEGIN c UNTIL THEN"
    assert [span.text for span in branch.keywords] == ["IF", "ELSE", "THEN"]
    assert [span.text for span in loop.keywords] == ["BEGIN", "WHILE", "REPEAT"]
    inner = branch.then[1]
    assert isinstance(inner, CountedLoop)
    assert (inner.question, inner.plus, inner.span.text) == (False, False, "DO b LOOP")
    assert branch.orelse is not None
    assert isinstance(branch.orelse[0], Until)
    assert word_to_text(loop) == "BEGIN e WHILE g REPEAT"


def test_an_if_without_else_differs_from_one_with_an_empty_else() -> None:
    """An if without else differs from one with an empty else."""
    without, empty = body_of(": F ( -- ) IF THEN IF ELSE THEN ;").body
    assert isinstance(without, If)
    assert isinstance(empty, If)
    assert without.orelse is None
    assert empty.orelse == ()


def test_words_with_a_name_keep_its_place() -> None:
    """Words with a name keep its place."""
    opened, stored, ticked = body_of(": F ( -- ) { a b } TO a ['] G ;").body
    assert isinstance(opened, Locals)
    assert isinstance(stored, Store)
    assert isinstance(ticked, Tick)
    assert (opened.names, [span.text for span in opened.name_spans]) == (("a", "b"), ["a", "b"])
    assert (stored.name, stored.span.text, stored.name_span.text) == ("a", "TO a", "a")
    assert (ticked.name, ticked.span.text, ticked.name_span.text) == ("G", "['] G", "G")


def test_a_known_name_is_a_word_before_it_is_a_literal() -> None:
    """A local, a dimension variable or a word called like a literal hides the literal where it is in scope."""
    (variable,) = body_of(": F ( -- r:r ) r ;").body
    assert isinstance(variable, Call)
    first, opened, second = body_of(": F ( -- ) r { r } r ;").body
    assert isinstance(first, ShapeLiteral)
    assert isinstance(opened, Locals)
    assert isinstance(second, Call)
    branch, behind = body_of(": F ( -- ) IF { r } r THEN r ;").body
    assert isinstance(branch, If)
    assert isinstance(branch.then[1], Call)
    assert isinstance(behind, ShapeLiteral)
    (loop,) = body_of(": F ( -- ) BEGIN { r } WHILE r REPEAT ;").body
    assert isinstance(loop, While)
    assert isinstance(loop.body[0], Call)
    before, _, after = parse(": F ( -- ) 4 ; : 4 ( -- ) ; : G ( -- ) 4 ;")[0].items
    assert isinstance(before, Definition)
    assert isinstance(after, Definition)
    assert isinstance(before.body[0], Integer)
    assert isinstance(after.body[0], Call)


def test_the_top_level_has_five_forms() -> None:
    """The top level has five forms."""
    program, diagnostics = parse(
        'TARGET-CPU INCLUDE "a b.gs" INCLUDE <nn> 2 3 * CONSTANT SIX : F ( -- ) ; SHARED [\'] F (SHARED) "x" CONSTANT S'
    )
    assert diagnostics == ()
    target, quoted, library, six, word, mark, string = program.items
    assert isinstance(target, Target)
    assert isinstance(quoted, Include)
    assert isinstance(library, Include)
    assert isinstance(six, Constant)
    assert isinstance(word, Definition)
    assert isinstance(mark, SharedMark)
    assert isinstance(string, Constant)
    assert (quoted.path, quoted.library, library.path, library.library) == ("a b.gs", False, "nn", True)
    assert (six.name, six.span.text, six.name_span.text) == ("SIX", "2 3 * CONSTANT SIX", "SIX")
    assert (word.shared, word.span.text) == (True, ": F ( -- ) ;")
    assert mark.span.text == "['] F (SHARED)"
    assert isinstance(string.value[0], String)


@pytest.mark.parametrize(
    ("item", "kind", "dims", "star", "label"),
    [
        ("r", "r", (), False, None),
        ("r:b:100", "r", ("b", 100), False, None),
        ("r:*", "r", (), True, None),
        ("r:b:*", "r", ("b",), True, None),
        ("f:k:HIDDEN", "f", ("k", "HIDDEN"), False, None),
        ("x:r:h:w", "r", ("h", "w"), False, "x"),
        ("b:n", "n", (), False, "b"),
        ("<layer>", "layer", (), False, None),
        ("layer:<layer>", "layer", (), False, "layer"),
        *((kind, kind, (), False, None) for kind in ("n", "xt", "s", "data", "batch")),
    ],
)
def test_signature_items(item: str, kind: str, dims: tuple[int | str, ...], star: bool, label: str | None) -> None:
    """Signature items."""
    (read,) = body_of(f": F ( {item} -- ) ;").signature.inputs
    assert read.type == TypeText(kind, dims, star)
    assert read.label == label
    assert read.span.text == item
    assert str(read) == item


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DUP", [("GS110", "DUP")]),
        ("; 2 CONSTANT X", [("GS110", ";")]),
        ("['] F 2 CONSTANT X", [("GS110", "['] F")]),
        ("['] ;", [("GS111", "[']"), ("GS110", ";")]),
        (": F 1 ;", [("GS112", "F")]),
        (": F ( r ) ;", [("GS113", "( r )")]),
        (": F ( r:2:b -- x:r:b:b ) ;", [("GS115", "b"), ("GS115", "b")]),
        (": F ( r:b:b -- ) ;", [("GS115", "b")]),
        (": F ( r:*:3 -- xt:2 ) ;", [("GS116", "*"), ("GS114", "2")]),
        (": F ( -- ) r:*:b:0 ;", [("GS117", "*"), ("GS117", "b"), ("GS116", "0")]),
        (": F ( -- ) SHARED (SHARED) TARGET-CPU ;", [("GS119", w) for w in ("SHARED", "(SHARED)", "TARGET-CPU")]),
        (': F ( -- ) INCLUDE "a" ;', [("GS119", "INCLUDE")]),
        (": F ( -- ) ; SHARED SHARED", [("GS120", "SHARED")]),
        ('INCLUDE ""', [("GS121", "INCLUDE")]),
        ("INCLUDE", [("GS121", "INCLUDE")]),
        (": F ( -- ) { 1 r:2 } ;", [("GS122", "1"), ("GS122", "r:2")]),
        (': F ( -- ) { a "b" } ;', [("GS122", "{")]),
        (": F ( -- ) -1e39 9999999999999999999 ;", [("GS123", "-1e39"), ("GS124", "9999999999999999999")]),
        (": F ( -- ) } ) ;", [("GS126", "}"), ("GS126", ")")]),
        ("IF CONSTANT X", [("GS110", "IF")]),
        (": F ( -- ) THEN ; : G ( -- ) ELSE ;", [("GS401", "THEN"), ("GS401", "ELSE")]),
        (": F ( -- ) IF DO LOOP ; : G ( -- ) BEGIN ;", [("GS402", "IF"), ("GS402", "BEGIN")]),
        (": F ( -- ) BEGIN a REPEAT ; : G ( -- ) BEGIN WHILE UNTIL ;", [("GS403", "REPEAT"), ("GS403", "UNTIL")]),
        (": F ( -- ) BEGIN WHILE WHILE REPEAT ;", [("GS403", "WHILE")]),
    ],
)
def test_mistakes_are_marked_exactly(text: str, expected: list[tuple[str, str]]) -> None:
    """Mistakes are marked exactly."""
    assert places(parse(text)[1]) == expected


def test_the_parser_goes_on_behind_a_broken_word() -> None:
    """Words after a mistake are read, and the broken one is there under its name."""
    program, diagnostics = parse(
        ": A ( r -- r ) IF ; : B ( r -- r\n: C ( -- ) 1\n: D ( -- ) { ; : E1 ( -- ) LOOP 1 2\n"
        ": F ( -- ) 3 : G ( -- ) 4 ;"
    )
    assert [item.name for item in program.items if isinstance(item, Definition)] == ["A", "B", "C", "D", "E1", "F", "G"]
    assert [d.code for d in diagnostics] == ["GS402", "GS113", "GS118", "GS122", "GS401", "GS118"]


@pytest.mark.parametrize("text", ["IF " * 5000, "BEGIN " * 5000, "1 0 DO " * 5000 + "LOOP " * 5000, "IF ELSE " * 5000])
def test_enormous_nesting_is_an_error(text: str) -> None:
    """Enormous nesting is an error."""
    (diagnostic,) = parse(f": F ( -- ) {text} ;")[1]
    assert diagnostic.code in ("GS403", "GS404")


def test_a_hundred_levels_are_read() -> None:
    """A hundred levels are read."""
    assert parse(f": F ( -- ) {'IF ' * 100} {'THEN ' * 100} ;")[1] == ()
    assert [d.code for d in parse(f": F ( -- ) {'IF ' * 101} {'THEN ' * 101} ;")[1]] == ["GS404"]


def test_spans_take_no_part_in_equality() -> None:
    """Spans take no part in equality."""
    first, second = parse(": F ( x:r -- r ) 1 + ;")[0], parse("\n:  F ( x:r -- r )\n 1 + ;")[0]
    assert first == second
    assert hash(first) == hash(second)
    assert first != parse(": F ( r -- r ) 1 + ;")[0]


class TestIncludes:
    """INCLUDE puts the items of another file in its place."""

    def read(self, folder: Path, main: str, **files: str) -> tuple[Program, Sink]:
        """The program with `main` as its main file beside `files`."""
        for name, text in files.items():
            (folder / f"{name}.gs").write_text(text, encoding="utf-8")
        sink = Sink()
        return text_to_words(Source(str(folder / "main.gs"), main), sink, folder / "library"), sink

    def names(self, program: Program) -> list[str]:
        """The names that the program defines, in order."""
        return [item.name for item in program.items if isinstance(item, Definition | Constant)]

    def test_a_file_is_read_once_under_all_its_paths(self, tmp_path: Path) -> None:
        """A file is read once under all its paths."""
        main = f'INCLUDE "a.gs" INCLUDE "b.gs" INCLUDE "../{tmp_path.name}/b.gs" 1 CONSTANT M'
        program, sink = self.read(tmp_path, main, a='INCLUDE "b.gs" 2 CONSTANT A', b="3 CONSTANT B")
        assert self.names(program) == ["B", "A", "M"]
        assert sink.diagnostics == ()

    def test_a_path_is_relative_to_its_own_file(self, tmp_path: Path) -> None:
        """A path is relative to its own file."""
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "inner.gs").write_text("1 CONSTANT INNER", encoding="utf-8")
        (tmp_path / "sub" / "outer.gs").write_text('INCLUDE "inner.gs"', encoding="utf-8")
        program, sink = self.read(tmp_path, 'INCLUDE "sub/outer.gs"')
        assert self.names(program) == ["INNER"]
        assert sink.diagnostics == ()

    def test_the_bundled_library_is_read(self, tmp_path: Path) -> None:
        """The bundled library is read."""
        (tmp_path / "library").mkdir()
        (tmp_path / "library" / "nn.gs").write_text("1 CONSTANT NN", encoding="utf-8")
        program, sink = self.read(tmp_path, "INCLUDE <nn> INCLUDE <xx>")
        assert self.names(program) == ["NN"]
        assert [(d.code, d.help) for d in sink.diagnostics] == [("GS107", "the bundled libraries are `<nn>`")]

    def test_a_circle_is_an_error_at_the_include_that_closes_it(self, tmp_path: Path) -> None:
        """A circle is an error at the include that closes it."""
        _, sink = self.read(tmp_path, 'INCLUDE "a.gs"', a='INCLUDE "b.gs"', b='INCLUDE "a.gs"')
        (diagnostic,) = sink.diagnostics
        assert diagnostic.code == "GS128"
        assert diagnostic.span is not None
        assert diagnostic.span.place() == f"{tmp_path / 'b.gs'}:1:1"

    def test_mistakes_stand_at_their_places_in_their_files(self, tmp_path: Path) -> None:
        """Mistakes stand at their places in their files."""
        (tmp_path / "bad.gs").write_bytes(b"\xff")
        _, sink = self.read(tmp_path, 'INCLUDE "a.gs" INCLUDE "bad.gs" INCLUDE "none.gs"', a="\n DUP")
        assert [(d.code, d.span.place().rpartition("/")[2]) for d in sink.diagnostics if d.span] == [
            ("GS110", "a.gs:2:2"),
            ("GS101", "bad.gs:1:1"),
            ("GS107", "main.gs:1:33"),
        ]

    def test_a_name_like_a_number_is_known_behind_the_include(self, tmp_path: Path) -> None:
        """A name like a number is known behind the include."""
        program, _ = self.read(tmp_path, 'INCLUDE "a.gs" : F ( -- ) 2 3 ;', a=": 2 ( -- ) ;")
        last = program.items[-1]
        assert isinstance(last, Definition)
        assert [type(word) for word in last.body] == [Call, Integer]
