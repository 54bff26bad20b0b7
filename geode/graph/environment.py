"""The names of a program: its definitions, its CONSTANTs, which words share weights, and how call sites are numbered.

In: a checked `Program`. Out: an `Environment` that the machine and MAIN look names up in.
Invariant: a call site's number counts the calls of the same word in the text of one definition, compiled or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from geode.diagnostics import Diagnostic
from geode.graph.fold_constants import to_float32
from geode.graph.graph import Trail
from geode.graph.trials import TrialsNow
from geode.record import dataclass
from geode.source import Span
from geode.syntax.word import (
    Body,
    Call,
    Constant,
    CountedLoop,
    Definition,
    If,
    Integer,
    Locals,
    Program,
    Real,
    SharedMark,
    Tick,
    Until,
    While,
    Word,
)

ConstantValue = int | float | str

# Words that open a layer and so give their definition's parameters a number, and those that only add to one.
LAYER_WORDS = frozenset({"LINEAR", "AFFINE", "PARAM", "EMBED", "CONV2D", "LAYERNORM", "RMSNORM"})
RANDOM_WORDS = frozenset({"RAND", "RANDN", "MEMBER-RANDN"})
PARAMETER_WORDS = LAYER_WORDS | {"BIAS"}


@dataclass(slots=True)
class Environment:
    """What a name stands for. `constants` is filled in by whoever evaluates them (`-D` values included)."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    constants: dict[str, ConstantValue] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    shown: list[tuple[Span | None, str]] = field(default_factory=list)  # what `.S` has printed
    doubts: list[Diagnostic] = field(default_factory=list)  # warnings of what is computed while compiling
    _draws: dict[str, bool] = field(default_factory=dict)
    _locals: dict[str, Mapping[int, str]] = field(default_factory=dict)
    words_run: int = 0  # of the stage that is being compiled
    trials: TrialsNow = field(default_factory=TrialsNow)
    _numbers: dict[str, Mapping[int, int]] = field(default_factory=dict)

    def doubt(self, word: str, args: Sequence[float], result: float, span: Span | None, trail: Trail) -> None:
        """Notes GS313 if `word` makes of constants that are finite float32 values one that is not."""
        finite = [math.isfinite(to_float32(float(value))) for value in (*args, result)]
        if finite[-1] or not all(finite[:-1]):
            return
        shown = "not a number" if math.isnan(result) else "infinite as a float32"
        meant = "NAN" if math.isnan(result) else "INF" if result > 0 else "INF NEGATE"
        help_text = f"write `{meant}` where that is meant"
        given = " and ".join(f"{value:.9g}" for value in args)
        message = f"`{word}` of {given} is {shown}"
        self.doubts.append(Diagnostic("GS313", message, span, help=help_text, trail=trail, severity="warning"))

    def call_number(self, definition: Definition, offset: int) -> int:
        """Which call (from 1) of its word stands at `offset` in the text of `definition`; layer words of one family
        count together per kind of parameter name.
        """
        numbers = self._numbers.get(definition.name)
        if numbers is None:
            numbers = _number_calls(definition)
            self._numbers[definition.name] = numbers
        return numbers.get(offset, 1)

    def parameter_local(self, definition: Definition, offset: int) -> str | None:
        """The local that the PARAM at `offset` is put straight into (only INIT words and TRAINABLE between), if any."""
        names = self._locals.get(definition.name)
        if names is None:
            names = _parameter_locals(definition.body)
            self._locals[definition.name] = names
        return names.get(offset)

    def draws(self, definition: Definition) -> bool:
        """True if a random word stands in the word or in a word that it calls: such a word is always inlined, so that
        the rows' counts of draws stay in one place."""
        known = self._draws.get(definition.name)
        if known is None:
            called = [w.name for w in walk(definition.body) if isinstance(w, Call | Tick)]
            inner = [self.definitions[name] for name in called if name in self.definitions]
            known = not RANDOM_WORDS.isdisjoint(called) or any(map(self.draws, inner))
            self._draws[definition.name] = known
        return known

    def has_loops(self, definition: Definition) -> bool:
        """True if a loop stands in the word or in a word that it calls."""
        for word in walk(definition.body):
            if isinstance(word, CountedLoop | Until | While):
                return True
            inner = self.definitions.get(word.name) if isinstance(word, Call | Tick) else None
            if inner is not None and self.has_loops(inner):
                return True
        return False

    def is_unit(self, definition: Definition) -> bool:
        """True if the word is compiled on its own: a parameter word stands in its own body. A word that names the batch
        axis is always inlined, since it may end the row work with a reduction.
        """
        return (
            not names_batch(definition)
            and not self.draws(definition)
            and any(isinstance(word, Call) and word.name in PARAMETER_WORDS for word in walk(definition.body))
        )


def environment_of(program: Program) -> Environment:
    """The environment of a program; CONSTANTs are not yet evaluated."""
    definitions = {item.name: item for item in program.items if isinstance(item, Definition)}
    marked = {item.name for item in program.items if isinstance(item, SharedMark)}
    shared = marked | {name for name, definition in definitions.items() if definition.shared}
    return Environment(definitions=definitions, shared=frozenset(shared))


def constants_of(program: Program) -> tuple[Constant, ...]:
    """The CONSTANTs in source order."""
    return tuple(item for item in program.items if isinstance(item, Constant))


def names_batch(definition: Definition) -> bool:
    """True if the signature names `b`."""
    signature = definition.signature
    return any(item.type.dims[:1] == ("b",) for item in (*signature.inputs, *signature.outputs))


def walk(body: Body) -> Iterator[Word]:
    """Every word of a body in source order, those inside control words after the control word itself."""
    for word in body:
        yield word
        match word:
            case If(then, orelse):
                yield from walk(then)
                yield from walk(orelse or ())
            case CountedLoop(inner) | Until(inner):
                yield from walk(inner)
            case While(condition, inner):
                yield from walk(condition)
                yield from walk(inner)
            case _:
                pass


def _number_calls(definition: Definition) -> Mapping[int, int]:
    seen: dict[str, int] = {}
    numbers: dict[int, int] = {}
    for word in walk(definition.body):
        if isinstance(word, Call | Tick):
            name = _parameter_family(word.name)
            seen[name] = seen.get(name, 0) + 1
            numbers[word.span.start] = seen[name]
    return numbers


def _parameter_locals(body: Body) -> dict[int, str]:
    found: dict[int, str] = {}
    waiting: int | None = None
    for word in walk(body):
        match word:
            case Call("PARAM" | "~", span):
                waiting = span.start
            case Locals(names) if waiting is not None:
                found[waiting] = names[-1]
                waiting = None
            case Call(name) if name == "TRAINABLE" or name.startswith("INIT-"):
                pass
            case Integer() | Real():
                pass
            case _:
                waiting = None
    return found


def _parameter_family(name: str) -> str:
    """Layer words whose parameters bear the same name count together."""
    if name in ("LINEAR", "AFFINE", "EMBED", "CONV2D"):
        return "weight"
    if name in ("LAYERNORM", "RMSNORM"):
        return "gain"
    return name
