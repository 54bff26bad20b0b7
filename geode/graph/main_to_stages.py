"""MAIN -> the training program: the stages in order, each with all of its settings and the data that it reads.

In: an environment with its CONSTANTs. Out: a `TrainingProgram`, or diagnostics.
Invariant: MAIN runs while compiling; a stage has the settings made before it, every value within its range.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import NoReturn

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.check_signatures import SIZE_HELP
from geode.graph.concrete import BatchValue, ConcreteMachine, ConcreteValue, DataValue, TokenValue, concrete_type
from geode.graph.environment import Environment
from geode.graph.idle_settings import IdleSettings
from geode.graph.main_control import Scope, loop_word, run_control
from geode.graph.stage_words import STAGE_WORDS
from geode.graph.training_program import DataFile, Stage, TrainingProgram
from geode.graph.values import ShapeValue
from geode.graph.words_to_graph import DEEPEST_CALLS
from geode.record import dataclass
from geode.settings import FIELDS, SETTING_WORDS, Setting, Value, check_given, defaults
from geode.source import Span
from geode.syntax.read_literal import LONGEST_AXIS, looks_like_number
from geode.syntax.word import (
    Body,
    Call,
    CountedLoop,
    Definition,
    If,
    Locals,
    ShapeLiteral,
    SignatureItem,
    Store,
    Tick,
    TypeText,
    Until,
    While,
    Word,
)


@dataclass(slots=True)
class Main:
    """MAIN being run: the settings made so far, the data files and the stages."""

    environment: Environment
    machine: ConcreteMachine
    sink: Sink
    files: list[DataFile] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=defaults)
    chosen: dict[str, tuple[str, Span]] = field(default_factory=dict)
    places: dict[str, tuple[str, Span]] = field(default_factory=dict)  # which word set a field last, and where
    idle: IdleSettings = field(default_factory=IdleSettings)
    objective: bool = False
    given: Mapping[str, Value] = field(default_factory=dict)  # settings that -D gives for every stage
    words: int = 0  # run so far

    # --- words

    def run_word(self, definition: Definition) -> None:
        """Runs a word of MAIN's kind: settings, data, stages and arithmetic on constants."""
        signature = definition.signature
        machine = self.machine
        count = len(signature.inputs)
        outer = machine.stack
        machine.stack = outer[len(outer) - count :]
        del outer[len(outer) - count :]
        for place, (item, value) in enumerate(zip(signature.inputs, machine.stack, strict=True)):
            if not _fits(item.type, value):
                machine.fail(
                    "GS303",
                    f"`{definition.name}` can't take these values: `{item}` does not take {concrete_type(value)}",
                    wanted=_types(signature.inputs),
                    help=f"a stage takes the word's token: ['] {definition.name}"
                    if isinstance(value, DataValue | BatchValue)
                    else None,
                )
            machine.stack[place] = _widened(item.type, value)
        if definition.name != "MAIN" and machine.span is not None:
            machine.trail = ((definition.name, machine.span), *machine.trail)
        self.run_body(definition.body, Scope(definition))
        left = machine.stack
        if len(left) != len(signature.outputs) or not all(
            _fits(item.type, value) for item, value in zip(signature.outputs, left, strict=True)
        ):
            before = _types(signature.inputs)
            raise CompileError(
                Diagnostic(
                    "GS301",
                    f"the body does not leave what the signature of `{definition.name}` declares",
                    signature.span,
                    declared=f"{before} -- {_types(signature.outputs)}".strip(),
                    inferred=f"{before} -- {' '.join(map(concrete_type, left))}".strip(),
                    trail=machine.trail,
                )
            )
        results = [_widened(item.type, value) for item, value in zip(signature.outputs, left, strict=True)]
        machine.trail = machine.trail[1:]
        machine.stack = [*outer, *results]

    def run_body(self, body: Body, scope: Scope) -> None:
        """Runs the words of a body in order."""
        for word in body:
            self.words += 1
            if self.words > _MOST_WORDS:
                self.machine.begin(word.span.text.split()[0], word.span)
                self.machine.fail("GS409", f"MAIN runs more than {_MOST_WORDS} words while compiling")
            self.run(word, scope)

    def run(self, word: Word, scope: Scope) -> None:
        """Runs one word."""
        machine = self.machine
        match word:
            case Call(name, span) if name not in scope.local and self.run_name(name, span, scope):
                pass
            case Call(name, span) if name in scope.local:
                machine.begin(name, span)
                machine.stack.append(scope.local[name])
            case ShapeLiteral((), span) if "r" in scope.local:
                machine.begin("r", span)
                machine.stack.append(scope.local["r"])
            case ShapeLiteral(dims, span):
                machine.begin("a shape", span)
                machine.stack.append(ShapeValue(tuple(self.size(dim, scope) for dim in dims)))
            case Tick(name, span):
                machine.begin("[']", span)
                machine.stack.append(TokenValue(name, span))
            case Locals(names, span):
                machine.begin("{", span)
                machine.need(len(names), " ".join(names))
                for name in reversed(names):
                    scope.local[name] = machine.stack.pop()
            case Store(name, span):
                machine.begin(f"TO {name}", span)
                machine.need(1, name)
                self.store(name, scope.local)
            case If() | CountedLoop() | Until() | While():
                run_control(machine, word, scope, self.run_body)
            case _:
                if not machine.run_plain(word):
                    self.refuse(word, scope.definition)

    def run_name(self, name: str, span: Span, scope: Scope) -> bool:
        """Runs a word of the program, a settings, stage or loop word; False if the name is none of them."""
        machine = self.machine
        if name in self.environment.definitions:
            machine.begin(name, span)
            if len(machine.trail) >= DEEPEST_CALLS:
                machine.fail("GS312", f"at `{name}` MAIN makes calls more than {DEEPEST_CALLS} deep")
            called = self.environment.definitions[name]
            machine.need(len(called.signature.inputs), _types(called.signature.inputs))
            self.run_word(called)
        elif name in SETTING_WORDS:
            machine.begin(name, span)
            self.setting(name, span)
        elif name in STAGE_WORDS:
            machine.begin(name, span)
            STAGE_WORDS[name](self, span)
        elif name in ("I", "J", "LEAVE"):
            machine.begin(name, span)
            loop_word(machine, name, scope)
        else:
            return False
        return True

    def refuse(self, word: Word, definition: Definition) -> NoReturn:
        """Fails at a word that computes, or anything else that has no place in MAIN."""
        machine = self.machine
        text = word.span.text.split()[0]
        machine.begin(text, word.span)
        if definition.name == "MAIN":
            where = "`MAIN`, which runs while compiling"
            help_text = "MAIN holds settings, data and stages; put what is computed into a word of its own"
        else:
            where = f"`{definition.name}`, which MAIN runs while compiling"
            help_text = f"if `{definition.name}` is what a stage runs, hand its token over: ['] {definition.name}"
        machine.fail("GS608", f"`{text}` can't stand in {where}", help=help_text)

    def size(self, dim: int | str, scope: Scope) -> int:
        """An axis of a shape: a number, a local or a CONSTANT."""
        size = dim if isinstance(dim, int) else scope.local.get(dim, self.environment.constants.get(dim))
        if not isinstance(size, int) or not 1 <= size <= LONGEST_AXIS:
            self.machine.fail("GS305", f"`{dim}` is no size", help=SIZE_HELP)
        return size

    def store(self, name: str, local: dict[str, ConcreteValue]) -> None:
        """`TO`: the new value has the old one's type, an `n` widened to `r`."""
        machine = self.machine
        value, held = machine.stack.pop(), local[name]
        numbers = isinstance(value, int | float) and isinstance(held, int | float)
        if isinstance(held, TokenValue) or not (numbers or type(value) is type(held)):
            machine.fail("GS307", f"`TO {name}` stores {concrete_type(value)} in a local of type {concrete_type(held)}")
        local[name] = float(value) if isinstance(held, float) and isinstance(value, int) else value

    # --- settings

    def setting(self, name: str, span: Span) -> None:
        """A settings word; a wrong value or a second choice is told, and MAIN goes on."""
        machine = self.machine
        word = SETTING_WORDS[name]
        wanted = " ".join(_KINDS[FIELDS[field_name].kind] for field_name in word.takes)
        behind = _literal_behind(span)
        order = f"what it takes stands before it: `{behind} {name}`" if behind and len(word.takes) == 1 else None
        machine.need(len(word.takes), wanted, order)
        taken = [machine.stack.pop() for _ in word.takes][::-1]
        try:
            for field_name, value in zip(word.takes, taken, strict=True):
                self.assign(FIELDS[field_name], value, wanted)
            for field_name, fixed in word.fixes:
                if field_name == "direction":
                    self.objective = True
                if FIELDS[field_name].exclusive and name.startswith(tuple(_EXCLUSIVE_PREFIXES)):
                    self.choose(field_name, name, span)
                self.values[field_name] = fixed
                self.places[field_name] = self.idle.waiting[field_name] = (name, span)
            if name in ("ANTITHETIC", "INDEPENDENT"):
                self.choose("sampling", name, span)
        except CompileError as error:
            self.sink.add(error.diagnostic)

    def assign(self, setting: Setting, value: ConcreteValue, wanted: str) -> None:
        """Gives a setting its value, which must be of its type and within its range."""
        machine = self.machine
        if setting.kind == "integer" and isinstance(value, float):
            message = f"`{machine.word}` takes {setting.range_text}, not the real number {_value_text(value)}"
            machine.fail("GS602", message, wanted=wanted, help=_real_help(setting, value, machine.word))
        if isinstance(value, int | float | str) and (isinstance(value, str) == (setting.kind == "text")):
            plain: Value = float(value) if isinstance(value, int) and setting.kind == "real" else value
            if check_given(setting, plain) is not None:
                range_text = "a text that is not empty" if setting.kind == "text" else setting.range_text
                message = f"`{machine.word}` takes {range_text}, not {_value_text(value)}"
                machine.fail("GS603", message, help=_what(setting))
            self.values[setting.field] = plain
            if machine.span is not None:
                self.places[setting.field] = self.idle.waiting[setting.field] = (machine.word, machine.span)
            return
        machine.fail(
            "GS602",
            f"`{machine.word}` takes {setting.range_text}, not {concrete_type(value)}",
            wanted=wanted,
            help=_what(setting),
        )

    def choose(self, field_name: str, name: str, span: Span) -> None:
        """Two words of one kind with no TRAIN between them contradict each other, unless they are the same word."""
        earlier = self.chosen.get(field_name)
        if earlier is not None and earlier[0] != name:
            raise CompileError(
                Diagnostic(
                    "GS604",
                    f"`{name}` and `{earlier[0]}` choose the same thing, and no TRAIN stands between them",
                    span,
                    help="keep one of them",
                    notes=((f"`{earlier[0]}` stands here", earlier[1]),),
                    trail=self.machine.trail,
                )
            )
        self.chosen[field_name] = (name, span)

    def settings(self) -> dict[str, Value]:
        """Every setting as the next stage has it."""
        return {**self.values, **self.given}

    # --- the stack

    def take(self, wanted: str, what: str, *types: type[ConcreteValue]) -> list[ConcreteValue]:
        """The top values, the deepest first, which must be of these types; `what` describes them in the message."""
        machine = self.machine
        stack = machine.stack
        top = stack[len(stack) - len(types) :] if len(stack) >= len(types) else None
        if top is None or not all(isinstance(value, type_) for value, type_ in zip(top, types, strict=True)):
            machine.fail("GS610", f"`{machine.word}` takes {what}", wanted=wanted)
        del stack[len(stack) - len(types) :]
        return top


