"""Graph to loops: the functions of one unit, level by level.

In: the plan of a unit's values. Out: a `Function` per level with work, and the `Finish` of a trained word.
Invariant: a value that nothing but its own loop over elements needs never reaches memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from geode.diagnostics import InternalError
from geode.graph.batch_passes import Pass
from geode.graph.graph import (
    Arrange,
    BatchOp,
    BatchReduce,
    CallUnit,
    Elementwise,
    Input,
    Iota,
    Kernel,
    Known,
    Level,
    LinearCorrect,
    LinearFactor,
    LinearFactored,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopResult,
    LoopVariable,
    Node,
    ParameterValue,
    Random,
    Reduce,
    Setting,
    Table,
    View,
)
from geode.graph.types import TensorType
from geode.loops.loop import (
    Accumulate,
    Apply,
    Block,
    Buffer,
    ConvKernel,
    CopyBlocks,
    Draw,
    Element,
    ElementLoop,
    ElementNumber,
    Expression,
    FactoredKernel,
    Finish,
    Fixed,
    Function,
    KernelCall,
    LayerLoop,
    Let,
    LinearKernel,
    Load,
    Repeat,
    Repeated,
    RowReduce,
    SettingValue,
    SlotScale,
    Statement,
    Step,
    Store,
    Strided,
    Temp,
    UnitCall,
    Value,
    WeightSource,
)
from geode.loops.plan_buffers import Life, plan_offsets
from geode.loops.segments import Move, Schedule, Segment
from geode.loops.unit_values import UnitValues
from geode.record import dataclass

_CHAINS = {"sum": "add", "dot": "fma", "product": "mul", "amax": "max", "amin": "min"}
_FIRST = {"sum": 0.0, "dot": 0.0, "product": 1.0, "amax": float("-inf"), "amin": float("inf")}


def lower_functions(values: UnitValues) -> tuple[Function, ...]:
    """The functions of a unit at the levels at which it has work, those of one level in the order of their passes."""
    nodes: dict[Pass, list[int]] = {}
    outputs: dict[Pass, list[tuple[int, int]]] = {}
    for node in range(len(values.nodes)):
        for when in values.works_at(node):
            nodes.setdefault(when, []).append(node)
    for position, (node, when) in enumerate(values.outputs):
        outputs.setdefault(when, []).append((position, node))
    return tuple(
        FunctionLowering(values, *when).run(nodes.get(when, []), outputs.get(when, []))
        for when in sorted({*nodes, *outputs})
    )


@dataclass(slots=True)
class FunctionLowering:
    """One function. `homes` says where each value made here lives, `carried` what each loop holds from turn to turn."""

    values: UnitValues
    level: Level
    number: int = 0  # of the pass over the batch
    in_finish: bool = False
    schedule: Schedule = field(init=False)
    homes: dict[int, Buffer] = field(default_factory=dict)
    carried: dict[tuple[int, int], Buffer] = field(default_factory=dict)
    inputs: set[int] = field(default_factory=set)
    outliving: frozenset[int] = frozenset()  # values, and loops with what they carry, that outlive the function

    def __post_init__(self) -> None:
        self.schedule = Schedule(self.values, self.level)

    def run(self, nodes: list[int], outputs: list[tuple[int, int]]) -> Function:
        """Lowers the nodes, which write the outputs."""
        self.schedule.build(nodes)
        copies, scratch = self.place(outputs)
        statements = [self.lower(segment) for segment in self.schedule.segments]
        statements += [self.copy(position, node) for position, node in copies]
        written = tuple(sorted(position for position, _ in outputs))
        return Function(self.level, tuple(sorted(self.inputs)), written, tuple(statements), scratch, self.number)

    # --- where values live

    def place(self, outputs: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
        """Gives every value made here a home; the outputs that have to be copied, and the scratch needed."""
        schedule = self.schedule
        final = schedule.tick()
        out_homes: dict[int, Buffer] = {}
        copies: list[tuple[int, int]] = []
        for position, node in outputs:
            made = self.values.nodes[node]
            free = node not in out_homes and node not in self.values.slices and not self.kept(node)
            if node in schedule.made and free and self.fits(made):
                out_homes[node] = Buffer("out", made.type.size, not made.type.batched, position=position)
            else:
                copies.append((position, node))
                schedule.readers.setdefault(self.values.base(node), []).append(final)
        lives: dict[int, Life] = {}
        for segment, node in self.made(schedule.segments):
            home = None if self.in_finish else self.values.slices.get(node) or out_homes.get(node)
            if home is not None:
                self.homes[node] = home
            elif self.kept(node):
                self.homes[node] = self.keep(self.values.nodes[node].type)
            elif not segment.fused or schedule.read_outside(segment, node):
                size = self.values.nodes[node].type.size
                lives[node] = Life(size, segment.time, schedule.last_need(node))
        for loop in schedule.loops:
            first, last = schedule.carried_life(loop.first)
            for position in self.values.carried_positions(loop.first):
                variable = self.values.variable(loop.first, position)
                if self.keeps_carried(loop.first):
                    self.carried[loop.first, position] = self.keep(self.values.nodes[variable].type)
                    continue
                lives[-1 - variable] = Life(self.values.nodes[variable].type.size, first, last)
        offsets, total = plan_offsets(lives)
        for key, offset in offsets.items():
            type_ = self.values.nodes[key if key >= 0 else -1 - key].type
            buffer = Buffer("scratch", type_.size, not type_.batched, offset=offset)
            if key >= 0:
                self.homes[key] = buffer
            else:
                carrier = self.values.nodes[-1 - key].operation
                assert isinstance(carrier, LoopVariable)
                self.carried[carrier.loop, carrier.position] = buffer
        return copies, total

    def kept(self, node: int) -> bool:
        """True if a value must outlive the function."""
        return node in self.outliving

    def keeps_carried(self, loop: int) -> bool:
        """True if what a loop carries must."""
        return loop in self.outliving

    def keep(self, type_: TensorType) -> Buffer:
        """A place that outlives the function."""
        raise InternalError(f"no {type_} outlives {self.values.unit.graph.word}")

    def made(self, segments: list[Segment]) -> Iterator[tuple[Segment, int]]:
        """Every value that the segments make at this level, those inside loops too."""
        for segment in segments:
            if segment.body is not None:
                yield from self.made(segment.body)
                continue
            for node in segment.nodes:
                if isinstance(self.values.nodes[node].operation, CallUnit):
                    results = self.values.results(node)
                    yield from ((segment, r) for r in results if self.values.unit.levels[r] == self.level)
                else:
                    yield segment, node

    def fits(self, node: Node) -> bool:
        """True if a value may be computed straight into an output: the output of a root is always per lane."""
        return node.type.batched or not self.values.unit.application.is_root

    def home(self, node: int) -> Buffer:
        """Where a value that this function reads lies."""
        base = self.values.base(node)
        buffer = self.base_home(base)
        skip = self.values.skip(node)
        size = self.values.nodes[node].type.size
        return buffer if base == node else replace(buffer, elements=size, skip=buffer.skip + skip)

    def base_home(self, base: int) -> Buffer:
        """The home of a value that is no view."""
        made = self.values.nodes[base]
        match made.operation:
            case Input(position):
                self.inputs.add(position)
                return Buffer("in", made.type.size, not made.type.batched, position=position)
            case ParameterValue(parameter):
                owner = self.values.unit.graph.parameters[parameter]
                source: WeightSource = "wp" if owner.trainable else "w"
                uniform = not owner.by_lane
                return Buffer("weights", made.type.size, uniform=uniform, position=parameter, source=source)
            case Table(table):
                return Buffer("tables", made.type.size, uniform=True, position=table)
            case BatchReduce():
                return Buffer("reduced", 1, uniform=True, position=self.values.reduction_place(base))
            case _:
                found = self.homes.get(base) or self.values.slices.get(base)
                if found is None:
                    raise InternalError(f"%{base} of {self.values.unit.graph.word} has no place")
                return found

    # --- statements

    def lower(self, segment: Segment) -> Statement:
        """One segment as a statement."""
        if segment.body is not None:
            return self.repeat(segment)
        if segment.fused:
            return self.element_loop(segment)
        node = segment.first
        operation = self.values.nodes[node].operation
        match operation:
            case LinearMean(parameter, x):
                return self.linear(node, parameter, x, "w")
            case LinearNoise(parameter, x):
                return self.linear(node, parameter, x, "e")
            case LinearPerturbed(parameter, x):
                return self.linear(node, parameter, x, "wp")
            case LinearFactor(parameter, x):
                return self.linear(node, parameter, x, "b")
            case LinearCorrect(parameter, factor, x):
                return self.factored(node, parameter, factor, x, inputs=0)
            case LinearFactored(parameter, factor, x, bf16):
                inputs = self.values.unit.graph.parameters[parameter].shape[-1]
                return self.factored(node, parameter, factor, x, inputs=inputs, bf16=bf16)
            case Reduce(op, args):
                made = self.values.nodes[node].type
                inner = self.values.nodes[args[0]].type.shape[-1]
                buffers = tuple(self.home(a) for a in args)
                return RowReduce(made.size, inner, not made.batched, _CHAINS[op], _FIRST[op], buffers, self.homes[node])
            case Kernel(op, args, sizes):
                return KernelCall(op, self.homes[node], tuple(self.home(a) for a in args), sizes)
            case Random(kind, site, count):
                return Draw(kind, site, self.home(count), self.homes[node])
            case Arrange(pieces):
                blocks = tuple(Block(self.source(p.source), p.start, p.target, p.dims) for p in pieces)
                return CopyBlocks(self.homes[node], blocks)
            case CallUnit(call, args):
                return self.call(node, call, args)
            case _:
                raise InternalError(f"no statement for {type(operation).__name__}")

    def source(self, node: int) -> Buffer | Value:
        """Where a copied block comes from."""
        operation = self.values.nodes[self.values.base(node)].operation
        return Value(operation.value) if isinstance(operation, Known) else self.home(node)

    def repeat(self, segment: Segment) -> Statement:
        """A loop of the program."""
        loop = segment.first
        begin = self.values.nodes[loop].operation
        assert isinstance(begin, LoopBegin)
        assert segment.body is not None
        body = tuple(self.lower(inner) for inner in segment.body)
        alive = None if begin.alive is None else self.carried[loop, begin.alive]
        return Repeat(loop, begin.count, alive, body)

    def linear(self, node: int, parameter: int, x: int, source: WeightSource) -> Statement:
        """A layer, or filters, by the weights of `source`."""
        shape = self.values.unit.graph.parameters[parameter].shape
        if len(shape) == 4:
            _, height, width = self.values.nodes[node].type.shape
            filters, channels, size, _ = shape
            if source == "b":
                filters = self.values.nodes[node].type.shape[0]
            sizes = (filters, channels, height, width, size)
            return ConvKernel(parameter, source, self.home(x), self.homes[node], sizes)
        outputs, inputs = shape
        made = self.values.nodes[node].type
        if source == "b":
            outputs = made.shape[-1]
        homes = (self.home(x), self.homes[node])
        by_lane = self.by_lane(parameter) and source != "w"
        return LinearKernel(parameter, source, *homes, outputs, inputs, made.size // outputs, by_lane)

    def by_lane(self, parameter: int) -> bool:
        """True if every lane has weights of its own."""
        return self.values.unit.graph.parameters[parameter].by_lane

    def factored(self, node: int, parameter: int, factor: int, x: int, *, inputs: int, bf16: bool = False) -> Statement:
        """`inputs` 0: x is W x already. Filters have their one rank and output axis first, then the picture's."""
        shape = self.values.unit.graph.parameters[parameter].shape
        outputs, numbers = shape[0], self.values.nodes[node].type.size
        homes = (self.home(x), self.home(factor), self.homes[node])
        thin = self.values.nodes[factor].type.shape
        if len(shape) == 4:
            return FactoredKernel(parameter, *homes, outputs, 0, thin[0], 1, numbers // outputs)
        by_lane = self.by_lane(parameter)
        rows = numbers // outputs
        return FactoredKernel(parameter, *homes, outputs, inputs, thin[-1], rows, by_lane=by_lane, bf16=bf16)

    def call(self, node: int, call: int, args: tuple[int, ...]) -> Statement:
        """A call of a unit's function at this level."""
        callee = self.values.callees[call]
        inputs, outputs = next((i, o) for level, i, o in callee.functions if level == self.level)
        results = self.values.results(node)
        return UnitCall(
            call,
            callee.symbol,
            self.level,
            self.values.callee_slices[node],
            tuple(self.home(args[position]) for position in inputs),
            tuple(self.homes[results[position]] for position in outputs),
        )

    def element_loop(self, segment: Segment) -> ElementLoop | LayerLoop:
        """The items of a fused segment, in one loop."""
        steps: list[Step] = []
        after: list[Store] = []
        for item in segment.items[1:] if segment.layer else segment.items:
            if isinstance(item, Move):
                target = self.carried[item.loop, item.position]
                steps.append(Store(target, Element(), self.read(segment, item.source, segment.extent)))
                continue
            made = self.values.nodes[item]
            home = self.homes.get(item)
            if isinstance(made.operation, Reduce):
                args = tuple(self.read(segment, a, segment.extent) for a in made.operation.args)
                op = made.operation.op
                steps.append(Accumulate(item, _CHAINS[op], _FIRST[op], args))
                if home is not None:
                    after.append(Store(home, Fixed(0), Temp(item)))
                continue
            steps.append(Let(item, self.expression(segment, made)))
            if home is not None:
                steps.append(Store(home, Element(), Temp(item)))
        if segment.layer:
            return self.layer_loop(segment.first, steps, after)
        return ElementLoop(segment.extent, segment.uniform, tuple(steps), tuple(after))

    def layer_loop(self, node: int, steps: list[Step], after: list[Store]) -> LayerLoop:
        """A layer whose outputs go into the steps."""
        source: WeightSource = "w"
        factor: Buffer | None = None
        rank, bf16 = 0, False
        match self.values.nodes[node].operation:
            case LinearMean(parameter, x):
                pass
            case LinearNoise(parameter, x):
                source = "e"
            case LinearPerturbed(parameter, x):
                source = "wp"
            case LinearFactored(parameter, thin, x, bf16):
                factor, rank = self.home(thin), self.values.nodes[thin].type.shape[-1]
            case operation:
                raise InternalError(f"{type(operation).__name__} is no layer")
        outputs, inputs = self.values.unit.graph.parameters[parameter].shape
        if node in self.homes:
            steps = [Store(self.homes[node], Element(), Temp(node)), *steps]
        place, by_lane = self.home(x), self.by_lane(parameter) and source != "w"
        sizes = (outputs, inputs, rank)
        return LayerLoop(node, parameter, source, place, factor, *sizes, tuple(steps), tuple(after), by_lane, bf16)

    def expression(self, segment: Segment, node: Node) -> Expression:
        """The value of a node inside a loop over elements."""
        match node.operation:
            case Elementwise("spread", args):
                return self.read(segment, args[0], segment.extent)
            case Elementwise(op, args):
                return Apply(op, tuple(self.read(segment, a, segment.extent) for a in args))
            case LinearJoin(parameter, noise, mean):
                operands_ = (self.read(segment, a, segment.extent) for a in (noise, mean))
                return Apply("noisy", (SlotScale(parameter, self.by_lane(parameter)), *operands_))
            case LinearCorrect(parameter, factor, mean):
                return self.correction(parameter, factor, self.read(segment, mean, segment.extent))
            case Iota():
                return ElementNumber()
            case LoopVariable(loop, position):
                return Load(self.carried[loop, position], Element())
            case LoopResult(end, position):
                return Load(self.carried[self.schedule.loop_of(end), position], Element())
            case _:
                raise InternalError(f"{type(node.operation).__name__} is not element by element")

    def correction(self, parameter: int, factor: int, value: Expression) -> Expression:
        """fma(A[e,q], s sigma/√r t_q, …) for q ascending; nothing where s is 0."""
        rank = self.values.nodes[factor].type.size
        by_lane = self.by_lane(parameter)
        columns = Buffer("weights", 0, uniform=not by_lane, position=parameter, source="a")
        for q in range(rank):
            scaled = Apply("scaled_noise", (SlotScale(parameter, by_lane), Load(self.home(factor), Fixed(q))))
            value = Apply("fma", (Load(columns, Strided(rank, q)), scaled, value))
        return value

    def read(self, segment: Segment, node: int, extent: int) -> Expression:
        """An operand inside a loop: known, made in the same turn, or loaded."""
        base = self.values.base(node)
        made = self.values.nodes[base]
        if isinstance(made.operation, Known):
            return Value(made.operation.value)
        if isinstance(made.operation, Setting):
            return SettingValue(made.operation.name)
        if base in segment.nodes:
            return Temp(base)
        size = self.values.nodes[node].type.size
        index = Element() if size == extent else Fixed(0) if size == 1 else Repeated(size)
        return Load(self.home(node), index)

    def copy(self, position: int, node: int) -> Statement:
        """A value copied to an output that it could not be computed into."""
        type_ = self.values.nodes[node].type
        uniform = not type_.batched and not self.values.unit.application.is_root
        target = Buffer("out", type_.size, uniform, position=position)
        value = self.read(Segment([]), node, type_.size)
        return ElementLoop(type_.size, uniform, (Store(target, Element(), value),))


def lower_finish(values: UnitValues) -> Finish:
    """What a trained word does with the results of its reductions; `values` is the plan of its score alone."""
    nodes = values.nodes
    ops = tuple(batch_op(nodes[place]) for place in values.reductions)
    result = values.base(values.outputs[0][0])
    if result in values.reductions:
        return Finish(ops, values.reduction_place(result), (), None, 0)
    lowering = FunctionLowering(values, Level.MEMBER, in_finish=True)
    lowering.schedule.build(_needed(values))
    final = lowering.schedule.tick()
    lowering.schedule.readers.setdefault(result, []).append(final)
    _, scratch = lowering.place([])
    statements = tuple(lowering.lower(segment) for segment in lowering.schedule.segments)
    return Finish(ops, None, statements, lowering.home(values.outputs[0][0]), scratch)


def batch_op(node: Node) -> BatchOp:
    """How a BatchReduce node reduces."""
    assert isinstance(node.operation, BatchReduce)
    return node.operation.op


def _needed(values: UnitValues) -> list[int]:
    """The nodes that the score is computed from, the results of reductions aside, in order."""
    given = (Known, BatchReduce, Input, ParameterValue, Setting, Table, View)
    return [node for node in sorted(values.live) if not isinstance(values.nodes[node].operation, given)]
