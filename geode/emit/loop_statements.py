"""Statements of the loops form -> statements of C.

In: loops, kernels and calls. Out: the statement model, in which `tile`, `self`, the slices, inputs and outputs have the
names of the function's arguments.
Invariant: every per-lane access is an element and a vector of lanes: base + element * GS_LANES + v * GS_VEC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass

from geode.emit.element_steps import address, constant, each_vector, element_loop
from geode.emit.kernels_apart import kernel_apart
from geode.emit.layer_loops import layer_loop
from geode.emit.literals import float32_literal
from geode.emit.names import function_name
from geode.emit.shared_loops import SharedLoops
from geode.emit.split_functions import Part, Split, SplitRepeat
from geode.emit.statement import (
    AddressOf,
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
    While,
    number,
    plus,
    times,
)
from geode.emit.whole_steps import ANY, whole_copy
from geode.graph.find_levels import BF16_COLUMNS
from geode.loops.loop import (
    Block,
    Buffer,
    ConvKernel,
    CopyBlocks,
    Draw,
    ElementLoop,
    FactoredKernel,
    KernelCall,
    LayerLoop,
    LinearKernel,
    Repeat,
    RowReduce,
    SlotScale,
    UnitCall,
    Value,
)

_LANES, _VEC = Name("GS_LANES"), Name("GS_VEC")


def slot_declaration(parameter: int) -> Stmt:
    """A named pointer for a slot."""
    slot = Subscript(Member(Name("tile"), "slots"), Subscript(Member(Name("self"), "slots"), number(parameter)))
    return Declare("const struct gs_slot *const", f"slot{parameter}", AddressOf(slot))


def table_declaration(table: int) -> Stmt:
    """A named pointer for a table."""
    numbers = Subscript(Member(Name("tile"), "tables"), Subscript(Member(Name("self"), "tables"), number(table)))
    return Declare("const float *const", f"table{table}", numbers)


def parameters_of(part: object) -> set[int]:
    """The parameters that a part itself names."""
    match part:
        case LinearKernel(parameter) | ConvKernel(parameter) | FactoredKernel(parameter) | SlotScale(parameter):
            return {parameter}
        case LayerLoop(parameter=parameter):
            return {parameter}
        case Buffer(space="weights", position=position):
            return {position}
    return set()


def tables_of(part: object) -> set[int]:
    """The tables that a part itself names."""
    match part:
        case Buffer(space="tables", position=position):
            return {position}
    return set()


def names_in(part: object, own: Callable[[object], set[int]]) -> set[int]:
    """What a statement, or any part of one, names, each part by `own`."""
    found: set[int] = set()
    ahead = [part]
    while ahead:  # no recursion: a large program has hundreds of thousands of parts
        part = ahead.pop()
        if isinstance(part, tuple):
            ahead.extend(part)
        elif inner := _fields(part):
            found |= own(part)
            ahead.extend([getattr(part, name) for name in inner])
    return found


_FIELDS: dict[type, tuple[str, ...]] = {}  # by the class of a part; asking the class each time costs more than the walk


def _fields(part: object) -> tuple[str, ...]:
    """The names of a dataclass's fields; none for a number or a text, which names nothing."""
    known = _FIELDS.get(type(part))
    if known is None:
        known = _FIELDS[type(part)] = tuple(field.name for field in fields(part)) if is_dataclass(part) else ()
    return known


def loop_statements(
    statements: Iterable[Split], scratch: int, part: Callable[[Part], Stmt], *, large: SharedLoops | None = None
) -> list[Stmt]:
    """The statements of a function whose own scratch is `scratch` elements; what it calls gets the rest. `part` calls one
    of the function's parts; of a `large` unit with what its loops share."""
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case Repeat():
                result.append(_repeat(statement, loop_statements(statement.body, scratch, part, large=large), large))
            case SplitRepeat(loop, body):
                result.append(_repeat(loop, loop_statements(body, scratch, part, large=large), large))
            case Part():
                result.append(part(statement))
            case UnitCall():
                result.append(_call(statement, scratch))
            case _:
                result.extend(_simple(statement, large))
    return result


def _simple(
    statement: ElementLoop
    | LayerLoop
    | RowReduce
    | LinearKernel
    | FactoredKernel
    | ConvKernel
    | CopyBlocks
    | KernelCall
    | Draw,
    large: SharedLoops | None,
) -> list[Stmt]:
    """A statement that holds and calls no other."""
    match statement:
        case ElementLoop():
            return element_loop(statement) if large is None else large.calls(statement)
        case LayerLoop():
            return layer_loop(statement)
        case RowReduce():
            return [_row_reduce(statement)]
        case LinearKernel():
            return [_linear(statement)]
        case FactoredKernel():
            return [_factored(statement)]
        case ConvKernel():
            return [_conv(statement)]
        case CopyBlocks():
            return [_block(statement.result, block, large) for block in statement.blocks]
        case KernelCall():
            return [_kernel(statement) if large is None else kernel_apart(statement)]
        case Draw():
            return [_draw(statement)]


