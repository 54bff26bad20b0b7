"""Levels: for every value the outermost loop of training at which it is known, and with it the form of every layer.

In: the call tree of a trained word. Out: the same tree with each unit's graph rewritten to mean, noise and perturbed
products, and a level per node.
Invariant: with dense noise a layer is split (W x once an epoch, E x once a pair) if and only if no perturbed parameter
reaches its input, else materialised; with noise of low rank it is factored (engine.md, "Form"). Recomputing what may be
hoisted changes no bit, using the other form would.
"""

from __future__ import annotations

import math
from dataclasses import replace

from geode.graph.call_tree import Application
from geode.graph.find_variants import Variants, find_variants
from geode.graph.graph import (
    Arrange,
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Graph,
    Input,
    Kernel,
    Known,
    Level,
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
    LoopResult,
    LoopVariable,
    Node,
    Operation,
    ParameterValue,
    Random,
    Reduce,
    View,
    operands,
)
from geode.record import dataclass

SPLIT, MATERIALISED, FACTORED, BF16 = "split", "materialised", "factored", "bf16"

BF16_LEAST_INPUTS = 64  # of a layer whose product is worth rounding its input for
BF16_COLUMNS = 32  # of GS_BF16_COLUMNS: inputs are filled up to a multiple of it


@dataclass(frozen=True, slots=True, eq=False)
class LeveledUnit:
    """A unit at one place of the tree. `forms[p]` are the forms in which its parameter p reaches it, `rank` that of the
    noise of matrices, None where it is dense.
    """

    application: Application
    graph: Graph
    levels: tuple[Level, ...]
    forms: tuple[frozenset[str], ...]
    calls: tuple[LeveledUnit, ...]
    rank: int | None

    @property
    def output_levels(self) -> tuple[Level, ...]:
        """The level of each output."""
        return tuple(self.levels[node] for node in self.graph.outputs)


def find_levels(
    application: Application, input_levels: tuple[Level, ...], rank: int | None, *, bf16: bool = False
) -> LeveledUnit:
    """The levels of a root and of all that it calls, given the levels of its inputs, the rank of the noise of matrices,
    None for dense noise, and whether wide layers multiply bfloat16 numbers.
    """
    variants = find_variants(application, tuple(level > Level.EPOCH for level in input_levels))
    return _Leveling(application, variants, input_levels, None, rank, bf16=bf16).run()


