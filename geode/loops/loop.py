"""The loops form: what each function of a unit does to the memory of one tile.

In: made by `graph_to_loops`, its scratch placed by `plan_buffers`. Out: read by `loops_to_c` and `loops_to_text`.
Invariant: a per-lane value of k elements lies as [k][GS_LANES], a uniform one as [k] at the start of such a place;
offsets count elements, so the text is the same for every number of lanes.
"""

from __future__ import annotations

from typing import Literal

from geode.graph.graph import BatchOp, Level, RandomKind
from geode.record import dataclass

Space = Literal["in", "out", "run", "epoch", "pair", "kept", "scratch", "reduced", "weights", "tables"]
Slices = tuple[int | None, int | None, int | None]  # of run, epoch and pair
WeightSource = Literal["w", "e", "wp", "a", "b"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """`elements` numbers per lane at `offset` of a space; `position` tells the unit's inputs and outputs apart, the results
    of batch reductions, tables, and the parameters, whose weights (`source`: of the mean or of the member) are a space
    too. `skip` elements of the value that lies there come before the first one meant."""

    space: Space
    elements: int
    uniform: bool
    offset: int = 0
    position: int = 0
    skip: int = 0
    source: WeightSource = "wp"


# --- where in a value an element loop reads or writes


@dataclass(frozen=True, slots=True)
class Element:
    """The loop's own element."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """One element, the same in every turn."""

    element: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The loop's element modulo `size`: an operand whose shape ends the other's."""

    size: int


@dataclass(frozen=True, slots=True)
class Strided:
    """`offset` plus `stride` times the loop's element: one column of a matrix."""

    stride: int
    offset: int


Index = Element | Fixed | Repeated | Strided


# --- expressions over one vector of lanes


@dataclass(frozen=True, slots=True)
class Temp:
    """A value computed earlier in the same turn, named after its node."""

    node: int


@dataclass(frozen=True, slots=True)
class Load:
    """An element from memory."""

    buffer: Buffer
    index: Index


@dataclass(frozen=True, slots=True)
class Value:
    """A float32 known while compiling."""

    value: float


@dataclass(frozen=True, slots=True)
class SlotScale:
    """s sigma of a parameter; `by_lane`: that of every lane's member."""

    parameter: int
    by_lane: bool = False


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting of the run."""

    name: str


@dataclass(frozen=True, slots=True)
class ElementNumber:
    """The number of the loop's element: 0, 1, …"""


@dataclass(frozen=True, slots=True)
class Apply:
    """A lane operation."""

    op: str
    args: tuple[Expression, ...]


Expression = Temp | Load | Value | SlotScale | SettingValue | ElementNumber | Apply


# --- steps of one turn of an element loop


@dataclass(frozen=True, slots=True)
class Let:
    """Names a value."""

    node: int
    value: Expression


@dataclass(frozen=True, slots=True)
class Store:
    """Writes a value to memory."""

    buffer: Buffer
    index: Index
    value: Expression


@dataclass(frozen=True, slots=True)
class Accumulate:
    """One link of a node's ascending chain, which starts from `first`."""

    node: int
    op: str
    first: float
    args: tuple[Expression, ...]


Step = Let | Store | Accumulate


# --- statements


@dataclass(frozen=True, slots=True)
class ElementLoop:
    """For every element and every vector of lanes (once, if uniform) the steps in order. `after` runs once the
    accumulators are complete."""

    extent: int
    uniform: bool
    steps: tuple[Step, ...]
    after: tuple[Store, ...] = ()


@dataclass(frozen=True, slots=True)
class RowReduce:
    """Chains of `inner` elements each, `outer` of them: the last axis of a value of more axes."""

    outer: int
    inner: int
    uniform: bool
    op: str
    first: float
    args: tuple[Buffer, ...]
    result: Buffer


@dataclass(frozen=True, slots=True)
class LinearKernel:
    """y = M x for each of `rows` slices of x; M is the parameter's mean weights, noise, perturbed weights or factor Bᵀ, in
    every lane its own if `by_lane`."""

    parameter: int
    source: WeightSource
    x: Buffer
    y: Buffer
    outputs: int
    inputs: int
    rows: int
    by_lane: bool = False


@dataclass(frozen=True, slots=True)
class FactoredKernel:
    """y = W x + ss A t for each of `rows` slices, t of `rank` numbers; without `inputs` x is W x itself, and every output
    and every number of t is one of `positions` numbers. `by_lane`: A and ss are every lane's own. `bf16`: W x is of
    bfloat16 numbers, and x in pairs of them."""

    parameter: int
    x: Buffer
    factor: Buffer
    y: Buffer
    outputs: int
    inputs: int
    rank: int
    rows: int
    positions: int = 1
    by_lane: bool = False
    bf16: bool = False


@dataclass(frozen=True, slots=True)
class LayerLoop:
    """y = M x, or W x + ss A t with a `factor` t of `rank` numbers, and for every output and every vector of lanes the
    steps, in which the output is the Temp `node`: it goes from the registers into them, and not through memory.
    `by_lane`: M is every lane's own. `bf16`: W x is of bfloat16 numbers, and x in pairs of them."""

    node: int
    parameter: int
    source: WeightSource
    x: Buffer
    factor: Buffer | None
    outputs: int
    inputs: int
    rank: int
    steps: tuple[Step, ...]
    after: tuple[Store, ...]
    by_lane: bool = False
    bf16: bool = False


@dataclass(frozen=True, slots=True)
class ConvKernel:
    """y = the filters over the picture x; `sizes` are filters, channels, height, width and the filters' size."""

    parameter: int
    source: WeightSource
    x: Buffer
    y: Buffer
    sizes: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """Numbers copied, or one known number repeated: see Piece of the graph."""

    source: Buffer | Value
    start: int
    target: int
    dims: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class CopyBlocks:
    """A value put together from blocks of others."""

    result: Buffer
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A kernel over whole values: `gs_<op>(result, args…, sizes…)`."""

    op: str
    result: Buffer
    args: tuple[Buffer, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A random number of every lane: of call site `site`, which each lane has drawn from `count` times."""

    kind: RandomKind
    site: int
    count: Buffer
    result: Buffer


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `count` times (None: without end), but only as long as a lane of the flag `alive` (None: any) is set;
    `number` names the loop."""

    number: int
    count: int | None
    alive: Buffer | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class UnitCall:
    """The function of another unit at this level; `slices` are offsets in the caller's, None where it has none."""

    call: int
    symbol: str
    level: Level
    slices: Slices
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]


