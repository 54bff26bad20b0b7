"""Words that no stage reaches: checked on their own where their signature says what would reach them.

In: an environment and what was found so far. Out: nothing but diagnostics.
Invariant: a word that MAIN reaches in the text is left to the stages, one that belongs to MAIN is left alone, and a
mistake that is known already is not told again.
"""

from __future__ import annotations

from geode.diagnostics import CompileError, Sink
from geode.graph.call_tree import Application
from geode.graph.environment import Environment, walk
from geode.graph.graph import Input, Node
from geode.graph.machine import MOST_WORDS
from geode.graph.types import TensorType
from geode.graph.values import Tensor, Value
from geode.graph.words_to_graph import AlreadyReported, Interpreter
from geode.syntax.word import BATCH, Call, Definition, Tick, TypeText
from geode.vocabulary import WORDS

_MAIN_GROUPS = ("settings", "stages")


def check_unreached(environment: Environment, sink: Sink) -> None:
    """Interprets every word that MAIN never reaches and whose inputs have known types."""
    reached = _closure(environment, "MAIN", ticks=True)
    for name, definition in environment.definitions.items():
        if environment.words_run > MOST_WORDS:
            return
        if name not in reached and not _belongs_to_main(environment, name):
            _check(environment, definition, sink)


def _check(environment: Environment, definition: Definition, sink: Sink) -> None:
    unit = Application(definition.name)
    arguments: list[Value] = []
    for item in definition.signature.inputs:
        type_ = _known_type(environment, item.type)
        if type_ is None:
            return
        node = unit.add(Node(Input(len(arguments)), type_))
        arguments.append(Tensor(node, type_, closed_by=definition.name))
    own = Sink()
    span = definition.name_span
    try:
        Interpreter(environment, own).run_word(definition, arguments, unit, (), (), span)
    except CompileError as error:
        own.add(error.diagnostic)
    except AlreadyReported:
        pass
    known = {(found.code, found.span) for found in sink.diagnostics}
    for diagnostic in own.diagnostics:
        if (diagnostic.code, diagnostic.span) not in known:
            sink.add(diagnostic)


def _known_type(environment: Environment, declared: TypeText) -> TensorType | None:
    """The type that a signature's item has in every call, if there is one."""
    if declared.kind not in ("r", "f") or declared.star:
        return None
    batched = declared.dims[:1] == (BATCH,)
    sizes = [
        dim if isinstance(dim, int) else environment.constants.get(dim)
        for dim in (declared.dims[1:] if batched else declared.dims)
    ]
    shape = tuple(size for size in sizes if isinstance(size, int))
    if len(shape) != len(sizes):
        return None
    return TensorType("f" if declared.kind == "f" else "r", shape, batched)


def _closure(environment: Environment, name: str, *, ticks: bool) -> set[str]:
    """The word `name` and all that it and the words in it call by their text; with `ticks`, also what `[']` names."""
    found = {name}
    pending = [name]
    while pending:
        definition = environment.definitions.get(pending.pop())
        body = () if definition is None else walk(definition.body)
        called = {word.name for word in body if isinstance(word, Call) or (ticks and isinstance(word, Tick))}
        pending += sorted(called - found)
        found |= called
    return found


def _belongs_to_main(environment: Environment, name: str) -> bool:
    """True if the word holds settings or stages, itself or through what it calls."""
    called = _closure(environment, name, ticks=False)
    return any(word in WORDS and WORDS[word].group in _MAIN_GROUPS for word in called)
