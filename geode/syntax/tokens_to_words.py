"""Tokens -> words: the parser.

In: the tokens of one source. Out: a `Program`; mistakes go to the sink.
Invariant: after a mistake the parser goes on at the next `;` or at the next `:` that starts a line, and a definition
with a mistake inside is still there under its name, so that its uses are no further mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from geode.diagnostics import Sink
from geode.record import dataclass
from geode.source import Source, Span
from geode.syntax.forth_words import INSTEAD
from geode.syntax.other_names import other_name
from geode.syntax.read_body import BodyReader, LostPlaceError
from geode.syntax.read_literal import shorten
from geode.syntax.read_signature import read_signature
from geode.syntax.token import Token, TokenKind
from geode.syntax.word import (
    Body,
    Call,
    Constant,
    Definition,
    Include,
    Item,
    Program,
    SharedMark,
    Signature,
    Target,
    Word,
)
from geode.syntax.word_stream import WordStream, is_name

TARGETS = ("TARGET-CPU", "TARGET-APPLE-METAL", "TARGET-CUDA")

ReadInclude = Callable[[Include], tuple[Item, ...]]

_ITEM_STARTS = (":", "[']", "INCLUDE", "SHARED", *TARGETS)


def tokens_to_words(
    tokens: tuple[Token, ...], source: Source, sink: Sink, read_include: ReadInclude | None = None
) -> Program:
    """The program that `tokens` spell. Reports GS110 to GS127 and GS401 to GS404.

    Every INCLUDE is given to `read_include`; what that gives takes the place of the INCLUDE, and without it the INCLUDE
    stays an item.
    """
    parser = _Parser(WordStream(tokens, source), sink)
    items: list[Item] = []
    while not parser.stream.at_end:
        item = parser.item()
        new = read_include(item) if isinstance(item, Include) and read_include is not None else (item,)
        items.extend(one for one in new if one is not None)
        # A name that looks like a number or a shape is a word from its definition on.
        parser.names.update(one.name for one in new if isinstance(one, Definition | Constant))
    return Program(tuple(items), Span(source, 0, len(source.text)))


@dataclass(slots=True)
class _Parser:
    """Reads items at the top level. `names` are the words defined so far."""

    stream: WordStream
    sink: Sink
    names: set[str] = field(default_factory=set)

    def item(self) -> Item | None:
        """Reads one item; None if it was too broken to keep."""
        token = self.stream.peek()
        assert token is not None
        if token.is_word(":"):
            return self.definition()
        if token.is_word("[']"):
            return self.shared_mark()
        if token.is_word("INCLUDE"):
            return self.include()
        if token.is_word("SHARED"):
            self.stream.next()
            help_text = "write it behind the definition's `;`, or write `['] NAME (SHARED)`"
            self.sink.error("GS120", "`SHARED` stands directly after a definition", token.span, help=help_text)
            return None
        if token.is_word(*TARGETS):
            self.stream.next()
            return Target(token.text, token.span)
        return self.constant()

    def definition(self) -> Definition | None:
        colon = self.stream.next()
        name = self.stream.take_name()
        if name is None:
            self._wants_name(colon, "`: NAME ( before -- after ) … ;`")
            self._recover()
            return None
        signature = Signature((), (), name.span)
        body: Body = ()
        try:
            signature = self.signature(name)
            body = BodyReader(self.stream, self.sink, self.names, name, _variables(signature)).whole_body()
        except LostPlaceError:
            self._recover()
        end = self.stream.last_span
        token = self.stream.peek()
        shared = token is not None and token.is_word("SHARED")
        if shared:
            self.stream.next()
        return Definition(name.text, signature, body, shared, colon.span.to(end), name.span)

    def signature(self, name: Token) -> Signature:
        opening = self.stream.peek()
        if opening is None or opening.kind is not TokenKind.SIGNATURE_OPEN:
            types = "( -- )" if name.text == "MAIN" else "( before -- after )"
            help_text = f"write `: {shorten(name.text)} {types} … ;`"
            self.sink.error("GS112", f"`{shorten(name.text)}` has no signature", name.span, help=help_text)
            return Signature((), (), name.span)
        self.stream.next()
        inside: list[Token] = []
        while (token := self.stream.peek()) is not None and not token.is_word(":", ";"):
            self.stream.next()
            if token.kind is TokenKind.SIGNATURE_CLOSE:
                return read_signature(inside, opening.span.to(token.span), self.sink)
            inside.append(token)
        help_text = "write ` )` after the types that the word leaves"
        self.sink.error("GS113", "this signature is never closed", opening.span, help=help_text)
        raise LostPlaceError

    def shared_mark(self) -> SharedMark | None:
        tick = self.stream.next()
        name = self.stream.take_name()
        if name is None:
            self._wants_name(tick, "`['] NAME (SHARED)`")
            return None
        mark = self.stream.peek()
        if mark is None or not mark.is_word("(SHARED)"):
            help_text = "outside a definition only `['] NAME (SHARED)` takes a word's token"
            self.sink.error("GS110", "this word's token is used for nothing", tick.span.to(name.span), help=help_text)
            return None
        self.stream.next()
        return SharedMark(name.text, tick.span.to(mark.span), name.span)

    def include(self) -> Include | None:
        keyword = self.stream.next()
        path = self.stream.peek()
        library = path is not None and path.kind is TokenKind.WORD and _is_library(path.text)
        if path is None or not (library or (path.kind is TokenKind.STRING and path.text)):
            help_text = 'write `INCLUDE "file.gs"`, or `INCLUDE <nn>` for the bundled library'
            self.sink.error("GS121", "`INCLUDE` wants a file's name", keyword.span, help=help_text)
            self._skip_on_line(keyword, 1)
            return None
        self.stream.next()
        return Include(path.text[1:-1] if library else path.text, library, keyword.span.to(path.span))

    def constant(self) -> Constant | None:
        first = self.stream.peek()
        assert first is not None
        reader = BodyReader(self.stream, self.sink, self.names, None)
        found_before = len(self.sink)
        value: list[Word] = []
        while (token := self.stream.peek()) is not None and not token.is_word("CONSTANT", ";", *_ITEM_STARTS):
            value.extend(reader.value_word())
        if token is None or not token.is_word("CONSTANT"):
            if token is not None and token.is_word(";"):
                self.stream.next()
            if len(self.sink) == found_before:
                self._outside(first, value)
            return None
        self.stream.next()
        name = self.stream.take_name()
        if name is None:
            self._wants_name(token, "`value CONSTANT NAME`")
            return None
        if first is token:
            help_text = f"write `8 CONSTANT {shorten(name.text)}`"
            self.sink.error("GS125", "`CONSTANT` wants a value before it", token.span, help=help_text)
            self._skip_on_line(token, 1)
        return Constant(name.text, tuple(value), first.span.to(name.span), name.span)

    def _outside(self, token: Token, words: list[Word]) -> None:
        foreign = [
            word for word in words if isinstance(word, Call) and word.name.upper() in INSTEAD.keys() - self.names
        ]
        lines = {word.span.source.position(word.span.start)[0]: word for word in reversed(foreign)}
        for word in lines.values():  # the first of each line
            message = f"`{word.name}` is outside any definition, and Geode has no such word"
            self.sink.error("GS110", message, word.span, help=INSTEAD[word.name.upper()])
        if foreign:
            return
        if token.is_word(";"):
            self.sink.error("GS110", "`;` ends no definition", token.span, help="a definition starts with `:`")
            return
        other = other_name(token.text) if token.kind is TokenKind.WORD else None
        if other is not None and token.text.upper().startswith("TARGET-"):
            self.sink.error("GS110", f"there is no target `{shorten(token.text)}`", token.span, help=other)
            return
        help_text = "what runs stands in a definition, `: MAIN ( -- ) … ;`; a value here wants `CONSTANT NAME` after it"
        self.sink.error("GS110", f"`{shorten(token.span.text)}` is outside any definition", token.span, help=help_text)

    def _wants_name(self, keyword: Token, form: str) -> None:
        self.sink.error("GS111", f"`{keyword.text}` wants a name after it", keyword.span, help=f"write {form}")

    def _skip_on_line(self, keyword: Token, count: int) -> None:
        """Skips up to `count` tokens that stand on the line of `keyword` and start no item."""
        line = self.stream.source.line_bounds(keyword.span.start)
        while count > 0 and (token := self.stream.peek()) is not None:
            if token.span.start >= line[1] or token.is_word(*_ITEM_STARTS):
                return
            self.stream.next()
            count -= 1

    def _recover(self) -> None:
        """Skips behind the next `;`, or to the next `:` that starts a line or stands before a name and a signature."""
        while (token := self.stream.peek()) is not None:
            if token.is_word(":") and (self.stream.starts_line(token) or self.stream.starts_definition()):
                return
            self.stream.next()
            if token.is_word(";"):
                return


def _variables(signature: Signature) -> set[str]:
    """The names that may be dimension variables: the body can use them as words."""
    items = (*signature.inputs, *signature.outputs)
    return {dim for item in items for dim in item.type.dims if isinstance(dim, str)}


def _is_library(text: str) -> bool:
    return text.startswith("<") and text.endswith(">") and is_name(text[1:-1]) and len(text) > 2
