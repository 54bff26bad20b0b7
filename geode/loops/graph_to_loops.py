"""Graph to loops: the functions of one unit, level by level.

In: the plan of a unit's values. Out: a `Function` per level with work, and the `Finish` of a trained word.
Invariant: nodes keep their order; neighbouring element-by-element work of one extent shares a loop, in which a value
that nothing else needs never reaches memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from geode.diagnostics import InternalError
from geode.graph.graph import (
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Input,
    Known,
    Level,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    Node,
    ParameterValue,
    Reduce,
    operands,
)
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    Element,
    ElementLoop,
    Expression,
    Finish,
    Fixed,
    Function,
    LinearKernel,
    Let,
    Load,
    Repeated,
    RowReduce,
    SlotElement,
    SlotScale,
    Statement,
    Step,
    Store,
    Temp,
    UnitCall,
    Value,
    WeightSource,
)
from geode.loops.plan_buffers import Life, plan_offsets
from geode.loops.unit_values import UnitValues

_CHAINS = {"sum": "add", "dot": "fma"}


@dataclass(slots=True)
class Segment:
    """Work that becomes one statement: element-by-element nodes of one extent, or one node of another kind."""

    nodes: list[int]
    extent: int = 0
    uniform: bool = False
    fused: bool = False


def lower_functions(values: UnitValues) -> tuple[Function, ...]:
    """The functions of a unit at the levels at which it has work."""
    functions: list[Function] = []
    for level in Level:
        nodes = [n for n in range(len(values.nodes)) if level in values.works_at(n)]
        outputs = [(k, n) for k, (n, at) in enumerate(values.outputs) if at == level]
        if nodes or outputs:
            functions.append(_FunctionLowering(values, level).run(nodes, outputs))
    return tuple(functions)


@dataclass(slots=True)
class _FunctionLowering:
    """One function. `homes` says where each value computed here lives, `readers` the segments that read it."""

    values: UnitValues
    level: Level
    homes: dict[int, Buffer] = field(default_factory=dict)
    segment_of: dict[int, int] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)
    inputs: set[int] = field(default_factory=set)
    in_finish: bool = False

    def run(self, nodes: list[int], outputs: list[tuple[int, int]]) -> Function:
        segments = self.partition(nodes)
        copies, scratch = self.place(segments, outputs)
        statements = [self.lower(segment) for segment in segments]
        statements += [self.copy(position, node) for position, node in copies]
        written = tuple(sorted(position for position, _ in outputs))
        return Function(self.level, tuple(sorted(self.inputs)), written, tuple(statements), scratch)

    # --- which nodes share a loop

    def partition(self, nodes: Iterable[int]) -> list[Segment]:
        segments: list[Segment] = []
        for node in nodes:
            extent = self.loop_extent(self.values.nodes[node])
            uniform = not self.values.nodes[node].type.batched
            last = segments[-1] if segments else None
            if extent == 0:
                segments.append(Segment([node]))
            elif last is not None and last.fused and self.joins(last, node, extent, uniform=uniform):
                last.nodes.append(node)
            else:
                segments.append(Segment([node], extent, uniform, fused=True))
            self.segment_of[node] = len(segments) - 1
        for place, segment in enumerate(segments):
            for node in segment.nodes:
                for argument in self.arguments(node):
                    self.readers.setdefault(argument, set()).add(place)
        return segments

    def loop_extent(self, node: Node) -> int:
        """The elements of the loop that a node can be part of; 0 for a node that is a statement of its own."""
        match node.operation:
            case Elementwise() | LinearJoin() | ParameterValue():
                return node.type.size
            case Reduce(_, args) if node.type.size == 1:
                return self.values.nodes[args[0]].type.size
            case _:
                return 0

    def joins(self, segment: Segment, node: int, extent: int, *, uniform: bool) -> bool:
        if segment.extent != extent or segment.uniform != uniform:
            return False
        for argument in self.arguments(node):
            if argument in segment.nodes:
                made = self.values.nodes[argument]
                if isinstance(made.operation, Reduce) or made.type.size != extent:
                    return False
        return True

    def arguments(self, node: int) -> list[int]:
        """The values in memory or in the same loop that a node reads here."""
        operation = self.values.nodes[node].operation
        if isinstance(operation, CallUnit):
            functions = self.values.callees[operation.call].functions
            read = next(inputs for level, inputs, _ in functions if level == self.level)
            return [self.values.base(operation.args[position]) for position in read]
        return [self.values.base(argument) for argument in operands(operation)]

    # --- where values live

    def place(self, segments: list[Segment], outputs: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
        """Gives every value made here a home; the outputs that have to be copied, and the scratch needed."""
        out_homes: dict[int, Buffer] = {}
        copies: list[tuple[int, int]] = []
        for position, node in outputs:
            base = self.values.base(node)
            made = self.values.nodes[base]
            produced = self.produced_here(base)
            if produced and base not in out_homes and base not in self.values.slices and self.fits(position, made):
                out_homes[base] = Buffer("out", made.type.size, not made.type.batched, position=position)
            else:
                copies.append((position, node))
                self.readers.setdefault(base, set()).add(len(segments))
        lives: dict[int, Life] = {}
        for segment_place, segment in enumerate(segments):
            for made_here in self.made_by(segment):
                home = self.values.slices.get(made_here) or out_homes.get(made_here)
                if self.in_finish:
                    home = None
                if home is not None:
                    self.homes[made_here] = home
                    continue
                readers = self.readers.get(made_here, set()) - ({segment_place} if segment.fused else set())
                if readers or not segment.fused:
                    size = self.values.nodes[made_here].type.size
                    lives[made_here] = Life(size, segment_place, max(readers, default=segment_place))
        offsets, total = plan_offsets(lives)
        for made_here, offset in offsets.items():
            type_ = self.values.nodes[made_here].type
            self.homes[made_here] = Buffer("scratch", type_.size, not type_.batched, offset=offset)
        return copies, total

    def fits(self, position: int, node: Node) -> bool:
        """True if a value may be computed straight into an output: the output of a root is always per lane."""
        return node.type.batched or not self.values.unit.application.is_root

    def produced_here(self, node: int) -> bool:
        return self.level == self.values.unit.levels[node] and not isinstance(
            self.values.nodes[node].operation, Input | Known
        )

    def made_by(self, segment: Segment) -> list[int]:
        """The values that a segment makes at this level: for a call the outputs that it hands back here."""
        node = segment.nodes[0]
        operation = self.values.nodes[node].operation
        if not isinstance(operation, CallUnit):
            return segment.nodes
        return [result for result in self.results(node) if self.values.unit.levels[result] == self.level]

    def results(self, call: int) -> list[int]:
        """The call node and its further results, by position."""
        further = [
            (node.operation.position, place)
            for place, node in enumerate(self.values.nodes)
            if isinstance(node.operation, CallResult) and node.operation.call == call
        ]
        return [call, *(place for _, place in sorted(further))]

    def home(self, node: int) -> Buffer:
        """Where a value that this function reads lies."""
        base = self.values.base(node)
        made = self.values.nodes[base]
        match made.operation:
            case Input(position):
                self.inputs.add(position)
                return Buffer("in", made.type.size, not made.type.batched, position=position)
            case BatchReduce():
                return Buffer("sums", 1, uniform=True, position=self.values.sum_place(base))
            case _:
                found = self.homes.get(base) or self.values.slices.get(base)
                if found is None:
                    raise InternalError(f"%{base} of {self.values.unit.graph.word} has no place")
                return found

    # --- statements

    def lower(self, segment: Segment) -> Statement:
        if segment.fused:
            return self.element_loop(segment)
        node = segment.nodes[0]
        operation = self.values.nodes[node].operation
        match operation:
            case LinearMean(parameter, x):
                return self.linear(node, parameter, x, "w")
            case LinearNoise(parameter, x):
                return self.linear(node, parameter, x, "e")
            case LinearPerturbed(parameter, x):
                return self.linear(node, parameter, x, "wp")
            case Reduce(op, args):
                made = self.values.nodes[node].type
                inner = self.values.nodes[args[0]].type.shape[-1]
                buffers = tuple(self.home(a) for a in args)
                return RowReduce(made.size, inner, not made.batched, _CHAINS[op], buffers, self.homes[node])
            case CallUnit(call, args):
                return self.call(node, call, args)
            case _:
                raise InternalError(f"no statement for {type(operation).__name__}")

    def linear(self, node: int, parameter: int, x: int, source: WeightSource) -> Statement:
        outputs, inputs = self.values.unit.graph.parameters[parameter].shape
        rows = self.values.nodes[node].type.size // outputs
        return LinearKernel(parameter, source, self.home(x), self.homes[node], outputs, inputs, rows)

    def call(self, node: int, call: int, args: tuple[int, ...]) -> Statement:
        callee = self.values.callees[call]
        inputs, outputs = next((i, o) for level, i, o in callee.functions if level == self.level)
        results = self.results(node)
        return UnitCall(
            call,
            callee.symbol,
            self.level,
            self.values.callee_slices[node],
            tuple(self.home(args[position]) for position in inputs),
            tuple(self.homes[results[position]] for position in outputs),
        )

    def element_loop(self, segment: Segment) -> ElementLoop:
        steps: list[Step] = []
        after: list[Store] = []
        for node in segment.nodes:
            made = self.values.nodes[node]
            home = self.homes.get(node)
            if isinstance(made.operation, Reduce):
                args = tuple(self.read(segment, a, segment.extent) for a in made.operation.args)
                steps.append(Accumulate(node, _CHAINS[made.operation.op], args))
                if home is not None:
                    after.append(Store(home, Fixed(0), Temp(node)))
                continue
            steps.append(Let(node, self.expression(segment, made)))
            if home is not None:
                steps.append(Store(home, Element(), Temp(node)))
        return ElementLoop(segment.extent, segment.uniform, tuple(steps), tuple(after))

    def expression(self, segment: Segment, node: Node) -> Expression:
        match node.operation:
            case Elementwise(op, args):
                return Apply(op, tuple(self.read(segment, a, segment.extent) for a in args))
            case LinearJoin(parameter, noise, mean):
                operands_ = (self.read(segment, a, segment.extent) for a in (noise, mean))
                return Apply("fma", (SlotScale(parameter), *operands_))
            case ParameterValue(parameter):
                trained = self.values.unit.graph.parameters[parameter].trainable
                return SlotElement(parameter, "wp" if trained else "w")
            case _:
                raise InternalError(f"{type(node.operation).__name__} is not element by element")

    def read(self, segment: Segment, node: int, extent: int) -> Expression:
        """An operand inside a loop: known, made in the same turn, or loaded."""
        base = self.values.base(node)
        made = self.values.nodes[base]
        if isinstance(made.operation, Known):
            return Value(made.operation.value)
        if base in segment.nodes:
            return Temp(base)
        size = made.type.size
        index = Element() if size == extent else Fixed(0) if size == 1 else Repeated(size)
        return Load(self.home(base), index)

    def copy(self, position: int, node: int) -> Statement:
        type_ = self.values.nodes[node].type
        uniform = not type_.batched and not self.values.unit.application.is_root
        target = Buffer("out", type_.size, uniform, position=position)
        value = self.read(Segment([]), node, type_.size)
        return ElementLoop(type_.size, uniform, (Store(target, Element(), value),))


def lower_finish(values: UnitValues, sums: tuple[int, ...]) -> Finish:
    """What a trained word does with its batch sums; `sums` are its BatchReduce nodes, in the order of the outputs."""
    nodes = values.nodes
    means = tuple(_is_mean(nodes[place]) for place in sums)
    result = values.unit.graph.outputs[0]
    if result in sums:
        return Finish(means, sums.index(result), (), None, 0)
    needed = _uniform_ancestors(values, result)
    lowering = _FunctionLowering(values, Level.MEMBER, in_finish=True)
    segments = lowering.partition(needed)
    lowering.readers.setdefault(values.base(result), set()).add(len(segments))
    _, scratch = lowering.place(segments, [])
    statements = tuple(lowering.lower(segment) for segment in segments)
    return Finish(means, None, statements, replace(lowering.home(result)), scratch)


def _is_mean(node: Node) -> bool:
    return isinstance(node.operation, BatchReduce) and node.operation.op == "mean"


def _uniform_ancestors(values: UnitValues, result: int) -> list[int]:
    """The uniform nodes that `result` is computed from, the batch sums themselves aside, in order."""
    wanted: set[int] = set()
    pending = [values.base(result)]
    while pending:
        node = pending.pop()
        operation = values.nodes[node].operation
        if node in wanted or isinstance(operation, Known | BatchReduce | Input):
            continue
        wanted.add(node)
        pending.extend(values.base(a) for a in operands(operation))
    return sorted(wanted)
