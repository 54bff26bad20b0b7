"""Values of several numbers: making them, taking them apart, putting them together."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from geode.graph.graph import Iota, Piece, Table
from geode.graph.machine import Machine
from geode.graph.types import MOST_AXES, Shape, TensorType, combine_shapes, row, shape_text
from geode.graph.values import Number, TableFile, Tensor, Text, Value, type_text
from geode.vocabulary.entry import Counter, Entry, Example, body_entry

GROUP = "tensors"


def copy_of(source: Tensor, target: int, dims: tuple[tuple[int, int, int], ...], start: int = 0) -> Piece:
    """A block of `source`'s numbers from number `start` on, laid down from number `target` on."""
    return Piece(source.node, start, target, dims)


def _axes(machine: Machine, value: Tensor, wanted: str, least: int = 1) -> Shape:
    """The row shape, which must have at least `least` axes."""
    if len(value.type.shape) < least:
        axes = "one axis" if least == 1 else f"{least} axes"
        machine.fail("GS303", f"`{machine.word}` wants a value of at least {axes}, not {value.type}", wanted=wanted)
    return value.type.shape


# --- making


def _filled(value: float) -> Callable[[Machine], None]:
    def apply(machine: Machine) -> None:
        machine.push(machine.filled(value, machine.pop_shape("shape")))

    return apply


def _fill(machine: Machine) -> None:
    shape = machine.pop_shape("x shape")
    x = machine.pop_tensor("x shape")
    if x.type.shape and combine_shapes(x.type.shape, shape) != shape:
        machine.fail("GS304", f"`FILL` can't repeat {x.type} to {shape_text(shape)}", wanted="x shape")
    machine.push(machine.spread(x, shape))


def _iota(machine: Machine) -> None:
    count = _positive(machine, machine.pop_number("n", "how many numbers"), "numbers")
    type_ = TensorType("r", (count,), batched=False)
    machine.push(Tensor(machine.add(Iota(), type_), type_, closed_by="IOTA"))


def _table(machine: Machine) -> None:
    wanted = "s shape"
    shape = machine.pop_shape(wanted)
    path = machine.pop(wanted)
    if not isinstance(path, Text):
        machine.fail("GS303", f"`TABLE` wants the path of a file, not {type_text(path)}", wanted=wanted)
    if not path.value:
        machine.fail("GS303", "`TABLE` wants the path of a file, not an empty string", wanted=wanted)
    if len(shape) > MOST_AXES:
        machine.fail("GS311", f"`TABLE` makes a value of at most {MOST_AXES} axes, not {shape_text(shape)}")
    type_ = row(shape, batched=False)
    node = machine.add(Table(machine.unit.table(TableFile(path.value, shape))), type_)
    machine.push(Tensor(node, type_, closed_by="TABLE"))


def _positive(machine: Machine, count: int, what: str) -> int:
    if count < 1:
        machine.fail("GS305", f"`{machine.word}` wants at least one of {what}, not {count}")
    return count


def _vec(machine: Machine) -> None:
    count = _positive(machine, machine.pop_number("x … n", "how many values"), "the values")
    if len(machine.stack) < count:
        machine.fail("GS302", f"`{count} VEC` takes more values than the stack holds", wanted="x … n")
    parts = [machine.pop_tensor("x … n") for _ in range(count)][::-1]
    for part in parts:
        if part.type.shape:
            machine.fail("GS303", f"`VEC` makes a vector of scalars, not of {part.type}", help="CONCAT joins vectors")
    pieces = tuple(copy_of(part, place, ()) for place, part in enumerate(parts))
    machine.push(machine.arrange(pieces, TensorType("r", (count,), any(p.type.batched for p in parts))))


def _unvec(machine: Machine) -> None:
    x = machine.pop_tensor("r:n")
    shape = _axes(machine, x, "r:n")
    block = shape[1:]
    for place in range(shape[0]):
        machine.push(machine.view(x, place * math.prod(block), block))


# --- taking apart


def _index(machine: Machine, wanted: str) -> Tensor | int:
    """A place: an int known while compiling, or a scalar `r`."""
    value: Value | None = machine.stack[-1] if machine.stack else None
    if isinstance(value, Number):
        machine.stack.pop()
        return value.value
    place = machine.pop_tensor(wanted)
    if place.type.shape:
        machine.fail("GS303", f"`{machine.word}` wants one place, not {place.type}", wanted=wanted)
    return place


def _in_axis(machine: Machine, place: int, count: int) -> int:
    if not 0 <= place < count:
        machine.fail("GS309", f"place {place} is outside an axis of {count}", help=f"places run from 0 to {count - 1}")
    return place


def _at(machine: Machine) -> None:
    wanted = "r:k:… n"
    place = _index(machine, wanted)
    x = machine.pop_tensor(wanted)
    count, *rest = _axes(machine, x, wanted)
    block = tuple(rest)
    size = math.prod(block)
    if isinstance(place, int):
        machine.push(machine.view(x, _in_axis(machine, place, count) * size, block))
    else:
        machine.push(machine.kernel("at", (x, place), (count, size), block))


