"""Reductions of the last axis or of the batch, and what works along the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from geode.graph.graph import BatchOp, BatchReduce, Reduce
from geode.graph.machine import Machine
from geode.graph.types import SCALAR, Shape, TensorType
from geode.graph.values import RUNAWAY, Tensor
from geode.vocabulary.entry import Counter, Entry, Example, body_entry
from geode.vocabulary.tensors import copy_of

GROUP = "reductions"


def reduce_last(machine: Machine, op: str, args: tuple[Tensor, ...]) -> Tensor:
    """The last axis of equal-shaped operands reduced by one ascending chain."""
    stored = tuple(machine.in_memory(arg) for arg in args)
    type_ = TensorType("r", args[0].type.shape[:-1], any(a.type.batched for a in args))
    return Tensor(machine.add(Reduce(op, tuple(a.node for a in stored)), type_), type_, closed_by=machine.word)


def reduce_all(machine: Machine, op: str, args: tuple[Tensor, ...]) -> Tensor:
    """All axes of the row reduced, in row-major order; a scalar is its own sum."""
    return reduce_last(machine, op, tuple(machine.flatten(a) for a in args))


def batch_reduce(machine: Machine, op: BatchOp, x: Tensor) -> Tensor:
    """A scalar of every row reduced over the batch; only in a word that names the batch axis."""
    if not x.type.batched:
        machine.fail("GS306", f"`{machine.word}` has nothing to reduce: {x.type} is one number for all rows")
    if machine.lifted:
        machine.fail(
            "GS306",
            f"`{machine.word}` would reduce the batch, but `{machine.definition.name}` works on one row",
            help="name the batch axis in the signature: ( r:b:k -- r )",
        )
    if machine.inside_control:
        machine.fail("GS306", f"`{machine.word}` can't reduce the batch inside a loop or a branch")
    runaway = machine.locals[RUNAWAY]
    if isinstance(runaway, Tensor):
        x = machine.elementwise("choose", (runaway, machine.known(math.nan), x))
    return Tensor(machine.add(BatchReduce(op, x.node), SCALAR), SCALAR, closed_by=machine.word)


def divided(machine: Machine, x: Tensor, count: int) -> Tensor:
    """x / count."""
    return machine.elementwise("div", (x, machine.known(float(count))))


def _reduction(name: str, op: BatchOp, summary: str) -> Entry:
    """A word that reduces the last axis, or where the row is a scalar the batch."""

    def apply(machine: Machine) -> None:
        x = machine.pop_tensor("x")
        if not x.type.shape:
            machine.push(batch_reduce(machine, op, x))
        elif op == "mean":
            machine.push(divided(machine, reduce_last(machine, "sum", (x,)), x.type.shape[-1]))
        else:
            machine.push(reduce_last(machine, op, (x,)))

    counter = Counter("GS306", Example(f"{name} {name}", "( r:4 -- r )"))
    return Entry(name, GROUP, "( r:…:k -- r:… )", summary, op, Example(name, "( r:4 -- r )"), counter, apply)


def vector(machine: Machine, x: Tensor, wanted: str) -> Shape:
    """The row shape, which must have an axis."""
    if not x.type.shape:
        machine.fail("GS303", f"`{machine.word}` wants a value with an axis, not {x.type}", wanted=wanted)
    return x.type.shape


def repeat_last(machine: Machine, x: Tensor, count: int) -> Tensor:
    """x with a new last axis along which it is the same `count` times."""
    size = x.type.size
    if not x.type.shape:
        return x
    piece = copy_of(x, 0, ((size, 1, count), (count, 0, 1)))
    return machine.arrange((piece,), TensorType("r", (*x.type.shape, count), x.type.batched))


def _place(op: str) -> Callable[[Machine], None]:
    def apply(machine: Machine) -> None:
        x = machine.pop_tensor("r:…:k")
        shape = vector(machine, x, "r:…:k")
        machine.push(machine.kernel(op, (x,), (math.prod(shape[:-1]), shape[-1]), shape[:-1]))

    return apply


def _along(op: str) -> Callable[[Machine], None]:
    def apply(machine: Machine) -> None:
        x = machine.pop_tensor("r:…:k")
        shape = vector(machine, x, "r:…:k")
        machine.push(machine.kernel(op, (x,), (math.prod(shape[:-1]), shape[-1]), shape))

    return apply


def _norm(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:k")
    vector(machine, x, "r:…:k")
    machine.push(machine.elementwise("sqrt", (reduce_last(machine, "dot", (x, x)),)))


def centred(machine: Machine, x: Tensor) -> Tensor:
    """x minus its mean along the last axis."""
    count = x.type.shape[-1]
    mean = divided(machine, reduce_last(machine, "sum", (x,)), count)
    return machine.elementwise("sub", (x, repeat_last(machine, mean, count)))


def variance(machine: Machine, centred_x: Tensor) -> Tensor:
    """The population variance along the last axis, second pass."""
    return divided(machine, reduce_last(machine, "dot", (centred_x, centred_x)), centred_x.type.shape[-1])


def _variance(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:k")
    vector(machine, x, "r:…:k")
    machine.push(variance(machine, centred(machine, x)))


def shifted(machine: Machine, x: Tensor) -> tuple[Tensor, Tensor]:
    """The maximum along the last axis, and x minus it."""
    count = vector(machine, x, "r:…:k")[-1]
    top = reduce_last(machine, "amax", (x,))
    return top, machine.elementwise("sub", (x, repeat_last(machine, top, count)))


def log_sum_exp(machine: Machine, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """ln Σ exp x along the last axis, the shifted x and the logarithm of the sum of its exponentials."""
    top, below = shifted(machine, x)
    total = reduce_last(machine, "sum", (machine.elementwise("exp", (below,)),))
    log_total = machine.elementwise("ln", (total,))
    return machine.elementwise("add", (top, log_total)), below, log_total


def _log_sum_exp(machine: Machine) -> None:
    machine.push(log_sum_exp(machine, machine.pop_tensor("r:…:k"))[0])


def _softmax(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:k")
    _, below = shifted(machine, x)
    powers = machine.elementwise("exp", (below,))
    total = reduce_last(machine, "sum", (powers,))
    machine.push(machine.elementwise("div", (powers, repeat_last(machine, total, x.type.shape[-1]))))


def _log_softmax(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:k")
    _, below, log_total = log_sum_exp(machine, x)
    machine.push(machine.elementwise("sub", (below, repeat_last(machine, log_total, x.type.shape[-1]))))


def _dot(machine: Machine) -> None:
    y, x = machine.pop_tensor("x y"), machine.pop_tensor("x y")
    if x.type.shape != y.type.shape or not x.type.shape:
        machine.fail(
            "GS304", f"`DOT` wants two values of one shape with an axis, not {x.type} and {y.type}", wanted="x y"
        )
    machine.push(reduce_last(machine, "dot", (x, y)))


def _outer(machine: Machine) -> None:
    y, x = machine.pop_tensor("r:m r:n"), machine.pop_tensor("r:m r:n")
    if len(x.type.shape) != 1 or len(y.type.shape) != 1:
        machine.fail("GS304", f"`OUTER` wants two vectors, not {x.type} and {y.type}", wanted="r:m r:n")
    machine.push(machine.elementwise("mul", (repeat_last(machine, x, y.type.shape[0]), y)))


def _matmul(machine: Machine) -> None:
    wanted = "r:t:k r:k:n"
    y, x = machine.pop_tensor(wanted), machine.pop_tensor(wanted)
    a, b = x.type.shape, y.type.shape
    left = (1, *a) if len(a) == 1 else a
    right = (*b, 1) if len(b) == 1 else b
    if len(left) != 2 or len(right) != 2 or left[1] != right[0]:
        machine.fail("GS304", f"`MATMUL` can't multiply {x.type} and {y.type}", wanted=wanted)
    shape = (*(a[:-1] if len(a) == 2 else ()), *(b[1:] if len(b) == 2 else ()))
    machine.push(machine.kernel("matmul", (x, y), (left[0], left[1], right[1]), shape))


_entry = partial(body_entry, GROUP)

_SCALAR_INPUT = "( r -- r )"

ENTRIES: tuple[Entry, ...] = (
    _reduction("SUM", "sum", "the sum of the last axis; a scalar of every row is summed over the batch"),
    _reduction("MEAN", "mean", "the mean of the last axis, or over the batch"),
    _reduction("PRODUCT", "product", "the product of the last axis, or over the batch"),
    _reduction("AMAX", "amax", "the largest of the last axis, or over the batch; a NaN anywhere gives NaN"),
    _reduction("AMIN", "amin", "the smallest of the last axis, or over the batch; a NaN anywhere gives NaN"),
    _entry("ARGMAX", "( r:…:k -- r:… )", "the place of the largest, the first of equals", "argmax", "ARGMAX",
           "( r:4 -- r )", Counter("GS303", Example("ARGMAX", _SCALAR_INPUT)), _place("argmax")),
    _entry("ARGMIN", "( r:…:k -- r:… )", "the place of the smallest, the first of equals", "argmin", "ARGMIN",
           "( r:4 -- r )", Counter("GS303", Example("ARGMIN", _SCALAR_INPUT)), _place("argmin")),
    _entry("NORM", "( r:…:k -- r:… )", "the Euclidean norm of the last axis", "dot sqrt", "NORM",
           "( r:4 -- r )", Counter("GS303", Example("NORM", _SCALAR_INPUT)), _norm),
    _entry("VARIANCE", "( r:…:k -- r:… )", "the population variance of the last axis, in two passes", "sum dot",
           "VARIANCE", "( r:4 -- r )", Counter("GS303", Example("VARIANCE", _SCALAR_INPUT)), _variance),
    _entry("LOGSUMEXP", "( r:…:k -- r:… )", "ln Σ eˣ of the last axis, the maximum subtracted", "amax exp sum ln",
           "LOGSUMEXP", "( r:4 -- r )", Counter("GS303", Example("LOGSUMEXP", _SCALAR_INPUT)), _log_sum_exp),
    _entry("SOFTMAX", "( x -- y )", "eˣ / Σ eˣ along the last axis, the maximum subtracted", "amax exp sum div",
           "SOFTMAX", "( r:4 -- r:4 )", Counter("GS303", Example("SOFTMAX", _SCALAR_INPUT)), _softmax),
    _entry("LOG-SOFTMAX", "( x -- y )", "the logarithm of SOFTMAX", "amax exp sum ln", "LOG-SOFTMAX",
           "( r:4 -- r:4 )", Counter("GS303", Example("LOG-SOFTMAX", _SCALAR_INPUT)), _log_softmax),
    _entry("CUMSUM", "( x -- y )", "running sums along the last axis", "cumsum", "CUMSUM", "( r:4 -- r:4 )",
           Counter("GS303", Example("CUMSUM", _SCALAR_INPUT)), _along("cumsum")),
    _entry("SORT", "( x -- y )", "the last axis in ascending order, NaN last", "sort", "SORT 1 AT", "( r:4 -- r )",
           Counter("GS303", Example("SORT", _SCALAR_INPUT)), _along("sort")),
    _entry("ARGSORT", "( x -- y )", "the places of the last axis in ascending order, equals in order", "argsort",
           "ARGSORT", "( r:4 -- r:4 )", Counter("GS303", Example("ARGSORT", _SCALAR_INPUT)), _along("argsort")),
    _entry("DOT", "( x y -- r:… )", "the sum of products along the last axis", "dot", "DOT", "( r:4 r:4 -- r )",
           Counter("GS304", Example("DOT", "( r:4 r:3 -- r )")), _dot),
    _entry("OUTER", "( r:m r:n -- r:m:n )", "every product of two vectors", "mul", "OUTER SUM", "( r:4 r:4 -- r:4 )",
           Counter("GS304", Example("OUTER", "( r:4 r -- r:4 )")), _outer),
    _entry("MATMUL", "( r:t:k r:k:n -- r:t:n )", "the matrix product within a row; also of a matrix and a vector",
           "matmul", "r:2:2 RESHAPE SWAP r:2:2 RESHAPE MATMUL SUM", "( r:4 r:4 -- r:2 )",
           Counter("GS304", Example("MATMUL", "( r:4 r:3 -- r )")), _matmul),
)  # fmt: skip
