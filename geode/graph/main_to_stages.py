"""MAIN -> the training program: the stages in order, each with all of its settings and the data that it reads.

In: an environment with its CONSTANTs. Out: a `TrainingProgram`, or diagnostics.
Invariant: MAIN runs while compiling; a stage has the settings made before it, every value within its range.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.concrete import BatchValue, ConcreteMachine, ConcreteValue, DataValue, TokenValue, concrete_type
from geode.graph.environment import Environment
from geode.settings import FIELDS, SETTING_WORDS, Setting, Value, check_value, check_values, defaults
from geode.source import Span
from geode.syntax.word import Body, Call, Definition, Locals, Store, Tick, Word

StageKind = Literal["train", "evaluate", "predict"]


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of rows: `row_floats` numbers each."""

    path: str
    kind: Literal["csv"]
    row_floats: int


@dataclass(frozen=True, slots=True)
class Stage:
    """One TRAIN, EVALUATE or PREDICT. `settings` holds every field of the settings table."""

    kind: StageKind
    word: str
    batch: BatchValue
    settings: dict[str, Value]
    span: Span
    path: str | None = None


@dataclass(frozen=True, slots=True)
class TrainingProgram:
    """What MAIN says."""

    files: tuple[DataFile, ...]
    stages: tuple[Stage, ...]


@dataclass(slots=True)
class _Main:
    environment: Environment
    machine: ConcreteMachine
    files: list[DataFile] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=defaults)
    chosen: dict[str, tuple[str, Span]] = field(default_factory=dict)
    objective: bool = False

    # --- words

    def run_word(self, definition: Definition) -> None:
        """Runs a word of MAIN's kind: settings, data, stages and arithmetic on constants."""
        signature = definition.signature
        machine = self.machine
        machine.need(len(signature.inputs), " ".join(map(str, signature.inputs)))
        base = len(machine.stack) - len(signature.inputs)
        self.run_body(definition.body, {}, definition)
        left = len(machine.stack) - base
        if left != len(signature.outputs):
            before = " ".join(map(str, signature.inputs))
            inferred = " ".join(map(concrete_type, machine.stack[max(base, 0) :]))
            raise CompileError(
                Diagnostic(
                    "GS301",
                    f"the body does not leave what the signature of `{definition.name}` declares",
                    signature.span,
                    declared=f"{before} -- {' '.join(map(str, signature.outputs))}".strip(),
                    inferred=f"{before} -- {inferred}".strip(),
                    trail=machine.trail[1:],
                )
            )

    def run_body(self, body: Body, local: dict[str, ConcreteValue], definition: Definition) -> None:
        for word in body:
            self.run(word, local, definition)

    def run(self, word: Word, local: dict[str, ConcreteValue], definition: Definition) -> None:
        machine = self.machine
        machine.span = word.span
        match word:
            case Call(name) if name in local:
                machine.word = name
                machine.stack.append(local[name])
            case Call(name, span) if name in self.environment.definitions:
                machine.word = name
                outer = machine.trail
                machine.trail = ((name, span), *outer)
                self.run_word(self.environment.definitions[name])
                machine.trail = outer
            case Tick(name, span):
                machine.stack.append(TokenValue(name, span))
            case Locals(names):
                machine.word = "{"
                machine.need(len(names), " ".join(names))
                for name in reversed(names):
                    local[name] = machine.stack.pop()
            case Store(name):
                machine.word = f"TO {name}"
                machine.need(1, name)
                local[name] = machine.stack.pop()
            case Call(name, span) if name in SETTING_WORDS:
                machine.word = name
                self.setting(name, span)
            case Call(name, span) if name in _STAGE_WORDS:
                machine.word = name
                _STAGE_WORDS[name](self, span)
            case _:
                if not machine.run_plain(word):
                    text = word.span.text.split()[0]
                    machine.fail(
                        "GS608",
                        f"`{text}` can't stand in `{definition.name}`, which MAIN runs while compiling",
                        help="MAIN holds settings, data and stages; put what is computed into a word of its own",
                    )

    # --- settings

    def setting(self, name: str, span: Span) -> None:
        machine = self.machine
        word = SETTING_WORDS[name]
        machine.need(len(word.takes), " ".join(word.takes))
        taken = [machine.stack.pop() for _ in word.takes][::-1]
        for field_name, value in zip(word.takes, taken, strict=True):
            self.assign(FIELDS[field_name], value)
        for field_name, fixed in word.fixes:
            if field_name == "direction":
                self.objective = True
            if FIELDS[field_name].exclusive and name.startswith(tuple(_EXCLUSIVE_PREFIXES)):
                self.choose(field_name, name, span)
            self.values[field_name] = fixed
        if name in ("ANTITHETIC", "INDEPENDENT"):
            self.choose("sampling", name, span)

    def assign(self, setting: Setting, value: ConcreteValue) -> None:
        plain: Value
        if isinstance(value, int) and setting.kind == "real":
            plain = float(value)
        elif isinstance(value, int | float | str):
            plain = value
        else:
            self.machine.fail("GS602", f"`{self.machine.word}` takes {setting.range_text}, not {concrete_type(value)}")
        problem = check_value(setting, plain)
        if problem is not None:
            self.machine.fail("GS603", problem)
        self.values[setting.field] = plain

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

    # --- data and stages

    def csv_input(self, span: Span) -> None:
        path, columns = self.take("s n", str, int)
        assert isinstance(path, str)
        assert isinstance(columns, int)
        if columns < 1:
            self.machine.fail("GS603", f"`CSV-INPUT` takes rows of at least one number, not {columns}")
        if not path:
            self.machine.fail("GS603", "`CSV-INPUT` takes a path, not an empty string")
        self.files.append(DataFile(path, "csv", columns))
        self.machine.stack.append(DataValue(len(self.files) - 1))

    def all_rows(self, span: Span) -> None:
        (data,) = self.take("data", DataValue)
        assert isinstance(data, DataValue)
        self.machine.stack.append(BatchValue("all", data))

    def train(self, span: Span) -> None:
        batch, token = self.take("batch xt", BatchValue, TokenValue)
        assert isinstance(batch, BatchValue)
        assert isinstance(token, TokenValue)
        if not self.objective:
            self.machine.fail(
                "GS605",
                "this stage doesn't know whether to minimise or to maximise",
                help="write OBJECTIVE-LOSS or OBJECTIVE-REWARD before TRAIN",
            )
        problem = check_values(self.values)
        if problem is not None:
            self.machine.fail("GS603", problem)
        self.stages.append(Stage("train", token.word, batch, dict(self.values), token.span))
        self.chosen.clear()

    def take(self, wanted: str, *types: type[ConcreteValue]) -> list[ConcreteValue]:
        """The top values, the deepest first, which must be of these types."""
        machine = self.machine
        stack = machine.stack
        top = stack[len(stack) - len(types) :] if len(stack) >= len(types) else None
        if top is None or not all(isinstance(value, type_) for value, type_ in zip(top, types, strict=True)):
            machine.fail("GS610", f"`{machine.word}` takes {_NAMES[wanted]}", wanted=wanted)
        del stack[len(stack) - len(types) :]
        return top


