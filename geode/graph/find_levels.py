"""Levels: for every value the outermost loop of training at which it is known, and with it the form of every layer.

In: the call tree of a trained word. Out: the same tree with each unit's graph rewritten to mean, noise and perturbed
products, and a level per node.
Invariant: a layer is split (W x once an epoch, E x once a pair) if and only if no perturbed parameter reaches its input,
else materialised (engine.md, "Form"); recomputing what may be hoisted changes no bit, using the other form would.
"""

from __future__ import annotations

from dataclasses import dataclass

from geode.diagnostics import InternalError
from geode.graph.call_tree import Application
from geode.graph.graph import (
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Graph,
    Input,
    Known,
    Level,
    Linear,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    Node,
    Operation,
    ParameterValue,
    Reduce,
    Reshape,
    operands,
)

SPLIT, MATERIALISED = "split", "materialised"


@dataclass(frozen=True, slots=True, eq=False)
class LeveledUnit:
    """A unit at one place of the tree. `forms[p]` are the forms in which its parameter p reaches it."""

    application: Application
    graph: Graph
    levels: tuple[Level, ...]
    forms: tuple[frozenset[str], ...]
    calls: tuple[LeveledUnit, ...]

    @property
    def output_levels(self) -> tuple[Level, ...]:
        """The level of each output."""
        return tuple(self.levels[node] for node in self.graph.outputs)


def find_levels(application: Application, input_levels: tuple[Level, ...]) -> LeveledUnit:
    """The levels of one unit and of all that it calls, given the levels of its inputs."""
    return _Leveling(application, input_levels).run()


class _Leveling:
    """One unit being rewritten: `place` maps its old nodes to the new ones."""

    def __init__(self, application: Application, input_levels: tuple[Level, ...]) -> None:
        self.application = application
        self.old = application.graph()
        self.input_levels = input_levels
        self.nodes: list[Node] = []
        self.levels: list[Level] = []
        self.place: list[int] = []
        self.calls: list[LeveledUnit] = []
        self.forms: list[set[str]] = [set() for _ in self.old.parameters]
        self.results: dict[int, LeveledUnit] = {}  # by new call node

    def run(self) -> LeveledUnit:
        for node in self.old.nodes:
            self.place.append(self.rewrite(node))
        outputs = tuple(self.place[node] for node in self.old.outputs)
        graph = Graph(self.old.word, tuple(self.nodes), outputs, self.old.parameters)
        forms = tuple(map(frozenset, self.forms))
        return LeveledUnit(self.application, graph, tuple(self.levels), forms, tuple(self.calls))

    def add(self, node: Node, operation: Operation, level: Level) -> int:
        self.nodes.append(Node(operation, node.type, node.span, node.trail))
        self.levels.append(level)
        return len(self.nodes) - 1

    def level_of(self, operation: Operation) -> Level:
        return max((self.levels[i] for i in operands(operation)), default=Level.RUN)

    def rewrite(self, node: Node) -> int:
        place = self.place
        match node.operation:
            case Input(position):
                return self.add(node, node.operation, self.input_levels[position])
            case Known():
                return self.add(node, node.operation, Level.RUN)
            case Elementwise(op, args):
                operation: Operation = Elementwise(op, tuple(place[a] for a in args))
                return self.add(node, operation, self.level_of(operation))
            case Reduce(op, args):
                operation = Reduce(op, tuple(place[a] for a in args))
                return self.add(node, operation, self.level_of(operation))
            case Reshape(x):
                return self.add(node, Reshape(place[x]), self.levels[place[x]])
            case Linear(parameter, x):
                return self.linear(node, parameter, place[x])
            case ParameterValue(parameter):
                if not self.old.parameters[parameter].trainable:
                    return self.add(node, node.operation, Level.RUN)
                self.forms[parameter].add(MATERIALISED)
                return self.add(node, node.operation, Level.MEMBER)
            case BatchReduce(op, x):
                return self.add(node, BatchReduce(op, place[x]), Level.MEMBER)
            case CallUnit(call, args):
                return self.call(node, call, tuple(place[a] for a in args))
            case CallResult(call, position):
                callee = self.results[place[call]]
                return self.add(node, CallResult(place[call], position), callee.output_levels[position])
            case LinearMean() | LinearNoise() | LinearJoin() | LinearPerturbed():
                raise InternalError("levels were found before")

    def linear(self, node: Node, parameter: int, x: int) -> int:
        level = self.levels[x]
        if not self.old.parameters[parameter].trainable:
            return self.add(node, LinearMean(parameter, x), level)
        if level > Level.EPOCH:
            self.forms[parameter].add(MATERIALISED)
            return self.add(node, LinearPerturbed(parameter, x), Level.MEMBER)
        self.forms[parameter].add(SPLIT)
        mean = self.add(node, LinearMean(parameter, x), Level.EPOCH)
        noise = self.add(node, LinearNoise(parameter, x), Level.PAIR)
        return self.add(node, LinearJoin(parameter, noise, mean), Level.MEMBER)

    def call(self, node: Node, call: int, args: tuple[int, ...]) -> int:
        callee = find_levels(self.application.calls[call], tuple(self.levels[a] for a in args))
        self.calls.append(callee)
        place = self.add(node, CallUnit(len(self.calls) - 1, args), callee.output_levels[0])
        self.results[place] = callee
        return place
