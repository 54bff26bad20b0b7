"""The interpreter of the typed graph: a call tree, weights and the rows of a batch -> what the word leaves.

In: an `Application` as `words_to_graph` makes it (levels and forms not yet decided), arrays by parameter name, the rows
`[rows, k]`. Out: one array an output: `[rows, *shape]` where its type is batched, `[*shape]` where it is uniform.
Invariant: every operation is written here from its definition (language.md "Computing", engine.md "What stays the same
to the bit"); a parameter is always the member's own W + s sigma E, never a split form; an operation that is not known
is an InternalError.

float64 says what the program means. float32 rounds where the emitted code does and keeps its order of operations, so
that it differs only where the form of a layer does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from geode.diagnostics import InternalError
from geode.graph.call_tree import Application
from geode.graph.graph import (
    Arrange,
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Input,
    Iota,
    Kernel,
    Known,
    Linear,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    ParameterValue,
    Piece,
    Random,
    Reduce,
    Setting,
    Table,
    View,
)
from geode.graph.types import Shape, TensorType
from geode.graph.values import TableFile
from geode.reference.batch_sums import batch_mean
from geode.reference.elementwise import ELEMENTWISE
from geode.reference.kernels import KERNELS, patches
from geode.reference.reductions import BATCH_REDUCTIONS, REDUCTIONS, matrix_product
from geode.reference.streams import normals, splitmix64, stream_key, stream_name_hash, uniforms

Array = NDArray[Any]
Weights = Mapping[str, Array]
Settings = Mapping[str, Any]


OUTSIDE = 2**64 - 1  # the epoch and the member that random words draw for where nothing is trained


@dataclass(frozen=True, slots=True)
class Luck:
    """Whom random words draw for: one member at one epoch of a run with this seed."""

    seed: int = 0
    epoch: int = OUTSIDE
    member: int = OUTSIDE


@dataclass(frozen=True, slots=True)
class Batch:
    """What one evaluation runs on: `data` `[rows, …]`, or None where the rows of the batch have no data; `tables` are
    the numbers of the files that TABLE names."""

    rows: int
    data: Array | None = None
    luck: Luck = Luck()
    tables: Mapping[TableFile, Array] = field(default_factory=dict)


def score(
    root: Application, weights: Weights, batch: Batch, settings: Settings, *, dtype: DTypeLike = np.float64
) -> float:
    """Return the score of a trained word: what it leaves, or for a word of one row the mean of that over the rows."""
    (output,) = evaluate(root, weights, batch, settings, dtype=dtype)
    if root.row_word:
        output = batch_mean(np.broadcast_to(output, (batch.rows,)))
    return float(output)


def evaluate(
    root: Application, weights: Weights, batch: Batch, settings: Settings, *, dtype: DTypeLike = np.float64
) -> list[Array]:
    """Return what the root of a call tree leaves on the stack, the deepest first.

    `settings` are the fields of the settings table that the graph reads (`loop_limit`).
    """
    inputs = [] if batch.data is None else [np.asarray(batch.data, dtype)]
    with np.errstate(all="ignore"):
        return _Run(root, weights, batch, settings, np.dtype(dtype)).outputs(inputs)


class _Run:
    """One unit at its place in the tree while it is evaluated: `values` by node, `carried` by LoopBegin node."""

    def __init__(
        self, unit: Application, weights: Weights, batch: Batch, settings: Settings, dtype: np.dtype[Any]
    ) -> None:
        self.unit, self.weights, self.batch, self.settings, self.dtype = unit, weights, batch, settings, dtype
        self.rows = batch.rows
        self.inputs: Sequence[Array] = ()
        self.values: dict[int, Array] = {}
        self.results: dict[int, list[Array]] = {}  # of calls and loops, by call node and LoopEnd node
        self.carried: dict[int, list[Array]] = {}

    def outputs(self, inputs: Sequence[Array]) -> list[Array]:
        """What the unit leaves on the stack."""
        self.inputs = inputs
        self.run(0, len(self.unit.nodes))
        return [self.values[output] for output in self.unit.outputs]

    def run(self, place: int, end: int) -> None:
        """Evaluates the nodes from `place` up to `end`."""
        while place < end:
            operation = self.unit.nodes[place].operation
            if isinstance(operation, LoopBegin):
                place = self.loop(place, operation)
            else:
                self.values[place] = self.value(place, self.unit.nodes[place])
            place += 1

    def loop(self, begin: int, operation: LoopBegin) -> int:
        """Runs a loop to its end; its LoopEnd node."""
        end, nexts = next(
            (place, node.operation.nexts)
            for place, node in enumerate(self.unit.nodes)
            if isinstance(node.operation, LoopEnd) and node.operation.loop == begin
        )
        carried = [self.values[init] for init in operation.inits]
        turn = 0
        while self.goes_on(operation, carried, turn):
            self.carried[begin] = carried
            self.run(begin + 1, end)
            carried = [self.values[node] for node in nexts]
            turn += 1
        self.results[end] = carried
        return end

    def goes_on(self, operation: LoopBegin, carried: list[Array], turn: int) -> bool:
        if operation.count is not None:
            return turn < operation.count
        if operation.alive is None:
            raise InternalError("a loop without a count carries the flag that ends it")
        return bool(np.any(carried[operation.alive]))

    def value(self, place: int, node: Node) -> Array:
        """The value of one node; the nodes before it have theirs."""
        match node.operation:
            case Input(position):
                return self.inputs[position]
            case Known(value):
                return np.full(node.type.shape, value, np.bool_ if node.type.dtype == "f" else self.dtype)
            case Setting(name):
                return np.asarray(self.settings[name], self.dtype)
            case Random(kind, site, count):
                return self.random(kind, site, np.broadcast_to(self.values[count], (self.rows,)))
            case Iota():
                return np.arange(node.type.size).astype(self.dtype).reshape(node.type.shape)
            case Elementwise(op, args):
                return self.elementwise(op, [self.spread(a, node.type) for a in args], node.type)
            case Reduce(op, args):
                operands = [self.spread(a, self.unit.nodes[args[0]].type) for a in args]
                return _known(REDUCTIONS, op)(*operands)
            case Kernel(op, args, sizes):
                return self.kernel(op, args, sizes, node.type)
            case View(x, offset):
                return self.flat(x)[..., offset : offset + node.type.size].reshape(self.full(node.type))
            case Arrange(pieces):
                return self.arrange(pieces, node.type)
            case Linear(parameter, x):
                return self.linear(self.number(self.values[x]), self.parameter(parameter))
            case ParameterValue(parameter):
                return self.parameter(parameter).reshape(node.type.shape)
            case BatchReduce(op, x):
                rows = np.broadcast_to(self.number(self.values[x]), (self.rows,))
                return np.asarray(_known(BATCH_REDUCTIONS, op)(rows), np.float64)
            case _:
                return self.result(place, node)

    def random(self, kind: str, site: int, counts: Array) -> Array:
        """A draw of every row at a random call site, where row i has drawn `counts[i]` times."""
        if kind == "episode":
            return np.arange(self.rows).astype(self.dtype)
        luck, hi = self.batch.luck, stream_name_hash(self.unit.sites[site])
        drawn = np.empty(self.rows, self.dtype)
        for i, count in enumerate(counts):
            place = splitmix64(i) ^ luck.member if kind == "member_randn" else i
            key = stream_key(hi, luck.seed, luck.epoch, place)
            drawn[i] = (uniforms if kind == "rand" else normals)(key, int(count), 1)[0]
        return drawn

    def linear(self, x: Array, weight: Array) -> Array:
        """W x along the last axis, or the filters W `[n, c, k, k]` over the picture x `[…, c, h, w]`."""
        if weight.ndim != 4:
            return matrix_product(x, weight)
        seen = matrix_product(patches(x, weight.shape[-1]), weight.reshape(len(weight), -1))
        return np.moveaxis(seen, -1, -3)

    def result(self, place: int, node: Node) -> Array:
        """What calls, loops and files give."""
        match node.operation:
            case CallUnit(call, args):
                callee = _Run(self.unit.calls[call], self.weights, self.batch, self.settings, self.dtype)
                self.results[place] = callee.outputs([self.values[a] for a in args])
                return self.results[place][0]
            case CallResult(call, position):
                return self.results[call][position]
            case Table(table):
                return np.asarray(self.batch.tables[self.unit.tables[table]], self.dtype)
            case LoopVariable(loop, position):
                return self.as_type(self.carried[loop][position], node.type)
            case LoopResult(end, position):
                return self.as_type(self.results[end][position], node.type)
            case operation:
                raise InternalError(f"the reference can't evaluate {type(operation).__name__}")

    def elementwise(self, op: str, args: list[Array], type_: TensorType) -> Array:
        result = _known(ELEMENTWISE, op)(*args)
        if type_.dtype == "r":
            result = np.asarray(result, self.dtype)
        return np.broadcast_to(result, self.full(type_))

    def kernel(self, op: str, args: tuple[int, ...], sizes: tuple[int, ...], type_: TensorType) -> Array:
        """A whole-value operation on the rows as matrices `[rows, numbers]`; a uniform one has a single row."""
        rows = self.rows if type_.batched else 1
        operands = []
        for arg in args:
            flat = np.asarray(self.flat(arg), self.dtype)
            operands.append(np.broadcast_to(flat, (rows, flat.shape[-1])))
        result = _known(KERNELS, op)(*operands, *sizes)
        return np.asarray(result, np.bool_ if type_.dtype == "f" else self.dtype).reshape(self.full(type_))

    def arrange(self, pieces: tuple[Piece, ...], type_: TensorType) -> Array:
        leading = (self.rows,) if type_.batched else ()
        result = np.zeros((*leading, type_.size), np.bool_ if type_.dtype == "f" else self.dtype)
        for piece in pieces:
            taken, put = np.array(piece.start), np.array(piece.target)
            for count, source_stride, target_stride in piece.dims:
                turns = np.arange(count)
                taken = taken[..., None] + turns * source_stride
                put = put[..., None] + turns * target_stride
            result[..., put.reshape(-1)] = self.flat(piece.source)[..., taken.reshape(-1)]
        return result.reshape(self.full(type_))

    def spread(self, place: int, to: TensorType) -> Array:
        """An operand with axes put in so that it meets values of row shape `to.shape` row by row."""
        type_, value = self.unit.nodes[place].type, self.number(self.values[place])
        if not type_.batched:
            return value
        missing = len(to.shape) - len(type_.shape)
        return value.reshape(self.rows, *(1,) * missing, *type_.shape)

    def flat(self, place: int) -> Array:
        """A value's numbers in row-major order along one axis, behind the batch axis if it has one."""
        type_, value = self.unit.nodes[place].type, self.number(self.values[place])
        return value.reshape((self.rows, type_.size) if type_.batched else (type_.size,))

    def as_type(self, value: Array, type_: TensorType) -> Array:
        """A value that a loop carries, which may have begun as a uniform one or as a flag."""
        value = np.asarray(value, np.bool_) if type_.dtype == "f" else np.asarray(value, self.dtype)
        return np.broadcast_to(value, self.full(type_))

    def number(self, value: Array) -> Array:
        """A value as operations take it: flags as they are, a batch sum rounded as a word that uses it does."""
        return value if value.dtype == np.bool_ else np.asarray(value, self.dtype)

    def parameter(self, place: int) -> Array:
        parameter = self.unit.parameters[place]
        return np.asarray(self.weights[parameter.name], self.dtype).reshape(parameter.shape)

    def full(self, type_: TensorType) -> Shape:
        return (self.rows, *type_.shape) if type_.batched else type_.shape


def _known(table: Mapping[str, Callable[..., Array]], op: str) -> Callable[..., Array]:
    found = table.get(op)
    if found is None:
        raise InternalError(f"the reference knows no operation {op!r}")
    return found
