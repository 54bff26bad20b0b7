"""Printing and parsing are inverse, and no text, however odd, ends in an exception."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from geode.diagnostics import Sink
from geode.render import render
from geode.source import Source, Span
from geode.syntax.check_names import SYNTAX_WORDS, check_names
from geode.syntax.read_literal import looks_like_literal
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.word import (
    BATCH,
    SHAPED_KINDS,
    TYPE_KINDS,
    Body,
    Call,
    Constant,
    CountedLoop,
    Definition,
    If,
    Include,
    Integer,
    Item,
    Locals,
    Program,
    Real,
    ShapeLiteral,
    SharedMark,
    Signature,
    SignatureItem,
    Store,
    String,
    Target,
    Tick,
    TypeText,
    Until,
    While,
)
from geode.syntax.words_to_text import words_to_text
from tests.harness.stages import BUILTINS

QUICK = settings(max_examples=150, deadline=None, derandomize=True)
AT = Span(Source("none", ""), 0, 0)

# Names that no earlier rule of the language takes: no syntax, no literal, no comment or string.
names = st.text(st.sampled_from("ABCdefxyz019+-*/<>!?.'é世_"), min_size=1, max_size=8).filter(
    lambda text: text not in SYNTAX_WORDS | {"(", ")", "\\", "--", "|"} and not looks_like_literal(text)
)
variables = st.text(st.sampled_from("acdefgh"), min_size=1, max_size=3)
sizes = st.integers(1, 2**31 - 1)
printable = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(' \t"\\;:()'), max_size=12
)
reals = st.from_regex(r"-?(?:[0-9]{1,6}\.[0-9]{0,6}|\.[0-9]{1,6})(?:[eE][+-]?[0-9]{1,1})?", fullmatch=True)


def leaf_words() -> st.SearchStrategy[Body]:
    """One word without others inside."""
    return st.one_of(
        st.builds(lambda name: (Call(name, AT),), names),
        st.builds(lambda value: (Integer(value, AT),), st.integers(-(2**63), 2**63 - 1)),
        st.builds(lambda text: (Real(float(text), text, AT),), reals),
        st.builds(lambda value: (String(value, AT),), printable),
        st.builds(lambda dims: (ShapeLiteral(tuple(dims), AT),), st.lists(sizes | variables, max_size=3)),
        st.builds(lambda name: (Tick(name, AT, AT),), names),
        st.builds(lambda name: (Store(name, AT, AT),), names),
        st.builds(
            lambda found: (Locals(tuple(found), AT, (AT,) * len(found)),), st.lists(names, min_size=1, max_size=3)
        ),
    )


def structures(bodies: st.SearchStrategy[Body]) -> st.SearchStrategy[Body]:
    """Words and control structures made of smaller bodies."""
    return st.one_of(
        st.builds(lambda *parts: sum(parts, ()), bodies, bodies, bodies),
        st.builds(lambda then, other: (If(then, other, AT, ()),), bodies, st.none() | bodies),
        st.builds(
            lambda body, question, plus: (CountedLoop(body, question, plus, AT, ()),),
            bodies,
            st.booleans(),
            st.booleans(),
        ),
        st.builds(lambda body: (Until(body, AT, ()),), bodies),
        st.builds(lambda condition, body: (While(condition, body, AT, ()),), bodies, bodies),
    )


bodies = st.recursive(st.just(()) | leaf_words(), structures, max_leaves=12)


@st.composite
def types(draw: st.DrawFn) -> TypeText:
    """A type of a signature."""
    kind = draw(st.sampled_from([*TYPE_KINDS, "layer"]))
    if kind not in SHAPED_KINDS:
        return TypeText(kind)
    batch = draw(st.sampled_from([(), (BATCH,)]))
    if draw(st.booleans()):
        return TypeText(kind, batch, star=True)
    return TypeText(kind, (*batch, *draw(st.lists(sizes | variables, max_size=3))))


labels = st.none() | st.text(st.sampled_from("ghijklmnop-"), min_size=1, max_size=5).filter(
    lambda t: t not in (*TYPE_KINDS, "--")
)
sides = st.lists(st.builds(lambda kind, label: SignatureItem(kind, label, AT), types(), labels), max_size=4).map(tuple)
signatures = st.builds(lambda before, after: Signature(before, after, AT), sides, sides)
constant_values = st.lists(
    st.one_of(
        st.builds(lambda name: Call(name, AT), names),
        st.builds(lambda value: Integer(value, AT), st.integers(-(2**63), 2**63 - 1)),
        st.builds(lambda value: String(value, AT), printable),
    ),
    min_size=1,
    max_size=4,
).map(tuple)
paths = printable.filter(bool)
items: st.SearchStrategy[Item] = st.one_of(
    st.builds(lambda n, s, b, shared: Definition(n, s, b, shared, AT, AT), names, signatures, bodies, st.booleans()),
    st.builds(lambda name, value: Constant(name, value, AT, AT), names, constant_values),
    st.builds(lambda name: SharedMark(name, AT, AT), names),
    st.builds(lambda path: Include(path, False, AT), paths),
    st.builds(lambda path: Include(path, True, AT), variables),
    st.sampled_from([Target("TARGET-CPU", AT), Target("TARGET-APPLE-METAL", AT)]),
)
programs = st.lists(items, max_size=5).map(lambda found: Program(tuple(found)))


def parse(text: str) -> tuple[Program, Sink]:
    """The words of `text`, and what the front end said."""
    source, sink = Source("t.gs", text), Sink()
    return tokens_to_words(text_to_tokens(source, sink), source, sink), sink


@QUICK
@given(programs)
def test_what_is_printed_parses_to_the_same_program(program: Program) -> None:
    """parse(print(p)) == p, and printing is stable."""
    text = words_to_text(program)
    again, sink = parse(text)
    assert sink.diagnostics == ()
    assert again == program
    assert words_to_text(again) == text


soup = st.lists(
    st.sampled_from(
        sorted(SYNTAX_WORDS | {"(", ")", "--", "\\", '"', "\n", "\n:", "r", "r:b:2", "r:k", "<layer>", "n"})
    )
    | st.sampled_from(
        ["F", "G", "MAIN", "x", "I", "J", "1", "2.5", "1e99", '"s"', "DUP", "LINAER", "\u00a0", ": F (", "-- )"]
    )
    | st.text(max_size=3),
    max_size=40,
).map(" ".join)


@QUICK
@given(soup)
def test_no_text_ends_in_an_exception(text: str) -> None:
    """Any text gives words or errors with places inside it; what gives no errors also makes the round trip."""
    program, sink = parse(text)
    read_well = not sink.has_errors
    check_names(program, BUILTINS, sink)
    for diagnostic in sink.diagnostics:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text) + 1
    assert (render(sink.diagnostics, colour=True) == "") == (len(sink) == 0)
    if read_well:
        assert parse(words_to_text(program))[0] == program


@QUICK
@given(programs)
def test_spans_cover_what_they_say(program: Program) -> None:
    """The text under an item's span parses to that item alone, and names stand under their own spans."""
    for item in parse(words_to_text(program))[0].items:
        alone, sink = parse(item.span.text + (" SHARED" if isinstance(item, Definition) and item.shared else ""))
        if isinstance(item, Definition | Constant | SharedMark):
            assert item.name_span.text == item.name
        assert sink.diagnostics == ()
        assert alone.items == (item,)
