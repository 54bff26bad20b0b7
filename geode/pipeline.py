"""The pipeline: the forms a program takes, in order, and the one function that takes it through them.

In: a source and `-D` values. Out: the C text of every unit, program.c and settings.c, or every diagnostic at once.
Invariant: nothing is written and nothing is returned unless the whole program is right.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePath

from geode.deep_recursion import deep_recursion
from geode.diagnostics import CompileError, CompileErrors, Diagnostic, Sink
from geode.emit.loops_to_c import unit_to_c
from geode.emit.program_to_c import Entry, ProgramText, program_to_c, settings_to_c
from geode.graph.call_tree import Application
from geode.graph.check_graph import check_graph
from geode.graph.check_signatures import check_signatures
from geode.graph.check_target import CPU, check_target
from geode.graph.concrete import DataValue, evaluate_constants
from geode.graph.environment import Environment, environment_of
from geode.graph.find_levels import LeveledUnit, find_levels
from geode.graph.given_noise import NOISE, read_noise
from geode.graph.graph import Level
from geode.graph.idle_settings import warn_of_untrained
from geode.graph.main_to_stages import main_to_stages
from geode.graph.trained_word import Weights, interpret_stage
from geode.graph.training_program import Stage, TrainingProgram
from geode.graph.unreached import check_unreached
from geode.graph.values import Parameter
from geode.graph.words_to_graph import AlreadyReported
from geode.graph.written_files import warn_of_files
from geode.loops.loop import Interface, UnitLoops
from geode.loops.loops_to_text import loops_to_text
from geode.loops.specialise import Place, Units
from geode.names import did_you_mean
from geode.record import dataclass
from geode.source import Source
from geode.syntax.check_names import check_names
from geode.syntax.text_to_words import text_to_words
from geode.syntax.word import Program, Target
from geode.vocabulary import WORDS


@dataclass(frozen=True, slots=True)
class Form:
    """A row of the table: a form, its file, who makes, prints and checks it, and its name for `--emit`."""

    name: str
    file: str
    made_by: str
    printed_by: str
    checked_by: str
    emit: str | None


FORMS: tuple[Form, ...] = (
    Form("text", ".gs", "the author", "-", "-", None),
    Form("tokens", ".tokens", "syntax/text_to_tokens", "syntax/token", "-", "tokens"),
    Form("words", ".words", "syntax/tokens_to_words", "syntax/words_to_text", "syntax/check_names", "words"),
    Form("graph", ".graph", "graph/words_to_graph", "graph/graph_to_text", "graph/check_graph", "graph"),
    Form("loops", ".loops", "loops/graph_to_loops", "loops/loops_to_text", "the C compiler", "loops"),
    Form("C text", ".c", "emit/loops_to_c", "is text", "the C compiler, all warnings as errors", "c"),
    Form("kernels", ".metal, .cu", "emit/loops_to_kernels", "is text", "the device's compiler", "kernels"),
    Form("objects", ".o", "build.ninja.in", "-", "-", None),
    Form("binary", "out/program", "build.ninja.in", "--describe", "its ABI number", None),
    Form("run", "metrics.jsonl", "the binary", "-", "-", None),
)


@dataclass(frozen=True, slots=True)
class EmittedUnit:
    """One unit in its last three forms. `symbol` is unique in the program and its file's stem."""

    symbol: str
    word: str
    text: str
    graph: str
    lowered: UnitLoops

    @property
    def loops(self) -> str:
        """The loops form, as text."""
        return loops_to_text(self.lowered)


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """A program as C text. `shown` is what `.S` printed: places and stacks. For a GPU `kernels` are its kernels in their
    own language, and `device_c` holds them as C; else both are empty.
    """

    name: str
    units: tuple[EmittedUnit, ...]
    program_c: str
    settings_c: str
    warnings: tuple[Diagnostic, ...]
    shown: tuple[str, ...]
    target: str = CPU
    kernels: str = ""
    device_c: str = ""


@dataclass(frozen=True, slots=True)
class CheckedStage:
    """A stage and the call tree of its word, as the reference interpreter runs it."""

    stage: Stage
    root: Application


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """A program up to its graphs: names resolved, MAIN run, every trained word interpreted."""

    name: str
    environment: Environment
    training: TrainingProgram
    stages: tuple[CheckedStage, ...]
    parameters: tuple[Parameter, ...]
    sink: Sink
    target: str = CPU


