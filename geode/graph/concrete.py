"""The concrete machine: literals, arithmetic on constants and stack words, run while compiling.

In: the body of a CONSTANT, or of MAIN through `main_to_stages`. Out: Python values on a stack.
Invariant: an `int` is an `n`, a `float` an `r`; a failure is a CompileError at the word that failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NoReturn

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.concrete_flags import COMPARISONS, LOGIC
from geode.graph.environment import Environment, constants_of
from geode.graph.graph import Trail
from geode.graph.machine import BEYOND_HELP
from geode.graph.values import Flag, ShapeValue
from geode.record import dataclass
from geode.source import Span
from geode.syntax.read_literal import INTEGER_LIMIT, read_literal
from geode.syntax.word import Call, Integer, Program, Real, String, Word
from geode.vocabulary import WORDS


@dataclass(frozen=True, slots=True)
class TokenValue:
    """`['] NAME` and where it stands."""

    word: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class DataValue:
    """A data set: which file, and which of its rows (`count` None: all from `first` on)."""

    file: int
    first: int = 0
    count: int | None = None


@dataclass(frozen=True, slots=True)
class BatchValue:
    """A choice of rows: `kind` all, sample or episodes; `rows` per epoch for the last two."""

    kind: str
    data: DataValue | None
    rows: int = 0


ConcreteValue = int | float | str | Flag | ShapeValue | TokenValue | DataValue | BatchValue


@dataclass(slots=True)
class ConcreteMachine:
    """A stack of values, and what messages need."""

    environment: Environment
    stack: list[ConcreteValue] = field(default_factory=list)
    trail: Trail = ()
    word: str = ""
    span: Span | None = None
    before: tuple[ConcreteValue, ...] = ()

    def begin(self, word: str, span: Span) -> None:
        """Marks the word that runs next, for messages."""
        self.word, self.span, self.before = word, span, tuple(self.stack)

    def fail(
        self,
        code: str,
        message: str,
        *,
        wanted: str | None = None,
        help: str | None = None,  # noqa: A002 -- the field's name
    ) -> NoReturn:
        """Raises the error of the word that is being run."""
        raise CompileError(
            Diagnostic(
                code,
                message,
                self.span,
                stack=" ".join(map(concrete_type, self.before)) or "(empty)",
                wanted=wanted,
                help=help,
                trail=self.trail,
            )
        )

    def need(self, count: int, wanted: str, advice: str | None = None) -> None:
        """Fails, with `advice` as its help, unless the stack holds `count` values."""
        if len(self.stack) < count:
            self.fail("GS302", f"`{self.word}` takes more values than the stack holds", wanted=wanted, help=advice)

    def run_plain(self, word: Word) -> bool:
        """Runs a literal, a CONSTANT, a stack word or arithmetic; False if the word is something else."""
        match word:
            case Integer(value, span):
                self.begin(str(value), span)
                self.stack.append(value)
            case Real(value, text, span):
                self.begin(text, span)
                self.stack.append(value)
            case String(value, span):
                self.begin("a string", span)
                self.stack.append(value)
            case Call(name, span):
                self.begin(name, span)
                return self._run_name(name)
            case _:
                return False
        return True

    def _run_flags(self, name: str, wanted: str) -> None:
        """A comparison, a word of logic, or SELECT."""
        arity, rule = {**COMPARISONS, **LOGIC}.get(name, (3, None))
        self.need(arity, wanted)
        taken = self.stack[len(self.stack) - arity :]
        del self.stack[len(self.stack) - arity :]
        if rule is None:
            x, y, chosen = taken
            if not isinstance(chosen, Flag) or not _same_type(x, y):
                self.fail("GS303", "`SELECT` wants two values of one type and a flag", wanted=wanted)
            self.stack.append(x if chosen.value else y)
            return
        kind: type | tuple[type, type] = Flag if name in LOGIC else (int, float)
        if not all(isinstance(value, kind) for value in taken):
            self.fail("GS308" if name in LOGIC else "GS303", f"`{name}` wants {wanted} here", wanted=wanted)
        operands = [value.value if isinstance(value, Flag) else value for value in taken]
        self.stack.append(Flag(rule(*operands)))

    def _run_name(self, name: str) -> bool:
        if name in self.environment.constants:
            self.stack.append(self.environment.constants[name])
            return True
        entry = WORDS.get(name)
        if entry is None:
            return False
        if entry.shuffle is not None:
            taken, left = entry.shuffle
            self.need(len(taken), " ".join(taken))
            values = dict(zip(taken, self.stack[len(self.stack) - len(taken) :], strict=True))
            del self.stack[len(self.stack) - len(taken) :]
            self.stack.extend(values[label] for label in left)
            return True
        if name in COMPARISONS or name in LOGIC or name == "SELECT":
            self._run_flags(name, entry.effect.strip("( )").partition("--")[0].strip())
            return True
        if entry.number is None:
            return False
        arity, rule = entry.number
        wanted = entry.effect.strip("( )").partition("--")[0].strip()
        self.need(arity, wanted)
        operands = self.stack[len(self.stack) - arity :]
        numbers = [v for v in operands if isinstance(v, int | float)]
        if len(numbers) != arity:
            self.fail("GS303", f"`{name}` wants numbers here", wanted=wanted)
        del self.stack[len(self.stack) - arity :]
        try:
            result = rule(*numbers)
        except OverflowError:
            result = INTEGER_LIMIT
        if isinstance(result, int) and not -INTEGER_LIMIT <= result < INTEGER_LIMIT:
            self.fail("GS310", f"`{name}` gives an integer that does not fit in 64 bits", help=BEYOND_HELP)
        if numbers:
            self.environment.doubt(name, numbers, result, self.span, self.trail)
        self.stack.append(result)
        return True


def _same_type(a: ConcreteValue, b: ConcreteValue) -> bool:
    return type(a) is type(b) or (isinstance(a, int | float) and isinstance(b, int | float))


def concrete_type(value: ConcreteValue) -> str:
    """The type of a concrete value as messages print it."""
    match value:
        case int():
            return "n"
        case float():
            return "r"
        case str():
            return "s"
        case Flag():
            return "f"
        case ShapeValue(shape):
            return ":".join(["shape", *map(str, shape)])
        case TokenValue():
            return "xt"
        case DataValue():
            return "data"
        case BatchValue():
            return "batch"


def evaluate_constants(program: Program, environment: Environment, defines: Mapping[str, str], sink: Sink) -> None:
    """Fills in `environment.constants` in source order; a `-D NAME=value` replaces the value where it is defined."""
    for constant in constants_of(program):
        machine = ConcreteMachine(environment)
        try:
            for word in constant.value:
                if not machine.run_plain(word):
                    machine.begin(word.span.text, word.span)
                    machine.fail("GS609", f"`{word.span.text}` can't be part of a CONSTANT", help=_CONSTANT_HELP)
            if len(machine.stack) != 1:
                machine.begin("CONSTANT", constant.span)
                count = len(machine.stack) or "none"
                machine.fail("GS609", f"`CONSTANT {constant.name}` takes one value, here stand {count}")
            value = machine.stack[0]
            if not isinstance(value, int | float | str):
                machine.fail("GS609", f"a {concrete_type(value)} can't be a CONSTANT", help=_CONSTANT_HELP)
            environment.constants[constant.name] = value
        except CompileError as error:
            sink.add(error.diagnostic)
            environment.constants.setdefault(constant.name, 1)
            continue
        if constant.name in defines:
            _redefine(environment, constant.name, defines[constant.name], constant.name_span, sink)


_CONSTANT_HELP = "a CONSTANT is an integer, a real or a string, or arithmetic on literals and CONSTANTs"


def _redefine(environment: Environment, name: str, text: str, span: Span, sink: Sink) -> None:
    """The value that `-D NAME=text` gives, of the type that the source gives."""
    old = environment.constants[name]
    if isinstance(old, str):
        environment.constants[name] = text
        return
    problems = Sink()
    literal = read_literal(text, span, problems)
    new = literal.value if isinstance(literal, Integer | Real) and not len(problems) else None
    if new is None or (isinstance(old, int) and isinstance(new, float)):
        wanted = "an integer within 64 bits" if isinstance(old, int) else "a number within float32"
        sink.error("GS611", f"-D {name}={text}: `{name}` is {wanted}", span)
        return
    environment.constants[name] = new if isinstance(old, int) else float(new)
