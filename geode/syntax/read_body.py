"""The tokens of a definition's body -> words, control structures nested.

In: the stream behind the signature. Out: the body, with the `;` read.
Invariant: structures nest at most NESTING_LIMIT deep, so that every later stage may recurse over them.
"""

from __future__ import annotations

from dataclasses import InitVar, field

from geode.diagnostics import Sink
from geode.record import dataclass
from geode.source import Span
from geode.syntax.read_literal import looks_like_literal, read_literal, shorten
from geode.syntax.token import Token, TokenKind
from geode.syntax.word import Body, Call, CountedLoop, If, Locals, Store, String, Tick, Until, While, Word
from geode.syntax.word_stream import WordStream

NESTING_LIMIT = 100

_OPENERS = ("IF", "DO", "?DO", "BEGIN")
# What closes or divides a structure, and the words that may stand before it.
_CLOSERS = {
    "ELSE": ("IF",),
    "THEN": ("IF", "ELSE"),
    "LOOP": ("DO", "?DO"),
    "+LOOP": ("DO", "?DO"),
    "UNTIL": ("BEGIN",),
    "WHILE": ("BEGIN",),
    "REPEAT": ("WHILE",),
}
_STRUCTURES = {
    "IF": "`f IF … ELSE … THEN`",
    "ELSE": "`f IF … ELSE … THEN`",
    "DO": "`limit start DO … LOOP`",
    "?DO": "`limit start ?DO … LOOP`",
    "BEGIN": "`BEGIN … f UNTIL` or `BEGIN … f WHILE … REPEAT`",
    "WHILE": "`BEGIN … f WHILE … REPEAT`",
}
_TOP_LEVEL = ("CONSTANT", "INCLUDE", "SHARED", "(SHARED)", "TARGET-CPU", "TARGET-APPLE-METAL", "TARGET-CUDA")
_NO_VALUE = (*_OPENERS, *_CLOSERS, "{", "}", "TO", "(SHARED)", ")")


class LostPlaceError(Exception):
    """Reported already: what follows in this definition cannot be understood."""


