"""Short ways to call the front end from a test.

In: program text. Out: its tokens, its words, or the codes and places of its errors. Invariant: no file is read.
"""

from __future__ import annotations

from geode.diagnostics import Diagnostic, Sink
from geode.source import Source
from geode.syntax.check_names import check_names
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.token import Token
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.word import Definition, Program
from tests.harness.stages import BUILTINS


def parse(text: str) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The words of `text`, and what the lexer and the parser said."""
    source, sink = Source("t.gs", text), Sink()
    return tokens_to_words(text_to_tokens(source, sink), source, sink), sink.diagnostics


def lex(text: str) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """The tokens of `text`, and what the lexer said."""
    sink = Sink()
    return text_to_tokens(Source("t.gs", text), sink), sink.diagnostics


def checked(text: str) -> tuple[Diagnostic, ...]:
    """Every diagnostic of `text`, names included."""
    source, sink = Source("t.gs", text), Sink()
    check_names(tokens_to_words(text_to_tokens(source, sink), source, sink), BUILTINS, sink)
    return sink.diagnostics


def body_of(text: str) -> Definition:
    """The definition of the one word in `text`, which has no mistakes."""
    program, diagnostics = parse(text)
    assert diagnostics == ()
    (definition,) = program.items
    assert isinstance(definition, Definition)
    return definition


def places(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """The code and the marked text of each."""
    return [(d.code, d.span.text if d.span is not None else "") for d in diagnostics]
