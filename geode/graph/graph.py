"""The graph form: what one unit computes, node by node, in an order in which every operand stands before its use.

In: made by `words_to_graph`, rewritten by `find_levels`. Out: read by `specialise`, `graph_to_loops`, the reference
interpreter and `graph_to_text`.
Invariant: an operand is the index of an earlier node; spans and trails take no part in equality or in the text, so that
moving a word changes no artifact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import IntEnum
from operator import attrgetter
from typing import Any, Literal

from geode.graph.types import Shape, TensorType
from geode.record import dataclass
from geode.source import Span

ParameterKind = Literal["matrix", "table", "vector"]
RandomKind = Literal["rand", "randn", "member_randn", "episode"]
BatchOp = Literal["sum", "mean", "product", "amax", "amin"]
Trail = tuple[tuple[str, Span], ...]


class Level(IntEnum):
    """The outermost loop of training at which a value is known."""

    RUN = 0
    EPOCH = 1
    PAIR = 2
    MEMBER = 3


# --- operations; `args` and the other operands are node indices, `parameter` indexes Graph.parameters


@dataclass(frozen=True, slots=True)
class Input:
    """The unit's tensor argument `position`, the deepest on the stack first."""

    position: int


@dataclass(frozen=True, slots=True)
class Known:
    """A float32 known while compiling, the same for every element of its type."""

    value: float


@dataclass(frozen=True, slots=True)
class Elementwise:
    """A scalar operation applied element by element, operands spread as `combine_shapes` says; `spread` copies its one
    operand to a larger shape that it ends. Flags are operands and results like numbers.
    """

    op: str
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reduce:
    """The last axis reduced by one ascending chain: `sum`, `product`, `amax`, `amin` of one operand, `dot` (FMA) of two."""

    op: str
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Consecutive numbers of a value in row-major order, from number `offset` on, under a row shape of their own."""

    x: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of numbers copied from `source`: for every index (i, j, …) below the counts, number
    `start + Σ index·source_stride` goes to number `target + Σ index·target_stride`; `dims` holds those triples.
    """

    source: int
    start: int
    target: int
    dims: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Arrange:
    """A value put together from blocks of others; together they cover it."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A scalar setting of the run that code depends on: `loop_limit`."""

    name: str