def parse_text(source: Source, sink: Sink) -> Program:
    """Text to words, names checked; raises CompileErrors with all that is wrong."""
    program = text_to_words(source, sink)
    check_names(program, WORDS, sink)
    sink.fail_if_any()
    return program


def check_program(source: Source, *, defines: Mapping[str, str] | None = None) -> CheckedProgram:
    """Text to graphs; raises CompileErrors with every diagnostic of the run."""
    with deep_recursion():
        return _check_program(source, defines or {})


def _target_of(program: Program) -> Target | None:
    return next((item for item in program.items if isinstance(item, Target)), None)


def _check_program(source: Source, values: Mapping[str, str]) -> CheckedProgram:
    sink = Sink()
    program = parse_text(source, sink)
    environment = environment_of(program)
    evaluate_constants(program, environment, values, sink)
    noise = read_noise(values, environment, sink)
    for name in sorted(set(values) - set(environment.constants) - {NOISE}):
        near = did_you_mean(name, environment.constants)
        sink.error("GS611", f"-D {name}: the program has no CONSTANT `{name}`", None, help=near)
    check_signatures(environment, sink)
    sink.fail_if_any()
    training = main_to_stages(environment, sink, noise)
    weights = Weights()
    found = [_checked_stage(environment, training, stage, weights, sink) for stage in training.stages]
    stages = [stage for stage in found if stage is not None]
    check_unreached(environment, sink)
    sink.fail_if_any()
    for checked in stages:
        _check_tree(checked.root)
    name = PurePath(source.path).stem or "program"
    target, parameters = _target_of(program), tuple(weights.parameters.values())
    check_target(target, [(item.stage, item.root) for item in stages], parameters, sink)
    sink.fail_if_any()
    for doubt in dict.fromkeys(environment.doubts):
        sink.add(doubt)
    warn_of_untrained(((item.stage, item.root) for item in stages), sink)
    warn_of_files(training, [(item.stage, item.root) for item in stages], sink)
    named = target.name if target else CPU
    return CheckedProgram(name, environment, training, tuple(stages), parameters, sink, named)


def _checked_stage(
    environment: Environment,
    training: TrainingProgram,
    stage: Stage,
    weights: Weights,
    sink: Sink,
) -> CheckedStage | None:
    """The stage with the tree of its word; None if the word is wrong, which `sink` then tells."""
    try:
        return CheckedStage(stage, interpret_stage(environment, training, stage, weights, sink))
    except CompileError as error:
        sink.add(error.diagnostic)
    except AlreadyReported:
        pass
    return None


def check_text(source: Source) -> None:
    """Raises CompileErrors if the program is wrong."""
    check_program(source)


def check_library(source: Source) -> None:
    """Check a file that others include: names, signatures, the bodies whose inputs have known types.

    Raises CompileErrors with every diagnostic.
    """
    with deep_recursion():
        _check_library(source)


def _check_library(source: Source) -> None:
    sink = Sink()
    # A MAIN that reaches nothing, so that every word is checked on its own.
    program = parse_text(Source(source.path, f"{source.text}\n: MAIN ( -- ) ;\n"), sink)
    environment = environment_of(program)
    evaluate_constants(program, environment, {}, sink)
    check_signatures(environment, sink)
    sink.fail_if_any()
    check_unreached(environment, sink)
    sink.fail_if_any()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without looks for garbage in rings: a compilation makes next to none, and goes through millions of objects."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            if not gc.get_freeze_count():  # what was made goes among the old objects, or it is looked through at once
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def compile_program(source: Source, *, defines: Mapping[str, str] | None = None) -> CompiledProgram:
    """Text to C; raises CompileErrors with every diagnostic of the run."""
    with _no_collection():
        checked = check_program(source, defines=defines)
        with deep_recursion():
            return _emit_program(checked)


def stage_levels(item: CheckedStage) -> LeveledUnit:
    """The call tree of a stage with the level of every value; the data's rows are known once a run."""
    has_row = item.stage.batch.data is not None
    return find_levels(item.root, (Level.RUN,) if has_row else (), item.stage.noise_rank, bf16=item.stage.bf16)


