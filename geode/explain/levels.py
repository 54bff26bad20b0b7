"""A checked program -> for every value of every unit the level at which it is computed, its width, and each layer's form.

In: a `CheckedProgram`. Out: one `UnitLevels` per unit in call order, callees first, with every place of the call tree
that runs it. Invariant: the levels and forms are those that code is generated from; nothing is worked out again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import (
    CallUnit,
    Graph,
    Input,
    Known,
    Linear,
    LinearCorrect,
    LinearFactor,
    LinearFactored,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    Node,
    Operation,
    ParameterValue,
    View,
    operands,
)
from geode.graph.graph_to_text import graph_to_text, operation_text
from geode.graph.types import shape_text
from geode.pipeline import CheckedProgram, stage_levels
from geode.record import dataclass

_LAYERS = {
    LinearMean: "W x",
    LinearNoise: "E x",
    LinearFactor: "B'x",
    LinearJoin: "W x + s E x",
    LinearPerturbed: "(W + s E) x",
    LinearCorrect: "W x + s A B'x",
    LinearFactored: "W x + s A B'x",
    ParameterValue: "W + s E",
}


@dataclass(frozen=True, slots=True)
class ValueLevel:
    """One node of a unit's graph.

    `word` is the token that made it and `inside` the definition where that stands, at `place` (file, line, column); they
    are None for what stands in no text. `width` is "row" for one value a row, "uniform" for one for all rows. `left`: a
    word leaves it, for another word or as a result; the others are steps inside a word.
    """

    node: int
    operation: str
    word: str | None
    inside: str
    place: tuple[str, int, int] | None
    type: str
    level: str
    width: str
    parameter: int | None
    left: bool
    callee: int | None = None  # of a call: the `form` of the unit that it runs


@dataclass(frozen=True, slots=True)
class ParameterForms:
    """A parameter of a unit: what it is, whether it is trained, and in which forms its perturbation reaches it."""

    kind: str
    shape: str
    trained: bool
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A place of the call tree: the trained word, the path of calls below it, the names of the unit's parameters there."""

    root: str
    path: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitLevels:
    """A word at one set of shapes and levels. `form` counts the units of one word from 1, in the order of the listing."""

    word: str
    form: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: tuple[ParameterForms, ...]
    values: tuple[ValueLevel, ...]
    places: list[Placed] = field(default_factory=list)


def program_levels(program: CheckedProgram) -> tuple[UnitLevels, ...]:
    """The units of all stages; the same unit at several places stands once."""
    found: dict[str, UnitLevels] = {}
    for stage in program.stages:
        _collect(stage_levels(stage), stage.stage.word, found)
    return tuple(found.values())


def _collect(unit: LeveledUnit, root: str, found: dict[str, UnitLevels]) -> str:
    """Adds a unit and all that it calls; the text that tells it from others."""
    callees = [_collect(call, root, found) for call in unit.calls]
    key = "\n".join([graph_to_text(unit.graph, unit.levels), repr(unit.forms), *callees])
    if key not in found:
        form = 1 + sum(other.word == unit.graph.word for other in found.values())
        found[key] = _unit_levels(unit, form, [found[callee].form for callee in callees])
    names = tuple(parameter.name for parameter in unit.application.parameters)
    place = Placed(root, "/".join(unit.application.path), names)
    if place not in found[key].places:
        found[key].places.append(place)
    return key


def _unit_levels(unit: LeveledUnit, form: int, callees: Sequence[int]) -> UnitLevels:
    graph = unit.graph
    left = _left_by_words(graph)
    names = [call.application.word for call in unit.calls]
    values = tuple(
        _value(unit, place, node, names, callees, left=place in left)
        for place, node in enumerate(graph.nodes)
        if not isinstance(node.operation, LoopBegin | LoopEnd)
    )
    parameters = tuple(
        ParameterForms(p.kind, shape_text(p.shape), p.trainable, tuple(sorted(forms)))
        for p, forms in zip(graph.parameters, unit.forms, strict=True)
    )
    types = [str(node.type) for node in graph.nodes]
    inputs, outputs = (tuple(types[node] for node in nodes) for nodes in (graph.inputs, graph.outputs))
    return UnitLevels(graph.word, form, inputs, outputs, parameters, values)


def _value(
    unit: LeveledUnit, place: int, node: Node, names: Sequence[str], forms: Sequence[int], *, left: bool
) -> ValueLevel:
    operation, span = node.operation, node.span
    return ValueLevel(
        node=place,
        operation=_described(unit.graph, operation, names),
        word=None if span is None else span.text.split()[0],
        inside=node.trail[0][0] if node.trail else unit.graph.word,
        place=None if span is None else (span.source.path, *span.source.position(span.start)),
        type=str(node.type),
        level=unit.levels[place].name.lower(),
        width="row" if node.type.batched else "uniform",
        parameter=_parameter_of(operation),
        left=left,
        callee=forms[operation.call] if isinstance(operation, CallUnit) else None,
    )


def _described(graph: Graph, operation: Operation, callees: Sequence[str]) -> str:
    """What an operation does, without its operands."""
    parameter = _parameter_of(operation)
    if parameter is None:
        first, *rest = operation_text(operation, callees).split()
        return f"{first} {rest[0]}" if first in ("call", "carried", "result") else first
    text = _LAYERS[type(operation)]
    return text if graph.parameters[parameter].trainable else text.removesuffix(" + s E")


def _parameter_of(operation: Operation) -> int | None:
    match operation:
        case Linear(parameter) | LinearMean(parameter) | LinearNoise(parameter) | LinearPerturbed(parameter):
            return parameter
        case LinearJoin(parameter) | LinearFactor(parameter) | LinearCorrect(parameter) | LinearFactored(parameter):
            return parameter
        case ParameterValue(parameter):
            return parameter
        case _:
            return None


def _left_by_words(graph: Graph) -> set[int]:
    """The nodes that another word of the text reads, or that the unit leaves; literals and inputs are not among them."""
    nodes = graph.nodes
    found = set(graph.outputs)
    for node in nodes:
        for argument in operands(node.operation):
            made = nodes[argument]
            if (made.span, made.trail) != (node.span, node.trail):
                found.add(argument)
    found = {_seen(nodes, place) for place in found}
    return {place for place in found if not isinstance(nodes[place].operation, Input | Known)}


def _seen(nodes: Sequence[Node], place: int) -> int:
    """The value that a view looks into, where the same word made both."""
    node = nodes[place]
    if isinstance(node.operation, View) and nodes[node.operation.x].span == node.span:
        return node.operation.x
    return place