_MOST_WORDS = 100_000
_EXCLUSIVE_PREFIXES = (
    "OBJECTIVE",
    "SCORE",
    "SGD",
    "RMSPROP",
    "ADAM",
    "MUON",
    "ES-",
    "EGGROLL",
    "OMELETTE",
    "SIGMA",
    "ALPHA",
)
_KINDS = {"integer": "n", "real": "r", "text": "s"}


def _literal_behind(span: Span) -> str | None:
    """The literal, a number or a string, that the text has directly behind a word."""
    found = re.match(r'\s+([-+.\d]\S*|"[^"\n]*")(?=\s|$)', span.source.text[span.end :])
    return found[1] if found is not None and (found[1][0] == '"' or looks_like_number(found[1])) else None


def _types(items: tuple[SignatureItem, ...]) -> str:
    return " ".join(map(str, items))


def _fits(declared: TypeText, value: ConcreteValue) -> bool:
    """True if a value of MAIN has the declared type; there an `r` is a scalar."""
    found = concrete_type(value)
    return (declared.kind == found or (declared.kind, found) == ("r", "n")) and not declared.dims


def _widened(declared: TypeText, value: ConcreteValue) -> ConcreteValue:
    return float(value) if declared.kind == "r" and isinstance(value, int) else value


def _value_text(value: float | str) -> str:
    """A value as a program writes it."""
    match value:
        case str():
            return f'"{value}"'
        case int():
            return str(value)
        case _:
            return f"{value:.9g}"