@dataclass(frozen=True, slots=True)
class Iota:
    """0, 1, … along one axis, the same for every row."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A named operation over whole values (`at`, `put`, `slice`, `argmax`, …); `sizes` are its constants."""

    op: str
    args: tuple[int, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Random:
    """A number of every row that its data does not hold: `rand` and `randn` the same for all members, `member_randn` not,
    `episode` the row's place. `site` counts the unit's random call sites, `count` is how often the row has drawn there."""

    kind: RandomKind
    site: int
    count: int


@dataclass(frozen=True, slots=True)
class LoopBegin:
    """Opens a loop over the nodes up to its LoopEnd: `inits` are the first values of what it carries from turn to turn.
    It runs `count` turns; with `count` None as long as the carried flag `alive` is set in any lane.
    """

    inits: tuple[int, ...]
    count: int | None
    alive: int | None = None


@dataclass(frozen=True, slots=True)
class LoopVariable:
    """What loop `loop` carries at `position`, as it stands when a turn begins."""

    loop: int
    position: int


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """Closes loop `loop`; `nexts` are carried into the next turn."""

    loop: int
    nexts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoopResult:
    """What the loop that ends at `end` carried at `position`, after its last turn."""

    end: int
    position: int


@dataclass(frozen=True, slots=True)
class Linear:
    """W x along the last axis, the form of the perturbation not yet decided."""

    parameter: int
    x: int


@dataclass(frozen=True, slots=True)
class LinearMean:
    """W x with the mean weights."""

    parameter: int
    x: int


@dataclass(frozen=True, slots=True)
class LinearNoise:
    """E x with the pair's dense noise."""

    parameter: int
    x: int


@dataclass(frozen=True, slots=True)
class LinearJoin:
    """fma(s sigma, E x, W x): the split form's value for one member."""

    parameter: int
    noise: int
    mean: int


@dataclass(frozen=True, slots=True)
class LinearPerturbed:
    """(W + s sigma E) x: the materialised form."""

    parameter: int
    x: int


@dataclass(frozen=True, slots=True)
class LinearFactor:
    """Bᵀ x with the pair's factor B, its type ending in the rank; not scaled."""

    parameter: int
    x: int


@dataclass(frozen=True, slots=True)
class LinearCorrect:
    """W x + (s sigma / √r) A (Bᵀ x), from both products: the factored form's value for one member."""

    parameter: int
    factor: int
    mean: int


@dataclass(frozen=True, slots=True)
class LinearFactored:
    """The same value where W x differs by member too, and so is not made on its own. With `bf16` the product W x is of
    bfloat16 numbers, and x is what the kernel `bf16_pairs` makes of the layer's input.
    """

    parameter: int
    factor: int
    x: int
    bf16: bool = False


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """The member's value of a parameter itself, uniform over rows."""

    parameter: int


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a file, read once when the program starts; `table` counts the unit's tables."""

    table: int


@dataclass(frozen=True, slots=True)
class BatchReduce:
    """A scalar of every row reduced over the batch in float64; `mean` divides the sum by the number of rows."""

    op: BatchOp
    x: int


@dataclass(frozen=True, slots=True)
class CallUnit:
    """A call of another unit, `call` counting the calls in this graph; the node is the callee's first output."""

    call: int
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallResult:
    """A further output of the call node `call`."""

    call: int
    position: int


Operation = (
    Input
    | Known
    | Elementwise
    | Reduce
    | View
    | Arrange
    | Setting
    | Iota
    | Kernel
    | Random
    | LoopBegin
    | LoopVariable
    | LoopEnd
    | LoopResult
    | Linear
    | LinearMean
    | LinearNoise
    | LinearJoin
    | LinearPerturbed
    | LinearFactor
    | LinearCorrect
    | LinearFactored
    | ParameterValue
    | Table
    | BatchReduce
    | CallUnit
    | CallResult
)


@dataclass(frozen=True, slots=True)
class Node:
    """One value: how it is made, its type, and where in which chain of calls it was written."""

    operation: Operation
    type: TensorType
    span: Span | None = field(default=None, compare=False)
    trail: Trail = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UnitParameter:
    """A parameter as its unit knows it: by place and shape, not by path. `by_lane`: each lane of a tile has weights of its
    own, as its rows are those of different members."""

    shape: Shape
    kind: ParameterKind
    trainable: bool
    by_lane: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """One unit. `outputs` are the nodes left on the stack, the deepest first; `word` names the definition."""

    word: str
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]
    parameters: tuple[UnitParameter, ...] = ()

    @property
    def inputs(self) -> tuple[int, ...]:
        """The Input nodes in order of their position."""
        found = [(n.operation.position, i) for i, n in enumerate(self.nodes) if isinstance(n.operation, Input)]
        return tuple(i for _, i in sorted(found))


def operands(operation: Operation) -> tuple[int, ...]:
    """The nodes that an operation reads, in order."""
    found = _OPERANDS.get(type(operation))
    return found(operation) if found else ()


# By the class of an operation; what is not here reads none. A large program asks some hundred thousand times.
_OPERANDS: dict[type, Callable[[Any], tuple[int, ...]]] = {
    **dict.fromkeys((Elementwise, Reduce, CallUnit, Kernel), attrgetter("args")),
    **dict.fromkeys(
        (View, Linear, LinearMean, LinearNoise, LinearPerturbed, LinearFactor, BatchReduce),
        lambda operation: (operation.x,),
    ),
    Arrange: lambda operation: tuple(piece.source for piece in operation.pieces),
    Random: lambda operation: (operation.count,),
    LoopBegin: attrgetter("inits"),
    LoopVariable: lambda operation: (operation.loop,),
    LoopEnd: lambda operation: (operation.loop, *operation.nexts),
    LoopResult: lambda operation: (operation.end,),
    LinearJoin: attrgetter("noise", "mean"),
    LinearCorrect: attrgetter("factor", "mean"),
    LinearFactored: attrgetter("factor", "x"),
    CallResult: lambda operation: (operation.call,),
}
