"""Layers whose outputs go from the registers into what follows -> statements of C.

In: a `LayerLoop`. Out: loops over groups of vectors and blocks of outputs, as kernels/gs_linear.h cuts them.
Invariant: every output is the one chain that gs_linear or gs_factored makes of it.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from geode.emit.element_steps import accumulator, address, constant, each_vector, steps_to_c, store_to_c
from geode.emit.statement import (
    Assign,
    Binary,
    CallExpr,
    Declare,
    Evaluate,
    Expr,
    For,
    Member,
    Name,
    Stmt,
    Subscript,
    number,
    plus,
    times,
)
from geode.loops.loop import Accumulate, Apply, Element, ElementNumber, LayerLoop, Repeated, Step, Strided

_VEC = Name("GS_VEC")

# Operations that are worth a copy in the text for every output and vector of a block.
_LIGHT = frozenset(
    ("add", "sub", "mul", "fma", "noisy", "scaled_noise", "relu", "leaky_relu", "max", "min", "negate", "abs", "spread")
)
_MOST_LIGHT = 8
_BY_LANE_BLOCK = 4  # GS_BY_LANE_OUTPUTS
BF16_BLOCK = 32  # GS_BF16_BLOCK
_LARGEST_BLOCK = 8  # of GS_BLOCK_OUTPUTS on any target; the other is 4


def layer_loop(loop: LayerLoop) -> list[Stmt]:
    """Groups of vectors outside, then blocks of outputs, each with the layer's chains in registers and then the steps.

    What an output goes through is written out for all of a block if it is little, so that the block stays in registers;
    else the block is put down first.
    """
    chains = {step.node: step.first for step in loop.steps if isinstance(step, Accumulate)}
    if loop.by_lane:
        return _by_lane(loop, chains)
    body: list[Stmt] = [Declare("gs_vec", f"a{node}[GS_VECS]") for node in chains]
    if chains:
        body.append(each_vector(tuple(Assign(accumulator(n), constant(first)) for n, first in chains.items()), False))
    if loop.bf16:
        body.append(Evaluate(CallExpr("gs_bf16_begin", ())))
    body.append(For("g", "GS_GROUPS", _bf16_blocks(loop) if loop.bf16 else _layer_blocks(loop)))
    if loop.after:
        body.append(each_vector(tuple(store_to_c(s, False, "e", frozenset(chains)) for s in loop.after), False))
    return body


def _layer_blocks(loop: LayerLoop) -> tuple[Stmt, ...]:
    whole = _layer_block(loop, times(Name("j"), Name("GS_BLOCK_OUTPUTS")), "GS_BLOCK_OUTPUTS", "GS_BLOCK_OUTPUTS")
    blocks: list[Stmt] = [For("j", f"gs_blocks({loop.outputs})", whole)]
    if loop.outputs % _LARGEST_BLOCK:
        blocks.append(Declare("const size_t", "rest", CallExpr("gs_rest", (number(loop.outputs),))))
        first = Binary("-", number(loop.outputs), Name("rest"))
        blocks.append(For("j", "(rest != 0)", _layer_block(loop, first, "(int)rest", "rest")))
    return tuple(blocks)


def _bf16_blocks(loop: LayerLoop) -> tuple[Stmt, ...]:
    """The same with products of bfloat16 numbers, whose blocks are larger and go through memory (kernels/gs_bf16_layer.h)."""
    whole, rest = divmod(loop.outputs, BF16_BLOCK)
    blocks: list[Stmt] = []
    if whole:
        blocks.append(For("j", str(whole), _bf16_block(loop, times(Name("j"), number(BF16_BLOCK)), BF16_BLOCK)))
    if rest:
        blocks.append(For("j", "1", _bf16_block(loop, number(loop.outputs - rest), rest)))
    return tuple(blocks)


def _bf16_block(loop: LayerLoop, first: Expr, outputs: int) -> tuple[Stmt, ...]:
    group = Name("GS_GROUP")
    lane = times(Name("g"), times(group, _VEC))
    assert loop.factor is not None
    operands = (Name(f"slot{loop.parameter}"), first, plus(address(loop.x), lane), plus(address(loop.factor), lane))
    sizes = (number(loop.inputs), number(loop.rank), number(outputs))
    sum_ = Subscript(Name("sums"), plus(times(Name("o"), group), Name("k")))
    vector = (
        Declare("const size_t", "v", plus(times(Name("g"), group), Name("k"))),
        Declare("const gs_vec", f"t{loop.node}", sum_),
        *steps_to_c(loop.steps, False, "e"),
    )
    output = (*_element(loop.steps, first), For("k", "GS_GROUP", vector, unroll=True))
    return (
        Declare("gs_vec", f"sums[{BF16_BLOCK} * GS_GROUP]"),
        Evaluate(CallExpr("gs_bf16_block", (Name("sums"), *operands, *sizes, group))),
        For("o", str(outputs), output),
    )


def _layer_block(loop: LayerLoop, first: Expr, outputs: str, turns: str) -> tuple[Stmt, ...]:
    """A block whose first output is `first`; `outputs` is how many it has as a C int, `turns` the same as a size."""
    slot, count, group = Name(f"slot{loop.parameter}"), Name(outputs), Name("GS_GROUP")
    lane = times(Name("g"), times(group, _VEC))
    weights = plus(Member(slot, loop.source), times(first, number(loop.inputs)))
    place, inputs = plus(address(loop.x), lane), number(loop.inputs)
    block: list[Stmt] = [
        Declare("gs_vec", "acc[8][3]"),
        Evaluate(CallExpr("gs_block_clear", (Name("acc"), count, group))),
        Evaluate(CallExpr("gs_linear_chains", (Name("acc"), weights, place, inputs, count, group))),
    ]
    if loop.factor is not None:
        columns = plus(Member(slot, "a"), times(first, number(loop.rank)))
        factor = plus(address(loop.factor), lane)
        thin = (Name("acc"), columns, Member(slot, "ss"), factor, number(loop.rank), count, group)
        block.append(Evaluate(CallExpr("gs_factored_chains", thin)))
    light = _is_light(loop.steps)
    done = Subscript(Subscript(Name("acc" if light else "done"), Name("o")), Name("k"))
    if not light:
        put = Assign(done, Subscript(Subscript(Name("acc"), Name("o")), Name("k")))
        block.append(Declare("gs_vec", "done[8][3]"))
        block.append(For("o", turns, (For("k", "GS_GROUP", (put,), unroll=True),), unroll=True))
    steps = steps_to_c(loop.steps, False, "e")
    vector = (
        Declare("const size_t", "v", plus(times(Name("g"), group), Name("k"))),
        Declare("const gs_vec", f"t{loop.node}", done),
        *steps,
    )
    output = (*_element(loop.steps, first), For("k", "GS_GROUP", vector, unroll=True))
    block.append(For("o", turns, output, unroll=light))
    return tuple(block)


def _by_lane(loop: LayerLoop, chains: dict[int, float]) -> list[Stmt]:
    """The same where every lane has weights of its own: a vector of lanes after the other, as kernels/gs_by_lane.h."""
    body: list[Stmt] = [Declare("gs_vec", f"a{node}[GS_VECS]") for node in chains]
    starts = tuple(Assign(accumulator(node), constant(first)) for node, first in chains.items())
    whole, rest = divmod(loop.outputs, _BY_LANE_BLOCK)
    blocks: list[Stmt] = []
    if whole:
        first = times(Name("j"), number(_BY_LANE_BLOCK))
        blocks.append(For("j", str(whole), _by_lane_block(loop, first, _BY_LANE_BLOCK)))
    if rest:
        last = number(loop.outputs - rest)
        blocks.append(For("j", "1", _by_lane_block(loop, last, rest)))
    after = tuple(store_to_c(store, False, "e", frozenset(chains)) for store in loop.after)
    body.append(For("v", "GS_VECS", (*starts, *blocks, *after)))
    return body


def _by_lane_block(loop: LayerLoop, first: Expr, outputs: int) -> tuple[Stmt, ...]:
    weights = plus(
        Member(Name(f"slot{loop.parameter}"), loop.source), times(times(first, number(loop.inputs)), Name("GS_LANES"))
    )
    uniform = Name("1" if loop.x.uniform else "0")
    sizes = (number(loop.inputs), Name("v"), number(outputs), uniform)
    chains = CallExpr("gs_by_lane_chains", (Name("acc"), weights, address(loop.x), *sizes))
    steps = steps_to_c(loop.steps, False, "e")
    output = (
        *_element(loop.steps, first),
        Declare("const gs_vec", f"t{loop.node}", Subscript(Name("acc"), Name("o"))),
        *steps,
    )
    return (
        Declare("gs_vec", "acc[GS_BY_LANE_OUTPUTS]"),
        Evaluate(chains),
        For("o", str(outputs), output, unroll=True),
    )


def _element(steps: tuple[Step, ...], first: Expr) -> list[Stmt]:
    """The number of the output, if a step asks for it."""
    if not _asks_for_element(steps):
        return []
    return [Declare("const size_t", "e", plus(first, Name("o")))]


def _asks_for_element(part: object) -> bool:
    if isinstance(part, Element | Repeated | Strided | ElementNumber):
        return True
    if isinstance(part, tuple):
        return any(map(_asks_for_element, part))
    return is_dataclass(part) and any(_asks_for_element(getattr(part, f.name)) for f in fields(part))


def _is_light(steps: tuple[Step, ...]) -> bool:
    operations = [op for step in steps for op in _operations(step)]
    return len(operations) <= _MOST_LIGHT and _LIGHT.issuperset(operations)


def _operations(part: object) -> list[str]:
    """The lane operations in a step, or in any part of one."""
    own = [part.op] if isinstance(part, Apply | Accumulate) else []
    if isinstance(part, tuple):
        return own + [op for inner in part for op in _operations(inner)]
    if is_dataclass(part):
        return own + [op for f in fields(part) for op in _operations(getattr(part, f.name))]
    return own