def _put(machine: Machine) -> None:
    wanted = "r:k:… r:… n"
    place = _index(machine, wanted)
    value, x = machine.pop_tensor(wanted), machine.pop_tensor(wanted)
    count, *rest = _axes(machine, x, wanted)
    if value.type.shape != tuple(rest):
        machine.fail(
            "GS304", f"`PUT` wants {shape_text(tuple(rest))} for a place of {x.type}, not {value.type}", wanted=wanted
        )
    size = math.prod(rest)
    if not isinstance(place, int):
        machine.push(machine.kernel("put", (x, value, place), (count, size), x.type.shape))
        return
    first = _in_axis(machine, place, count) * size
    total = x.type.size
    pieces = [copy_of(x, 0, ((first, 1, 1),))] if first else []
    pieces.append(copy_of(value, first, ((size, 1, 1),)))
    if first + size < total:
        pieces.append(copy_of(x, first + size, ((total - first - size, 1, 1),), start=first + size))
    machine.push(machine.arrange(tuple(pieces), TensorType("r", x.type.shape, x.type.batched or value.type.batched)))


def _slice(machine: Machine) -> None:
    wanted = "x start len"
    length = _positive(machine, machine.pop_number(wanted, "the length"), "the elements")
    start = _index(machine, wanted)
    x = machine.pop_tensor(wanted)
    shape = _axes(machine, x, wanted)
    rows, count = math.prod(shape[:-1]), shape[-1]
    result = (*shape[:-1], length)
    if not isinstance(start, int):
        machine.push(machine.kernel("slice", (x, start), (rows, count, length), result))
        return
    first, last = max(start, 0), min(start + length, count)
    if rows == 1 and start == first and start + length == last:
        machine.push(machine.view(x, start, result))
        return
    pieces: list[Piece] = []
    if first > start or last < start + length:
        pieces.append(copy_of(machine.known(math.nan), 0, ((rows * length, 0, 1),)))
    if first < last:
        dims = ((rows, count, length), (last - first, 1, 1))
        pieces.append(copy_of(x, first - start, dims, start=first))
    machine.push(machine.arrange(tuple(pieces), TensorType("r", result, x.type.batched)))


def last_axis_part(machine: Machine, x: Tensor, first: int, length: int) -> Tensor:
    """Elements first … first + length - 1 of the last axis."""
    shape = x.type.shape
    rows, count = math.prod(shape[:-1]), shape[-1]
    result = (*shape[:-1], length)
    if rows == 1:
        return machine.view(x, first, result)
    piece = copy_of(x, 0, ((rows, count, length), (length, 1, 1)), start=first)
    return machine.arrange((piece,), TensorType(x.type.dtype, result, x.type.batched))


def _split(machine: Machine) -> None:
    wanted = "r:n k"
    place = machine.pop_number(wanted, "where to split")
    x = machine.pop_tensor(wanted)
    count = _axes(machine, x, wanted)[-1]
    if not 0 < place < count:
        machine.fail("GS309", f"`SPLIT` at {place} leaves nothing on one side of an axis of {count}", wanted=wanted)
    machine.push(last_axis_part(machine, x, 0, place))
    machine.push(last_axis_part(machine, x, place, count - place))


# --- putting together


def _concat(machine: Machine) -> None:
    y, x = machine.pop_tensor("x y"), machine.pop_tensor("x y")
    a, b = _axes(machine, x, "x y"), _axes(machine, y, "x y")
    if a[:-1] != b[:-1]:
        machine.fail("GS304", f"`CONCAT` joins along the last axis; {x.type} and {y.type} differ before it")
    rows, width = math.prod(a[:-1]), a[-1] + b[-1]
    left = copy_of(x, 0, ((rows, a[-1], width), (a[-1], 1, 1)))
    right = copy_of(y, a[-1], ((rows, b[-1], width), (b[-1], 1, 1)))
    type_ = TensorType("r", (*a[:-1], width), x.type.batched or y.type.batched)
    machine.push(machine.arrange((left, right), type_))


def _stack(machine: Machine) -> None:
    y, x = machine.pop_tensor("x y"), machine.pop_tensor("x y")
    if x.type.shape != y.type.shape:
        machine.fail("GS304", f"`STACK` wants two values of one row shape, not {x.type} and {y.type}")
    size = x.type.size
    pieces = (copy_of(x, 0, ((size, 1, 1),)), copy_of(y, size, ((size, 1, 1),)))
    machine.push(machine.arrange(pieces, TensorType("r", (2, *x.type.shape), x.type.batched or y.type.batched)))


def _reshape(machine: Machine) -> None:
    shape = machine.pop_shape("x shape")
    x = machine.pop_tensor("x shape")
    if math.prod(shape) != x.type.size:
        machine.fail("GS304", f"`RESHAPE` keeps the count: {x.type} has {x.type.size} numbers, not {math.prod(shape)}")
    machine.push(machine.view(x, 0, shape))