def _call(call: UnitCall, scratch: int) -> Stmt:
    slices = [
        Name("NULL") if offset is None else plus(Name(name), times(number(offset), _LANES))
        for name, offset in zip(("run", "epoch", "pair"), call.slices, strict=True)
    ]
    callee = Subscript(Member(Name("self"), "calls"), number(call.call))
    own = plus(Name("scratch"), times(number(scratch), _LANES))
    arguments = (Name("tile"), callee, *slices, own, *map(address, call.inputs), *map(address, call.outputs))
    return Evaluate(CallExpr(function_name(call.symbol, call.level), arguments))


def _linear(kernel: LinearKernel) -> Stmt:
    function = "gs_linear_uniform" if kernel.y.uniform else "gs_linear"
    weights = Member(Name(f"slot{kernel.parameter}"), kernel.source)
    x = _slice(kernel.x, kernel.inputs, kernel.rows)
    y = _slice(kernel.y, kernel.outputs, kernel.rows)
    sizes: tuple[Expr, ...] = (number(kernel.outputs), number(kernel.inputs))
    if kernel.by_lane:
        function, sizes = "gs_linear_by_lane", (*sizes, _flag(kernel.x.uniform))
    return _for_rows(kernel.rows, CallExpr(function, (weights, x, y, *sizes)))