_EXCLUSIVE_PREFIXES = ("OBJECTIVE", "SCORE", "SGD", "RMSPROP", "ADAM", "MUON", "ES-", "EGGROLL", "OMELETTE")
_NAMES = {
    "s n": 'a path and the number of columns: "rows.csv" 100 CSV-INPUT',
    "data": 'a data set: "rows.csv" 100 CSV-INPUT ALL',
    "batch xt": "rows and a word: … ALL ['] OBJECTIVE TRAIN",
}
_STAGE_WORDS = {"CSV-INPUT": _Main.csv_input, "ALL": _Main.all_rows, "TRAIN": _Main.train}


def main_to_stages(environment: Environment, sink: Sink) -> TrainingProgram:
    """Runs MAIN. What fails is put in `sink`; the stages before it are still returned."""
    main = _Main(environment, ConcreteMachine(environment))
    definition = environment.definitions["MAIN"]
    try:
        if definition.signature.inputs or definition.signature.outputs:
            raise CompileError(
                Diagnostic("GS607", "`MAIN` takes and leaves nothing: ( -- )", definition.signature.span)
            )
        main.run_word(definition)
        if not main.stages:
            raise CompileError(
                Diagnostic(
                    "GS607",
                    "`MAIN` runs no stage",
                    definition.name_span,
                    help="\"rows.csv\" 100 CSV-INPUT ALL ['] OBJECTIVE TRAIN",
                )
            )
    except CompileError as error:
        sink.add(error.diagnostic)
    return TrainingProgram(tuple(main.files), tuple(main.stages))


__all__ = ["DataFile", "Stage", "TrainingProgram", "main_to_stages"]
