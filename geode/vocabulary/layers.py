"""Activations, losses and reductions."""

from __future__ import annotations

from geode.graph.graph import BatchReduce, Reduce
from geode.graph.machine import Machine
from geode.graph.types import SCALAR, TensorType
from geode.graph.values import Tensor
from geode.vocabulary.entry import Counter, Entry, Example


def _relu(machine: Machine) -> None:
    machine.push(machine.elementwise("relu", (machine.pop_tensor("x"),)))


def reduce_last(machine: Machine, op: str, args: tuple[Tensor, ...]) -> Tensor:
    """The last axis of equal-shaped operands reduced by one ascending chain."""
    type_ = TensorType("r", args[0].type.shape[:-1], any(a.type.batched for a in args))
    return Tensor(machine.add(Reduce(op, tuple(a.node for a in args)), type_), type_, closed_by=machine.word)


def reduce_all(machine: Machine, op: str, args: tuple[Tensor, ...]) -> Tensor:
    """All axes of the row reduced, in row-major order; a scalar is its own sum."""
    flat = tuple(machine.flatten(a) for a in args)
    return reduce_last(machine, op, flat)


def _loss_euclidean(machine: Machine) -> None:
    y, x = machine.pop_tensor("x y"), machine.pop_tensor("x y")
    if x.type.shape != y.type.shape:
        machine.fail(
            "GS304", f"`{machine.word}` wants two values of one row shape, not {x.type} and {y.type}", wanted="x y"
        )
    error = machine.elementwise("sub", (x, y))
    machine.push(reduce_all(machine, "dot", (error, error)))


def _sum(machine: Machine) -> None:
    x = machine.pop_tensor("x")
    if x.type.shape:
        machine.push(reduce_last(machine, "sum", (x,)))
    else:
        machine.push(batch_reduce(machine, "sum", x))


def batch_reduce(machine: Machine, op: str, x: Tensor) -> Tensor:
    """A scalar of every row reduced over the batch; only in a word that names the batch axis."""
    if not x.type.batched:
        machine.fail("GS306", f"`{machine.word}` has nothing to reduce: {x.type} is one number for all rows")
    if machine.lifted:
        machine.fail(
            "GS306",
            f"`{machine.word}` would reduce the batch, but `{machine.definition.name}` works on one row",
            help="name the batch axis in the signature: ( r:b:k -- r )",
        )
    node = machine.add(BatchReduce("mean" if op == "mean" else "sum", x.node), SCALAR)
    return Tensor(node, SCALAR, closed_by=machine.word)


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "RELU",
        "activations",
        "( x -- max(x,0) )",
        "zero where x ≤ 0, else x; a NaN stays",
        "relu",
        Example("RELU", "( r:4 -- r:4 )"),
        Counter("GS302", Example("RELU", "( -- r )")),
        _relu,
    ),
    Entry(
        "LOSS-EUCLIDEAN",
        "losses",
        "( x y -- r )",
        "the sum of squared differences Σ(x−y)² over all axes of the row",
        "sub, dot",
        Example("LOSS-EUCLIDEAN", "( r:4 r:4 -- r )"),
        Counter("GS304", Example("LOSS-EUCLIDEAN", "( r:4 r:3 -- r )")),
        _loss_euclidean,
    ),
    Entry(
        "SUM",
        "reductions",
        "( r:…:k -- r:… )",
        "the sum of the last axis; a scalar of every row is summed over the batch",
        "sum",
        Example("SUM", "( r:4 -- r )"),
        Counter("GS306", Example("SUM SUM", "( r:4 -- r )")),
        _sum,
    ),
)