def _transpose(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:m:n")
    *rest, m, n = _axes(machine, x, "r:…:m:n", least=2)
    piece = copy_of(x, 0, ((math.prod(rest), m * n, m * n), (n, 1, m), (m, n, 1)))
    machine.push(machine.arrange((piece,), TensorType("r", (*rest, n, m), x.type.batched)))


def _reverse(machine: Machine) -> None:
    x = machine.pop_tensor("r:…:n")
    shape = _axes(machine, x, "r:…:n")
    rows, count = math.prod(shape[:-1]), shape[-1]
    piece = copy_of(x, count - 1, ((rows, count, count), (count, 1, -1)))
    machine.push(machine.arrange((piece,), TensorType("r", shape, x.type.batched)))


_entry = partial(body_entry, GROUP)

ENTRIES: tuple[Entry, ...] = (
    _entry("ZEROS", "( shape -- r:… )", "a value of zeros", "known", "r:4 ZEROS +", "( r:4 -- r:4 )",
           Counter("GS303", Example("3 ZEROS", "( -- r:3 )")), _filled(0.0)),
    _entry("ONES", "( shape -- r:… )", "a value of ones", "known", "r:4 ONES +", "( r:4 -- r:4 )",
           Counter("GS303", Example("3 ONES", "( -- r:3 )")), _filled(1.0)),
    _entry("FILL", "( x shape -- r:… )", "x in every element", "spread", "r:3 FILL", "( r -- r:3 )",
           Counter("GS303", Example("3 FILL", "( r:4 -- r:4 )")), _fill),
    _entry("IOTA", "( n -- r:n )", "0, 1, … n−1", "iota", "4 IOTA *", "( r:4 -- r:4 )",
           Counter("GS305", Example("0 IOTA", "( -- r )")), _iota),
    _entry("TABLE", "( s shape -- r:… )", "the numbers of a CSV or npy file, read once when the program starts", "table",
           '"rows.csv" r:61:4 TABLE 2 AT +', "( r:4 -- r:4 )",
           Counter("GS303", Example('"rows.csv" 4 TABLE', "( -- r:4 )")), _table),
    _entry("VEC", "( x … n -- r:n )", "a vector of n scalars", "arrange", "3 VEC", "( r r r -- r:3 )",
           Counter("GS302", Example("3 VEC", "( r -- r:3 )")), _vec),
    _entry("UNVEC", "( r:n -- r … r )", "the elements of the first axis, the last one on top", "view", "UNVEC - - -",
           "( r:4 -- r )", Counter("GS303", Example("UNVEC", "( r -- r )")), _unvec),
    _entry("AT", "( r:k:… n -- r:… )", "the element at a place of the first axis, which is floored; NaN outside",
           "view, at", "DUP 0 AT ABS 3 MIN AT", "( r:4 -- r )", Counter("GS309", Example("4 AT", "( r:4 -- r )")), _at),
    _entry("PUT", "( r:k:… r:… n -- r:k:… )", "the value with the element at a place replaced; outside nothing changes",
           "arrange, put", "0.5 OVER 1 AT ABS PUT", "( r:4 -- r:4 )",
           Counter("GS309", Example("1.5 4 PUT", "( r:4 -- r:4 )")), _put),
    _entry("SLICE", "( x start len -- y )", "len elements of the last axis from start on; those outside are NaN",
           "view, slice", "1 2 SLICE", "( r:4 -- r:2 )", Counter("GS305", Example("0 0 SLICE", "( r:4 -- r:2 )")), _slice),
    _entry("SPLIT", "( r:n k -- r:k r:n-k )", "the last axis cut in two", "view", "1 SPLIT SUM *", "( r:4 -- r:1 )",
           Counter("GS309", Example("4 SPLIT", "( r:4 -- r:4 r )")), _split),
    _entry("CONCAT", "( x y -- z )", "joined along the last axis", "arrange", "CONCAT", "( r:4 r:4 -- r:8 )",
           Counter("GS303", Example("CONCAT", "( r:4 r -- r:5 )")), _concat),
    _entry("STACK", "( x y -- r:2:… )", "put one above the other along a new first axis", "arrange", "STACK",
           "( r:4 r:4 -- r:2:4 )", Counter("GS304", Example("STACK", "( r:4 r:3 -- r:2:4 )")), _stack),
    _entry("RESHAPE", "( x shape -- y )", "the same numbers in row-major order under another shape", "view",
           "r:2:2 RESHAPE SUM", "( r:4 -- r:2 )", Counter("GS304", Example("r:3 RESHAPE", "( r:4 -- r:3 )")), _reshape),
    _entry("TRANSPOSE", "( r:…:m:n -- r:…:n:m )", "the last two axes exchanged", "arrange",
           "r:2:2 RESHAPE TRANSPOSE 1 AT", "( r:4 -- r:2 )",
           Counter("GS303", Example("TRANSPOSE", "( r:4 -- r:4 )")), _transpose),
    _entry("REVERSE", "( x -- y )", "the last axis from its end to its start", "arrange", "REVERSE -",
           "( r:4 r:4 -- r:4 )", Counter("GS303", Example("REVERSE", "( r -- r )")), _reverse),
)  # fmt: skip