class _Leveling:
    """One unit being rewritten: `place` maps its old nodes to the new ones.

    With a `floor` the unit is called from inside a loop: nothing is hoisted, all its work is at that level.
    """

    def __init__(
        self,
        application: Application,
        variants: Variants,
        input_levels: tuple[Level, ...],
        floor: Level | None,
        rank: int | None,
        *,
        bf16: bool,
    ) -> None:
        self.application = application
        self.variants = variants
        self.old = application.graph()
        self.input_levels = input_levels
        self.floor = floor
        self.rank = rank
        self.bf16 = bf16
        self.nodes: list[Node] = []
        self.levels: list[Level] = []
        self.place: list[int] = []
        self.calls: list[LeveledUnit] = []
        self.forms: list[set[str]] = [set() for _ in self.old.parameters]
        self.results: dict[int, LeveledUnit] = {}  # by new call node
        self.paired: dict[int, int] = {}  # by new node: itself in pairs
        self.loop_floor: Level | None = None  # the level of the loop that is being rewritten
        self.loop_depth = 0

    def run(self) -> LeveledUnit:
        for index, node in enumerate(self.old.nodes):
            self.place.append(self.rewrite(index, node))
        outputs = tuple(self.place[node] for node in self.old.outputs)
        graph = Graph(self.old.word, tuple(self.nodes), outputs, self.old.parameters)
        forms = tuple(map(frozenset, self.forms))
        return LeveledUnit(self.application, graph, tuple(self.levels), forms, tuple(self.calls), self.rank)

    def add(self, node: Node, operation: Operation, level: Level) -> int:
        self.nodes.append(Node(operation, node.type, node.span, node.trail))
        fixed = self.loop_floor if self.loop_floor is not None else self.floor
        inside = not isinstance(operation, (Input, Known))
        self.levels.append(fixed if fixed is not None and inside else level)
        return len(self.nodes) - 1

    def level_of(self, operation: Operation) -> Level:
        return max((self.levels[i] for i in operands(operation)), default=Level.RUN)

    def rewrite(self, index: int, node: Node) -> int:
        place = self.place
        match node.operation:
            case Input(position):
                return self.add(node, node.operation, self.input_levels[position])
            case Linear(parameter, x):
                return self.linear(node, parameter, place[x], variant=self.variants.nodes[x])
            case ParameterValue(parameter):
                if not self.old.parameters[parameter].trainable:
                    return self.add(node, node.operation, Level.RUN)
                self.forms[parameter].add(MATERIALISED)
                return self.add(node, node.operation, Level.MEMBER)
            case Random(kind, site, count):
                moved = Random(kind, site, place[count])
                least = {"episode": Level.RUN, "member_randn": Level.MEMBER}.get(kind, Level.EPOCH)
                return self.add(node, moved, max(least, self.level_of(moved)))
            case BatchReduce(op, x):
                return self.add(node, BatchReduce(op, place[x]), self.levels[place[x]])
            case CallUnit(call, args):
                return self.call(node, call, tuple(place[a] for a in args))
            case CallResult(call, position):
                callee = self.results[place[call]]
                return self.add(node, CallResult(place[call], position), callee.output_levels[position])
            case LoopBegin():
                if self.loop_depth == 0 and self.floor is None:
                    self.loop_floor = self.loop_level(index)
                self.loop_depth += 1
            case LoopEnd():
                operation = _moved(node.operation, place)
                end = self.add(node, operation, self.level_of(operation))
                self.loop_depth -= 1
                if self.loop_depth == 0:
                    self.loop_floor = None
                return end
            case _:
                pass
        operation = _moved(node.operation, place)
        return self.add(node, operation, self.level_of(operation))

    def loop_level(self, begin: int) -> Level:
        """The one level of all work in a loop: that of its latest operand, MEMBER where a trained parameter takes part."""
        level = Level.RUN
        for index in range(begin, len(self.old.nodes)):
            operation = self.old.nodes[index].operation
            for argument in operands(operation):
                if argument < begin:
                    level = max(level, self.levels[self.place[argument]])
            if isinstance(operation, LoopEnd) and operation.loop == begin:
                break
            if isinstance(operation, Random) and operation.kind != "episode":
                level = max(level, Level.EPOCH)
            if self.trains(operation) or (isinstance(operation, Random) and operation.kind == "member_randn"):
                return Level.MEMBER
        return level

    def trains(self, operation: Operation) -> bool:
        match operation:
            case Linear(parameter) | ParameterValue(parameter):
                return self.old.parameters[parameter].trainable
            case CallUnit(call):
                return any(p.trainable for p in self.application.calls[call].all_parameters())
            case _:
                return False

    def linear(self, node: Node, parameter: int, x: int, *, variant: bool) -> int:
        level = self.levels[x]
        if not self.old.parameters[parameter].trainable:
            return self.add(node, LinearMean(parameter, x), level)
        if self.rank is not None:
            return self.factored(node, parameter, x, self.rank, variant=variant)
        if variant:
            self.forms[parameter].add(MATERIALISED)
            return self.add(node, LinearPerturbed(parameter, x), Level.MEMBER)
        self.forms[parameter].add(SPLIT)
        # A loop has one level, so what leaves it may be at an inner level though no perturbation reaches it.
        mean = self.add(node, LinearMean(parameter, x), max(Level.EPOCH, level))
        noise = self.add(node, LinearNoise(parameter, x), max(Level.PAIR, level))
        return self.add(node, LinearJoin(parameter, noise, mean), Level.MEMBER)

    def factored(self, node: Node, parameter: int, x: int, rank: int, *, variant: bool) -> int:
        self.forms[parameter].add(FACTORED)
        filters = len(self.old.parameters[parameter].shape) == 4
        shape = (rank, *node.type.shape[1:]) if filters else (*node.type.shape[:-1], rank)
        thin = replace(node, type=replace(node.type, shape=shape))
        inner = variant or self.loop_floor is not None or self.floor is not None
        if inner and not filters:
            factor = self.add(thin, LinearFactor(parameter, x), Level.MEMBER)
            bf16 = self.bf16 and node.type.batched and self.old.parameters[parameter].shape[-1] >= BF16_LEAST_INPUTS
            if bf16:
                self.forms[parameter].add(BF16)
                x = self.pairs(node, x)
            return self.add(node, LinearFactored(parameter, factor, x, bf16), Level.MEMBER)
        level = Level.MEMBER if inner else self.levels[x]
        mean = self.add(node, LinearMean(parameter, x), max(Level.EPOCH, level))
        factor = self.add(thin, LinearFactor(parameter, x), max(Level.PAIR, level))
        return self.add(node, LinearCorrect(parameter, factor, mean), Level.MEMBER)

    def pairs(self, layer: Node, x: int) -> int:
        """The input of a layer as pairs of bfloat16 numbers, two to a number; made once for all layers that read it."""
        known = self.paired.get(x)
        if known is not None:
            return known
        *rows, inputs = self.nodes[x].type.shape
        count = -(-inputs // BF16_COLUMNS) * (BF16_COLUMNS // 2)
        made = replace(layer, type=replace(self.nodes[x].type, shape=(*rows, count), batched=True))
        pairs = self.add(made, Kernel("bf16_pairs", (x,), (math.prod(rows), inputs)), Level.MEMBER)
        if self.loop_floor is None:
            self.paired[x] = pairs
        return pairs

    def call(self, node: Node, call: int, args: tuple[int, ...]) -> int:
        floor = self.loop_floor if self.loop_floor is not None else self.floor
        levels = tuple(self.levels[a] for a in args)
        callee = _Leveling(
            self.application.calls[call], self.variants.calls[call], levels, floor, self.rank, bf16=self.bf16
        ).run()
        self.calls.append(callee)
        place = self.add(node, CallUnit(len(self.calls) - 1, args), callee.output_levels[0])
        self.results[place] = callee
        return place


def _moved(operation: Operation, place: list[int]) -> Operation:
    """The operation with its operands at their new places."""
    match operation:
        case Elementwise(op, args):
            return Elementwise(op, tuple(place[a] for a in args))
        case Reduce(op, args):
            return Reduce(op, tuple(place[a] for a in args))
        case Kernel(op, args, sizes):
            return Kernel(op, tuple(place[a] for a in args), sizes)
        case Arrange(pieces):
            return Arrange(tuple(replace(piece, source=place[piece.source]) for piece in pieces))
        case Random(kind, site, count):
            return Random(kind, site, place[count])
        case View(x, offset):
            return View(place[x], offset)
        case LoopBegin(inits, count, alive):
            return LoopBegin(tuple(place[i] for i in inits), count, alive)
        case LoopVariable(loop, position):
            return LoopVariable(place[loop], position)
        case LoopEnd(loop, nexts):
            return LoopEnd(place[loop], tuple(place[n] for n in nexts))
        case LoopResult(end, position):
            return LoopResult(place[end], position)
        case _:
            return operation
