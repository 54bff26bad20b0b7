"""Words -> the same words, every name in them known.

In: a `Program`, included files put in, and the names of the built-in words. Out: nothing but diagnostics.
Invariant: after a run without errors each name means a local, a dimension variable, a word or CONSTANT defined before,
or a built-in, looked for in this order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from itertools import zip_longest

from geode.diagnostics import Sink
from geode.names import did_you_mean, near_misses
from geode.record import dataclass
from geode.source import Span
from geode.syntax.forth_words import INSTEAD
from geode.syntax.other_names import other_name
from geode.syntax.read_literal import looks_like_number, shorten
from geode.syntax.word import (
    BATCH,
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
    Store,
    String,
    Target,
    Tick,
    Until,
    While,
    Word,
)

SYNTAX_WORDS = frozenset(
    (
        *(
            ":",
            ";",
            "CONSTANT",
            "INCLUDE",
            "SHARED",
            "(SHARED)",
            "TARGET-CPU",
            "TARGET-APPLE-METAL",
            "TARGET-CUDA",
            "{",
            "}",
            "TO",
            "[']",
        ),
        *("IF", "ELSE", "THEN", "DO", "?DO", "LOOP", "+LOOP", "BEGIN", "UNTIL", "WHILE", "REPEAT"),
    )
)
"""Words that are part of the form of a program: they have no token, and no stack effect of their own."""

_LOOPS_WANTED = {"I": 1, "LEAVE": 1, "J": 2}
_USE_A_LOOP = INSTEAD["RECURSE"]


def check_names(program: Program, builtins: Collection[str], sink: Sink) -> None:
    """Reports every name in `program` that is unknown or wrongly made: GS127, GS201 to GS212, GS405, GS601."""
    checker = _Checker(frozenset(builtins) | SYNTAX_WORDS | set(_LOOPS_WANTED), sink, _first_definitions(program))
    for item in program.items:
        checker.item(item)
    checker.main(program)


def _first_definitions(program: Program) -> dict[str, Definition | Constant]:
    found: dict[str, Definition | Constant] = {}
    for item in program.items:
        if isinstance(item, Definition | Constant):
            found.setdefault(item.name, item)
    return found


@dataclass(slots=True)
class _Checker:
    """`known` are the words defined so far, `scopes` the locals in scope, `variables` the signature's dimensions."""

    builtins: frozenset[str]
    sink: Sink
    everything: dict[str, Definition | Constant]
    known: dict[str, Definition | Constant] = field(default_factory=dict)
    target: Target | None = None
    current: str | None = None
    variables: set[str] = field(default_factory=set)
    scopes: list[dict[str, Span]] = field(default_factory=list)
    loops: int = 0

    def item(self, item: Item) -> None:
        match item:
            case Definition():
                self.new_name(item)
                self.current = item.name
                self.variables = set()
                self.signature(item.signature)
                self.body(item.body)
                self.current, self.variables = None, set()
                self.known.setdefault(item.name, item)
            case Constant():
                self.new_name(item)
                self.body(item.value)
                self.known.setdefault(item.name, item)
            case SharedMark():
                self.shared_mark(item)
            case Target():
                if self.target is not None:
                    notes = ((f"`{self.target.name}` stands here", self.target.span),)
                    help_text = "a program has one target; leave one of them out"
                    self.sink.error("GS127", "a second target", item.span, help=help_text, notes=notes)
                self.target = self.target or item
            case Include():
                pass

    def main(self, program: Program) -> None:
        if isinstance(self.everything.get("MAIN"), Definition):
            return
        definitions = [item for item in program.items if isinstance(item, Definition)]
        span = definitions[-1].name_span if definitions else program.items[-1].span if program.items else program.span
        near = [name for name in near_misses("MAIN", self.known) if name.upper() == "MAIN"]
        help_text = "execution starts at `MAIN`: write `: MAIN ( -- ) … ;` behind the other words"
        if near:
            help_text = f"`{near[0]}` is another name, for case matters; {help_text}"
        self.sink.error("GS601", "the program has no word `MAIN`", span, help=help_text)

    def new_name(self, item: Definition | Constant) -> None:
        name, first = item.name, self.known.get(item.name)
        if name in self.builtins:
            help_text = "give it another name; case matters, and a name in lower case is never a built-in word"
            self.sink.error("GS203", f"`{name}` is a built-in word", item.name_span, help=help_text)
        elif first is not None:
            notes = (("it is defined first here", first.name_span),)
            message = f"`{shorten(name)}` is defined twice"
            self.sink.error("GS204", message, item.name_span, help="give one of them another name", notes=notes)

    def shared_mark(self, mark: SharedMark) -> None:
        if mark.name not in self.known and mark.name not in self.builtins:
            self.unknown(mark.name, mark.name_span)
        elif not isinstance(self.known.get(mark.name), Definition):
            help_text = "only a word defined with `:` can be SHARED"
            self.sink.error("GS210", f"`{mark.name}` is no word of this program", mark.name_span, help=help_text)

    # --- signatures and shapes

    def signature(self, signature: Signature) -> None:
        for item in (*signature.inputs, *signature.outputs):
            for dim in item.type.dims:
                if isinstance(dim, int) or dim == BATCH or isinstance(self.known.get(dim), Constant):
                    continue
                if dim.isidentifier() and dim == dim.lower():
                    self.variables.add(dim)
                else:
                    wanted = f"a variable is in lower case: `{dim.lower()}`"
                    if not dim.isidentifier():
                        wanted = "a dimension is a size or one name, without arithmetic; a variable is in lower case"
                    self.unknown_dimension(dim, item.span, wanted)

    def shape(self, shape: ShapeLiteral) -> None:
        for dim in shape.dims:
            known = isinstance(dim, int) or dim in self.variables or self.local(dim) is not None
            if not known and not isinstance(self.known.get(str(dim)), Constant):
                self.unknown_dimension(str(dim), shape.span, "a size is an integer, a CONSTANT or a dimension variable")

    def unknown_dimension(self, dim: str, span: Span, wanted: str) -> None:
        later = self.everything.get(dim)
        if isinstance(later, Constant):
            self.too_early(dim, span, later)
            return
        constants = [name for name, item in self.known.items() if isinstance(item, Constant)]
        near = did_you_mean(dim, [*constants, *self.variables])
        message = f"no CONSTANT `{shorten(dim)}` is defined here"
        self.sink.error("GS211", message, span, help=near or wanted)

    # --- bodies

    def body(self, body: Body) -> None:
        """Checks `body` in a scope of its own."""
        self.scopes.append({})
        self.words(body)
        self.scopes.pop()

    def words(self, body: Body) -> None:
        """Checks words in order; Forth's `' NAME` is one mistake, and the name is not looked at."""
        ticked = False
        for word, following in zip_longest(body, body[1:]):
            if not ticked:
                ticked = self.is_tick_of(word, following)
                if not ticked:
                    self.word(word)
            else:
                ticked = False

    def is_tick_of(self, word: Word, following: Word | None) -> bool:
        """Reports a `'` that means nothing here and has a name behind it."""
        if not (isinstance(word, Call) and word.name == "'" and isinstance(following, Call)):
            return False
        if self.local("'") is not None or "'" in self.known:
            return False
        help_text = f"write `['] {shorten(following.name)}`"
        self.sink.error("GS206", "Geode has no word `'`", word.span, help=help_text)
        return True

    def word(self, word: Word) -> None:
        match word:
            case Call():
                self.call(word)
            case Tick():
                if word.name in SYNTAX_WORDS:
                    help_text = "`[']` takes a word that could be called"
                    self.sink.error("GS212", f"`{word.name}` has no token", word.name_span, help=help_text)
                else:
                    self.name(word.name, word.name_span)
            case Locals():
                self.locals(word)
            case Store():
                self.store(word)
            case ShapeLiteral():
                self.shape(word)
            case If():
                self.body(word.then)
                self.body(word.orelse or ())
            case CountedLoop():
                self.loops += 1
                self.body(word.body)
                self.loops -= 1
            case Until():
                self.body(word.body)
            case While():
                # The condition runs before the body each time, so what it opens is in scope up to REPEAT.
                self.scopes.append({})
                self.words(word.condition)
                self.body(word.body)
                self.scopes.pop()
            case Integer() | Real() | String():
                pass

    def call(self, call: Call) -> None:
        name = call.name
        wanted = _LOOPS_WANTED.get(name, 0) if name in self.builtins else 0
        if self.loops < wanted:
            where = "outside a counted loop" if wanted == 1 else "outside a counted loop in another"
            help_text = "it belongs between `DO` and `LOOP` of this definition; a called word is given the index"
            self.sink.error("GS405", f"`{name}` stands {where}", call.span, help=help_text)
        self.name(name, call.span)

    def name(self, name: str, span: Span) -> None:
        if self.local(name) is not None or name in self.variables or name in self.known or name in self.builtins:
            if name == self.current and self.local(name) is None and name not in self.variables | self.builtins:
                self.sink.error("GS205", f"`{shorten(name)}` calls itself", span, help=_USE_A_LOOP)
            return
        self.unknown(name, span)

    def locals(self, word: Locals) -> None:
        for name, span in zip(word.names, word.name_spans, strict=True):
            first = self.local(name)
            if name in self.builtins:
                help_text = f"give the local another name, `{name.lower()}`" if name != name.lower() else None
                self.sink.error("GS208", f"the local `{name}` has the name of a built-in word", span, help=help_text)
            elif first is not None:
                notes = (("it is opened first here", first),)
                message = f"the local `{shorten(name)}` hides another"
                help_text = f"give it another name, or store in the one there is with `TO {shorten(name)}`"
                self.sink.error("GS207", message, span, help=help_text, notes=notes)
            self.scopes[-1].setdefault(name, span)

    def store(self, word: Store) -> None:
        name = word.name
        if self.local(name) is not None:
            return
        help_text = did_you_mean(name, [local for scope in self.scopes for local in scope])
        what = f"no local `{shorten(name)}` is in scope"
        if name in self.variables:
            what = f"`{name}` is a dimension of the signature, not a local"
        elif isinstance(self.known.get(name), Constant):
            what = f"`{shorten(name)}` is a CONSTANT, not a local"
        elif name in self.known or name in self.builtins:
            what = f"`{shorten(name)}` is a word, not a local"
        help_text = help_text or "`TO` stores in a local: open it before with `{ x }`"
        self.sink.error("GS209", what, word.name_span, help=help_text)

    def local(self, name: str | int) -> Span | None:
        """Where the local `name` was opened, if it is in scope."""
        return next((scope[name] for scope in self.scopes if name in scope), None) if isinstance(name, str) else None

    # --- names that mean nothing

    def unknown(self, name: str, span: Span) -> None:
        if name in (self.current, "RECURSE"):
            message = f"`{shorten(name)}` calls itself" if name == self.current else "a word cannot call itself"
            self.sink.error("GS205", message, span, help=_USE_A_LOOP)
        elif (later := self.everything.get(name)) is not None:
            self.too_early(name, span, later)
        elif (instead := INSTEAD.get(name.upper())) is not None:
            self.sink.error("GS206", f"Geode has no word `{name}`", span, help=instead)
        else:
            self.sink.error("GS201", f"unknown word `{shorten(name)}`", span, help=self.guess(name))

    def too_early(self, name: str, span: Span, later: Definition | Constant) -> None:
        notes = (("it is defined here", later.name_span),)
        message = f"`{shorten(name)}` is used before it is defined"
        help_text = "move its definition up; words that call each other want a loop instead"
        self.sink.error("GS202", message, span, help=help_text, notes=notes)

    def guess(self, name: str) -> str | None:
        """What an unknown name may have meant."""
        in_scope = {local for scope in self.scopes for local in scope} | self.variables
        known = in_scope | set(self.known) | self.builtins
        other = other_name(name)
        if other is not None and did_you_mean(name, in_scope | set(self.known)) is None:
            return other
        near = did_you_mean(name, known)
        if near is not None:
            other_case = any(word.upper() == name.upper() for word in known)
            return f"{near} Case matters" if other_case else near
        if name.startswith("\\"):
            return "a comment starts with `\\` and a space"
        if name.startswith("("):
            return "a comment starts with `(` and a space, and ends with a space and `)`"
        if looks_like_number(name):
            return "numbers are written `42`, `-7`, `1_000`, `0.01`, `.5`, `1e-3`"
        if '"' in name:
            return 'a string starts with `"` after white space, and ends with `"` on the same line'
        return None