Statement = (
    ElementLoop
    | RowReduce
    | LinearKernel
    | ConvKernel
    | FactoredKernel
    | LayerLoop
    | CopyBlocks
    | KernelCall
    | Draw
    | Repeat
    | UnitCall
)


@dataclass(frozen=True, slots=True)
class Function:
    """What a unit does at one level, in pass `number` over the batch: which inputs it reads, which outputs it writes, how
    much scratch it needs."""

    level: Level
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    statements: tuple[Statement, ...]
    scratch: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """What follows the last batch reduction: results[k] of the K outputs, reduced by `ops` -> the score. `direct` is
    the output that is the score itself, still in float64; else `statements` compute it in uniform float32."""

    ops: tuple[BatchOp, ...]
    direct: int | None
    statements: tuple[Statement, ...]
    result: Buffer | None
    scratch: int


@dataclass(frozen=True, slots=True)
class Part:
    """One of the functions of a rollout; whether it, or what it calls, reads weights of the lanes' members, or slices."""

    function: Function
    reads_weights: bool
    reads_slices: bool


@dataclass(frozen=True, slots=True)
class Rollout:
    """A member function whose time is in one loop, cut in what comes before it, one turn, and what comes after: what
    lives from one part to another stands in `state` elements of the pair's slice. A lane is in the loop while its flag
    `alive` (an element of the state) is set, for at most `turns` turns; None: whatever the one, however many. `nested`:
    there are loops in the loop that lanes leave in their own time."""

    begin: Part
    step: Part
    end: Part
    state: int
    alive: int | None
    turns: int | None
    nested: bool

    @property
    def parts(self) -> tuple[tuple[str, Part], ...]:
        """The parts by name, in order."""
        return (("begin", self.begin), ("step", self.step), ("end", self.end))


@dataclass(frozen=True, slots=True)
class Reduction:
    """A batch reduction of a root: its operation, and the level and pass at whose end its result is known."""

    op: BatchOp
    level: Level
    number: int


@dataclass(frozen=True, slots=True)
class Interface:
    """What a caller needs to know of a unit: per level the inputs that its function reads and the outputs it writes,
    and how many elements each slice takes, those of the units it calls included. `members`: of tiles of many members,
    where the outer levels are those of the word's other form, and only member functions are there to be called. A root of
    several passes has `later` functions too, with their passes, and `kept` elements that a pass leaves for the next."""

    symbol: str
    functions: tuple[tuple[Level, tuple[int, ...], tuple[int, ...]], ...]
    run: int
    epoch: int
    pair: int
    members: bool = False
    later: tuple[tuple[Level, int, tuple[int, ...], tuple[int, ...]], ...] = ()
    kept: int = 0

    @property
    def callable(self) -> tuple[Level, ...]:
        """The levels whose functions are there."""
        return tuple(level for level, _, _ in self.functions if level == Level.MEMBER or not self.members)


@dataclass(frozen=True, slots=True)
class UnitLoops:
    """A unit, lowered. `parameters` is how many slots it reads; `slices` are the values that its run and epoch functions
    hand on, `callee_slices` where those of its calls begin. A root with a `rollout` has no member function,
    one of several passes `reductions`, in the order of their results."""

    word: str
    interface: Interface
    functions: tuple[Function, ...]
    finish: Finish | None
    parameters: int
    flops: float
    slices: tuple[Buffer, ...] = ()
    callee_slices: tuple[Slices, ...] = ()
    rollout: Rollout | None = None
    reductions: tuple[Reduction, ...] = ()