@dataclass(slots=True)
class BodyReader:
    """Reads one definition's body, or the value of a CONSTANT (`name` None)."""

    stream: WordStream
    sink: Sink
    names: set[str]
    name: Token | None
    variables: InitVar[set[str] | None] = None  # dimension variables of the signature
    _scopes: list[set[str]] = field(init=False)
    _open: list[Token] = field(default_factory=list, init=False)

    def __post_init__(self, variables: set[str] | None) -> None:
        self._scopes = [variables or set()]

    def whole_body(self) -> Body:
        """Reads up to and with `;`. Raises LostPlaceError after reporting."""
        words: list[Word] = []
        closer = self._until_closer(words)
        if closer.text != ";":
            self._closes_nothing(closer)
        return tuple(words)

    def value_word(self) -> Body:
        """Reads one word of a CONSTANT's value."""
        token = self.stream.next()
        if token.is_word(*_NO_VALUE):
            help_text = "a CONSTANT is an integer, a real or a string, or arithmetic on literals and CONSTANTs"
            self.sink.error("GS110", f"`{token.text}` cannot stand outside a definition", token.span, help=help_text)
            return ()
        return self._plain(token)

    def _until_closer(self, words: list[Word]) -> Token:
        """Reads words into `words` up to and with the next closing word, which it gives."""
        while True:
            token = self.stream.peek()
            if token is None or token.is_word(":"):
                self._not_closed()
            token = self.stream.next()
            if token.is_word(";", *_CLOSERS):
                return token
            if token.is_word(*_OPENERS):
                words.append(self._structure(token))
            else:
                words.extend(self._plain(token))

    def _branch(self, opener: Token, scope: set[str]) -> tuple[Body, Token]:
        """Reads what stands behind `opener`, in a scope that starts as `scope`, up to a word that may close it."""
        self._open.append(opener)
        self._scopes.append(scope)
        words: list[Word] = []
        closer = self._until_closer(words)
        if opener.text not in _CLOSERS.get(closer.text, ()):
            self._does_not_close(closer, opener)
        self._scopes.pop()
        self._open.pop()
        return tuple(words), closer

    def _structure(self, opener: Token) -> Word:
        if len(self._open) >= NESTING_LIMIT:
            message = f"control words nest more than {NESTING_LIMIT} deep"
            self.sink.error("GS404", message, opener.span, help="move the inner part into a word of its own")
            raise LostPlaceError
        scope: set[str] = set()
        body, closer = self._branch(opener, scope)
        span, keywords = opener.span.to(closer.span), (opener.span, closer.span)
        if opener.text in ("DO", "?DO"):
            return CountedLoop(body, opener.text == "?DO", closer.text == "+LOOP", span, keywords)
        if closer.text == "UNTIL":
            return Until(body, span, keywords)
        if closer.text == "THEN":
            return If(body, None, span, keywords)
        # What a loop's condition opens is in scope in its body; what IF opens is not behind ELSE.
        second, last = self._branch(closer, scope if closer.text == "WHILE" else set())
        span, three = opener.span.to(last.span), (opener.span, closer.span, last.span)
        return If(body, second, span, three) if closer.text == "ELSE" else While(body, second, span, three)

    def _plain(self, token: Token) -> Body:
        """The word that starts with `token`, read already; nothing if a mistake was reported."""
        text, span = token.text, token.span
        if token.kind is TokenKind.STRING:
            return (String(text, span),)
        if text in ("[']", "TO"):
            return self._named(token)
        if text == "{":
            return self._locals(token)
        if text in ("}", ")"):
            what = "`{`" if text == "}" else "`(`"
            self.sink.error("GS126", f"`{text}` closes no {what}", span, help="take it out")
            return ()
        if self.name is not None and text in _TOP_LEVEL:
            help_text = f"close the definition of `{shorten(self.name.text)}` with `;` first"
            self.sink.error("GS119", f"`{text}` stands outside definitions", span, help=help_text)
            following = self.stream.peek()
            if text in ("CONSTANT", "INCLUDE") and following is not None and not following.is_word(":", ";"):
                self.stream.next()
            return ()
        if looks_like_literal(text) and not self._is_known(text):
            literal = read_literal(text, span, self.sink)
            assert literal is not None
            return (literal,)
        return (Call(text, span),)

    def _named(self, token: Token) -> Body:
        name = self.stream.take_name()
        if name is None:
            form = "`['] NAME`" if token.text == "[']" else "`TO name`"
            self.sink.error("GS111", f"`{token.text}` wants a name after it", token.span, help=f"write {form}")
            return ()
        span = token.span.to(name.span)
        return (Tick(name.text, span, name.span) if token.text == "[']" else Store(name.text, span, name.span),)

    def _locals(self, brace: Token) -> Body:
        names: list[Token] = []
        while True:
            token = self.stream.peek()
            if token is not None and token.is_word("}"):
                break
            if token is None or token.is_word(":", ";", "{") or token.kind is not TokenKind.WORD:
                help_text = "write `{ a b c }`; the last was on top of the stack"
                self.sink.error("GS122", "this list of locals is never closed", brace.span, help=help_text)
                raise LostPlaceError
            names.append(self.stream.next())
        closing = self.stream.next()
        if not names:
            self.sink.error("GS122", "this list names no local", brace.span.to(closing.span), help="write `{ a b c }`")
            return ()
        for name in names:
            if name.text in ("--", "|") or (looks_like_literal(name.text) and name.text != "r"):
                help_text = "`{ a b c }` holds names alone: it takes one value for each"
                self.sink.error("GS122", f"`{shorten(name.text)}` is no name for a local", name.span, help=help_text)
        self._scopes[-1].update(name.text for name in names)
        spans = tuple(name.span for name in names)
        return (Locals(tuple(name.text for name in names), brace.span.to(closing.span), spans),)

    def _is_known(self, text: str) -> bool:
        return text in self.names or any(text in scope for scope in self._scopes)

    def _not_closed(self) -> None:
        assert self.name is not None
        notes: tuple[tuple[str, Span | None], ...] = ((f"`{shorten(self.name.text)}` starts here", self.name.span),)
        if self._open:
            notes = (*notes, (f"`{self._open[-1].text}` is still open", self._open[-1].span))
        help_text = "write `;` behind the last word of the definition"
        glued = self._glued_end()
        if glued is not None:
            help_text = f"`{shorten(glued.text)}` is one word: put a blank before its `;`"
        message = f"`;` is missing at the end of `{shorten(self.name.text)}`"
        self.sink.error("GS118", message, self.stream.last_span, help=help_text, notes=notes)
        raise LostPlaceError

    def _glued_end(self) -> Token | None:
        """The last word of the definition, read so far, that ends in a `;`."""
        assert self.name is not None
        for token in reversed(self.stream.tokens[: self.stream.at]):
            if token.span.start <= self.name.span.start:
                break
            if token.kind is TokenKind.WORD and token.text.endswith(";"):
                return token
        return None

    def _closes_nothing(self, closer: Token) -> None:
        form = _STRUCTURES[_CLOSERS[closer.text][0]]
        self.sink.error("GS401", f"`{closer.text}` closes nothing", closer.span, help=f"it belongs to {form}")
        raise LostPlaceError

    def _does_not_close(self, closer: Token, opener: Token) -> None:
        form = _STRUCTURES[opener.text]
        if closer.text == ";":
            self.sink.error("GS402", f"`{opener.text}` is never closed", opener.span, help=f"write {form}")
            self.stream.at -= 1  # `;` ends the definition for whoever recovers
        else:
            message = f"`{closer.text}` cannot close `{opener.text}`"
            notes = ((f"`{opener.text}` stands here", opener.span),)
            self.sink.error("GS403", message, closer.span, help=f"write {form}", notes=notes)
        raise LostPlaceError