def _real_help(setting: Setting, value: float, word: str) -> str:
    """What to write where an integer is wanted and a real stands."""
    if word == "EGGROLL":
        return "sigma comes first, then the rank: `0.01 4 EGGROLL`"
    if value.is_integer() and abs(value) < 2**53:
        return f"an integer is written without a point and an exponent: {int(value)}"
    return _what(setting)


def _what(setting: Setting) -> str:
    """What a setting is, for a help line."""
    return f"{setting.word}: {setting.help}"


def main_to_stages(environment: Environment, sink: Sink, given: Mapping[str, Value] | None = None) -> TrainingProgram:
    """Runs MAIN. What fails is put in `sink`; the stages before it are still returned. `given` are settings by field that
    replace what MAIN says of them.
    """
    main = Main(environment, ConcreteMachine(environment), sink, given=given or {})
    definition = environment.definitions["MAIN"]
    if definition.signature.inputs or definition.signature.outputs:
        sink.error("GS607", "`MAIN` takes and leaves nothing: ( -- )", definition.signature.span)
        return TrainingProgram((), ())
    try:
        main.run_word(definition)
    except CompileError as error:
        sink.add(error.diagnostic)
    else:
        if not main.stages:
            help_text = 'end it with: "rows.csv" 100 CSV-INPUT ALL [\'] OBJECTIVE TRAIN'
            sink.error("GS607", "`MAIN` runs no stage", definition.name_span, help=help_text)
        else:
            main.idle.report(sink)
    return TrainingProgram(tuple(main.files), tuple(main.stages))