def _factored(kernel: FactoredKernel) -> Stmt:
    slot = Name(f"slot{kernel.parameter}")
    numbers = kernel.inputs or kernel.outputs
    if kernel.bf16:
        numbers = -(-kernel.inputs // BF16_COLUMNS) * (BF16_COLUMNS // 2)
    x = _slice(kernel.x, numbers, kernel.rows)
    factor = _slice(kernel.factor, kernel.rank, kernel.rows)
    y = _slice(kernel.y, kernel.outputs, kernel.rows)
    name = "gs_factored" if kernel.inputs else "gs_correct"
    counts = (kernel.outputs, kernel.inputs or kernel.positions, kernel.rank)
    sizes = tuple(map(number, counts))
    form = "_uniform" if kernel.y.uniform else "_bf16" if kernel.bf16 else ""
    if kernel.by_lane and kernel.bf16:
        product = CallExpr("gs_factored_bf16", (slot, x, factor, y, *sizes[:2], number(0)))
        noise = CallExpr("gs_correct_by_lane", (slot, y, factor, y, sizes[0], number(1), sizes[2], _flag(False)))
        return _for_rows(kernel.rows, product, noise)
    if kernel.by_lane:
        form, sizes = "_by_lane", (*sizes, _flag(kernel.x.uniform))
    call = CallExpr(name + form, (slot, x, factor, y, *sizes))
    return _for_rows(kernel.rows, call)


def _flag(value: bool) -> Name:
    return Name("1" if value else "0")


def _slice(buffer: Buffer, elements: int, rows: int) -> Expr:
    """Where slice `t` of a value begins; it has `elements` numbers."""
    if rows == 1:
        return address(buffer)
    return plus(address(buffer), times(Name("t"), _stride(buffer, elements)))


def _for_rows(rows: int, *calls: Expr) -> Stmt:
    done = tuple(map(Evaluate, calls))
    return done[0] if rows == 1 and len(done) == 1 else For("t", str(rows), done)


def _repeat(loop: Repeat, statements: list[Stmt], large: SharedLoops | None) -> Stmt:
    body = tuple(statements)
    alive: Expr | None = None
    if loop.alive is not None:
        alive = CallExpr(
            "gs_any_uniform" if loop.alive.uniform else "gs_any" if large is None else ANY, (address(loop.alive),)
        )
    if loop.count is not None:
        return For(f"turn{loop.number}", str(loop.count), body, also=alive)
    assert alive is not None
    return While(alive, body)


_DRAWS = {"rand": "GS_DRAW_UNIFORM", "randn": "GS_DRAW_NORMAL", "member_randn": "GS_DRAW_MEMBER"}


def _draw(draw: Draw) -> Stmt:
    result = address(draw.result)
    if draw.kind == "episode":
        return Evaluate(CallExpr("gs_episode_rows", (Name("tile"), _LANES, result)))
    stride = Name("0" if draw.count.uniform else "1")
    site = (Name("tile"), Name(_DRAWS[draw.kind]), number(draw.site))
    return Evaluate(CallExpr("gs_draw_rows", (*site, _LANES, address(draw.count), stride, result)))


def _kernel(kernel: KernelCall) -> Stmt:
    """Kernels see values through gs_view: where they lie, and how far elements and lanes are apart."""
    lanes = Name("1") if kernel.result.uniform else _LANES
    views = (_view(buffer) for buffer in (kernel.result, *kernel.args))
    return Evaluate(CallExpr(f"gs_{kernel.op}", (lanes, *views, *map(number, kernel.sizes))))


def _view(buffer: Buffer) -> Expr:
    return CallExpr("gs_uniform_view" if buffer.uniform else "gs_lane_view", (address(buffer),))


def _block(result: Buffer, block: Block, large: SharedLoops | None) -> Stmt:
    """One loop per axis of the block, the vectors of lanes innermost."""
    names = [f"i{axis}" for axis in range(len(block.dims))]
    source: Expr = number(block.start)
    target: Expr = number(block.target)
    for name, (_, source_stride, target_stride) in zip(names, block.dims, strict=True):
        source = _stepped(source, name, source_stride)
        target = _stepped(target, name, target_stride)
    if large is not None and not result.uniform:
        statement: Stmt = whole_copy(plus(address(result), times(target, _LANES)), _whole_source(block.source, source))
    else:
        statement = _block_turn(result, target, _block_value(block.source, source))
    for name, (count, _, _) in reversed(list(zip(names, block.dims, strict=True))):
        statement = For(name, str(count), (statement,))
    return statement


def _block_turn(result: Buffer, target: Expr, value: Expr) -> Stmt:
    """One element of a block, vector by vector."""
    if result.uniform:
        inner: Stmt = Assign(Subscript(address(result), target), CallExpr("gs_first", (value,)))
    else:
        place = plus(times(target, _LANES), times(Name("v"), _VEC))
        inner = Evaluate(CallExpr("gs_store", (plus(address(result), place), value)))
    return each_vector((inner,), result.uniform)


def _stepped(place: Expr, name: str, stride: int) -> Expr:
    """`place + name * stride`; a place only moves back from where it stays at least 0."""
    if stride < 0:
        return Binary("-", place, times(Name(name), number(-stride)))
    return plus(place, times(Name(name), number(stride)))


def _block_value(source: Buffer | Value, element: Expr) -> Expr:
    if isinstance(source, Value):
        return constant(source.value)
    if source.uniform:
        return CallExpr("gs_set", (Subscript(address(source), element),))
    place = plus(times(element, _LANES), times(Name("v"), _VEC))
    return CallExpr("gs_load", (plus(address(source), place),))


def _whole_source(source: Buffer | Value, element: Expr) -> tuple[str, Expr]:
    """The same for a whole tile: whether it is a number of all lanes (s) or lies in each (l), and it."""
    if isinstance(source, Value):
        return "s", Name(float32_literal(source.value))
    if source.uniform:
        return "s", Subscript(address(source), element)
    return "l", plus(address(source), times(element, _LANES))


def _conv(kernel: ConvKernel) -> Stmt:
    function = "gs_conv2d_uniform" if kernel.y.uniform else "gs_conv2d"
    weights = Member(Name(f"slot{kernel.parameter}"), kernel.source)
    sizes = map(number, kernel.sizes)
    return Evaluate(CallExpr(function, (weights, address(kernel.x), address(kernel.y), *sizes)))


def _stride(buffer: Buffer, elements: int) -> Expr:
    return number(elements) if buffer.uniform else times(number(elements), _LANES)


def _row_reduce(reduce: RowReduce) -> Stmt:
    load = tuple(_row_operand(buffer, reduce) for buffer in reduce.args)
    chain = Name("a")
    update = Assign(chain, CallExpr(f"gs_{reduce.op}", (*load, chain) if reduce.op == "fma" else (chain, *load)))
    if reduce.uniform:
        save: Stmt = Assign(Subscript(address(reduce.result), Name("o")), CallExpr("gs_first", (chain,)))
    else:
        place = plus(times(Name("o"), _LANES), times(Name("v"), _VEC))
        save = Evaluate(CallExpr("gs_store", (plus(address(reduce.result), place), chain)))
    vector: tuple[Stmt, ...] = (
        Declare("gs_vec", "a", constant(reduce.first)),
        For("e", str(reduce.inner), (update,)),
        save,
    )
    return For("o", str(reduce.outer), (For("v", "1" if reduce.uniform else "GS_VECS", vector),))


def _row_operand(buffer: Buffer, reduce: RowReduce) -> Expr:
    element = plus(times(Name("o"), number(reduce.inner)), Name("e"))
    if buffer.uniform:
        return CallExpr("gs_set", (Subscript(address(buffer), element),))
    place = plus(times(element, _LANES), times(Name("v"), _VEC))
    return CallExpr("gs_load", (plus(address(buffer), place),))