def _emit_program(checked: CheckedProgram) -> CompiledProgram:
    units = Units()
    entries: dict[EntryKey, Entry] = {}
    forms: dict[str, frozenset[str]] = {}
    played = {_entry_key(item) for item in checked.stages if _plays(item.stage)}
    for item in checked.stages:
        if _entry_key(item) in entries:
            continue
        leveled = stage_levels(item)
        _note_forms(leveled, forms)
        place = units.place(leveled)
        data = item.stage.batch.data
        row_floats = 0 if data is None else checked.training.files[data.file].row_floats
        predicted = item.stage.kind == "predict"
        outputs = _output_count(place, item.root)
        entries[_entry_key(item)] = Entry(
            item.stage.word,
            place,
            row_floats,
            outputs,
            predicted,
            tuple(item.root.sites),
            units.place_members(leveled, place) if _entry_key(item) in played else None,
        )
    text = ProgramText(
        checked.name,
        tuple(entries.values()),
        checked.parameters,
        forms,
        checked.training.files,
        tuple(dict.fromkeys(table for item in checked.stages for table in item.root.all_tables())),
        tuple(item.stage for item in checked.stages),
        tuple(list(entries).index(_entry_key(item)) for item in checked.stages),
        checked.target != CPU,
    )
    kernels, device_c = _kernels(text, units, checked.target) if checked.target != CPU else ("", "")
    return CompiledProgram(
        checked.name,
        tuple(_emitted(units, symbol, _roots(entries.values())) for symbol in units.loops),
        program_to_c(text),
        settings_to_c(checked.name, text.stages),
        checked.sink.diagnostics,
        tuple(
            f"{span.place() if span else '-'}: .S {stack}" for span, stack in dict.fromkeys(checked.environment.shown)
        ),
        checked.target,
        kernels,
        device_c,
    )


def _kernels(text: ProgramText, units: Units, target: str) -> tuple[str, str]:
    """A program's kernels, and the C text that holds them."""
    # Imported here, for most programs are not for a GPU.
    from geode.emit.device_to_c import device_to_c
    from geode.emit.dialect import DIALECTS
    from geode.emit.loops_to_kernels import program_to_kernels

    dialect = DIALECTS[target]
    kernels = program_to_kernels(text, units.loops.values(), dialect)
    return kernels, device_to_c(target, kernels, dialect)


EntryKey = tuple[str, DataValue | None, bool, int | None, bool]


def _entry_key(item: CheckedStage) -> EntryKey:
    """Stages with one key run one compiled entry: the same word on the same file, for its score or for its values, with
    noise of the same rank and numbers of the same kind.
    """
    stage = item.stage
    data = stage.batch.data
    return (
        stage.word,
        None if data is None else DataValue(data.file),
        stage.kind == "predict",
        stage.noise_rank,
        stage.bf16,
    )


def _plays(stage: Stage) -> bool:
    """True if a stage trains on rows that are nothing but places."""
    return stage.kind == "train" and stage.batch.data is None


def _roots(entries: Iterable[Entry]) -> list[Place]:
    """The roots of all entries, in both forms."""
    return [root for entry in entries for root in (entry.root, entry.members) if root is not None]


def _output_count(place: Place, root: Application) -> int:
    """The values per row that the member function writes."""
    if place.unit.finish is not None:
        return len(place.unit.finish.ops)
    return len(place.unit.reductions) + sum(root.nodes[output].type.size for output in root.outputs)


def _emitted(units: Units, symbol: str, roots: list[Place]) -> EmittedUnit:
    loops = units.loops[symbol]
    graph = units.graphs[symbol]
    callees: list[Interface] = []
    for root in roots:
        found = _find(root, symbol)
        if found is not None:
            callees = [call.unit.interface for call in found.calls]
            break
    return EmittedUnit(symbol, loops.word, unit_to_c(loops, graph, callees), graph, loops)


def _find(place: Place, symbol: str) -> Place | None:
    if place.unit.interface.symbol == symbol:
        return place
    for call in place.calls:
        found = _find(call, symbol)
        if found is not None:
            return found
    return None


def _note_forms(unit: LeveledUnit, forms: dict[str, frozenset[str]]) -> None:
    for parameter, found in zip(unit.application.parameters, unit.forms, strict=True):
        forms[parameter.name] = forms.get(parameter.name, frozenset()) | found
    for call in unit.calls:
        _note_forms(call, forms)


def _check_tree(application: Application) -> None:
    check_graph(application.graph(), len(application.calls))
    for call in application.calls:
        _check_tree(call)


__all__ = [
    "FORMS",
    "CheckedProgram",
    "CompileErrors",
    "CompiledProgram",
    "EmittedUnit",
    "check_library",
    "check_program",
    "check_text",
    "compile_program",
    "parse_text",
    "stage_levels",
]
