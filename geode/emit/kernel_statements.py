"""Statements of the loops form -> statements of a kernel, where a thread is one lane.

In: loops, kernels and calls of one function. Out: the statement model, in Geode's words for what the languages of kernels
differ in (see `dialect`).
Where all threads of a group go together, wide layers are tiles that they share (see `kernel_tiles`).
Invariant: a value's elements stand GS_LANES apart, uniform ones too, so that neighbouring threads touch neighbouring
numbers; a parameter's weights stand one behind the other, and what a unit is handed in comes with its own distance.
"""

from __future__ import annotations

from collections.abc import Iterable

from geode.emit.kernel_tiles import Tiles, is_wide, whose
from geode.emit.literals import float32_literal
from geode.emit.loop_statements import names_in, parameters_of, tables_of
from geode.emit.names import function_name
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
    While,
    number,
    plus,
    times,
)
from geode.graph.graph import Level
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
    Fixed,
    Index,
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
)
from geode.record import dataclass

_LANES = Name("GS_LANES")
_ONE = Name("1")
_TILE_OUTPUTS = 32  # GS_TILE_OUTPUTS of gs_layer_tiles.h
_DRAWS = {"rand": "GS_DRAW_UNIFORM", "randn": "GS_DRAW_NORMAL", "member_randn": "GS_DRAW_MEMBER"}


@dataclass(frozen=True, slots=True)
class _Dot:
    """The statement model knows `->` alone; slots are values here."""

    slot: int
    field: str

    def name(self) -> Name:
        return Name(f"slot{self.slot}.{self.field}")


def kernel_statements(statements: Iterable[Statement], scratch: int, tiles: Tiles | None = None) -> list[Stmt]:
    """The statements of a function whose own scratch is `scratch` elements; what it calls gets the rest. `tiles`: all
    threads of a group come to them together."""
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case ElementLoop():
                result.extend(_element_loop(statement))
            case RowReduce():
                result.append(_row_reduce(statement))
            case LinearKernel():
                result.append(_linear(statement, tiles is not None and is_wide(statement)))
            case FactoredKernel():
                result.append(_factored(statement, tiles is not None and is_wide(statement)))
            case LayerLoop():
                in_tiles = tiles is not None and is_wide(statement)
                result.extend(_layer_tiles(statement) if in_tiles else _layer_loop(statement))
            case ConvKernel():
                weights = _Dot(statement.parameter, statement.source).name()
                arguments = (weights, *_operand(statement.x), address(statement.y), *map(number, statement.sizes))
                result.append(Evaluate(CallExpr("gs_conv2d", arguments)))
            case CopyBlocks():
                result.extend(_block(statement.result, block) for block in statement.blocks)
            case KernelCall():
                views = (CallExpr("gs_view_of", _operand(buffer)) for buffer in (statement.result, *statement.args))
                result.append(Evaluate(CallExpr(f"gs_{statement.op}", (_ONE, *views, *map(number, statement.sizes)))))
            case Draw():
                result.append(_draw(statement))
            case Repeat():
                result.append(_repeat(statement, scratch, tiles))
            case UnitCall():
                result.append(_call(statement, scratch, tiles))
    return result


def kernel_slots(statements: Iterable[Statement | Buffer]) -> list[Stmt]:
    """A slot for every parameter, and a pointer for every table, that the statements read."""
    statements = tuple(statements)
    slots = sorted(names_in(statements, parameters_of))
    tables = sorted(names_in(statements, tables_of))
    return [
        *(Declare("const struct gs_slot", f"slot{k}", _own("gs_slot_of", "gs_slots", k)) for k in slots),
        *(Declare("GS_GLOBAL const float *const", f"table{k}", _own("gs_table_of", "gs_tables", k)) for k in tables),
    ]


def _own(function: str, numbers: str, place: int) -> Expr:
    """What the program has under the number that stands at `place` of the unit's own ones."""
    at = plus(Subscript(Name(f"{numbers}_at"), Name("self")), number(place))
    return CallExpr(function, (Name("tile"), Subscript(Name(numbers), at)))


# --- where values lie


def address(buffer: Buffer) -> Expr:
    """Where the first number of a buffer lies."""
    skip = times(number(buffer.skip), _step_of(buffer))
    match buffer.space:
        case "weights":
            return plus(_Dot(buffer.position, buffer.source).name(), skip)
        case "in" | "out":
            return plus(Name(f"{buffer.space}{buffer.position}"), skip)
        case "tables":
            return plus(Name(f"table{buffer.position}"), skip)
        case "reduced":
            return plus(Name("reduced"), number(buffer.position))
        case _:
            return plus(plus(Name(buffer.space), times(number(buffer.offset), _LANES)), skip)


def _step_of(buffer: Buffer) -> Expr:
    """How far its elements stand apart."""
    match buffer.space:
        case "weights" | "tables" | "reduced":
            return _ONE
        case "in":
            return Name(f"in{buffer.position}_step")
        case _:
            return _LANES


def _operand(buffer: Buffer) -> tuple[Expr, Expr]:
    return address(buffer), _step_of(buffer)


def _element(buffer: Buffer, place: Expr) -> Expr:
    return Subscript(address(buffer), times(place, _step_of(buffer)))


def _for(variable: str, count: int, body: tuple[Stmt, ...], also: Expr | None = None) -> Stmt:
    return For(variable, str(count), body, also=also, type="uint")


# --- calls


def kernel_function(symbol: str, level: Level, number: int = 0, *, together: bool) -> str:
    """The name of a form of a unit's function in pass `number`."""
    return function_name(symbol, level, number) + ("_together" if together else "")


def _call(call: UnitCall, scratch: int, tiles: Tiles | None) -> Stmt:
    slices = [
        Name(name) if offset is None else plus(Name(name), times(number(offset), _LANES))
        for name, offset in zip(("run", "epoch", "pair"), call.slices, strict=True)
    ]
    callee = Subscript(Name("gs_calls"), plus(Subscript(Name("gs_calls_at"), Name("self")), number(call.call)))
    own = plus(Name("scratch"), times(number(scratch), _LANES))
    inputs = [part for buffer in call.inputs for part in _operand(buffer)]
    arguments = (Name("tile"), callee, *slices, own, *inputs, *map(address, call.outputs))
    together = tiles is not None and (call.symbol, call.level, 0) in tiles.shared
    return Evaluate(CallExpr(kernel_function(call.symbol, call.level, together=together), arguments))


def _sliced(buffer: Buffer, elements: int, rows: int) -> Expr:
    if rows == 1:
        return address(buffer)
    return plus(address(buffer), times(Name("t"), times(number(elements), _step_of(buffer))))


def _for_rows(rows: int, call: Expr) -> Stmt:
    return Evaluate(call) if rows == 1 else _for("t", rows, (Evaluate(call),))


def _linear(kernel: LinearKernel, in_tiles: bool) -> Stmt:
    weights = _Dot(kernel.parameter, kernel.source).name()
    x = _sliced(kernel.x, kernel.inputs, kernel.rows)
    y = _sliced(kernel.y, kernel.outputs, kernel.rows)
    arguments = (weights, x, _step_of(kernel.x), y, number(kernel.outputs), number(kernel.inputs))
    if in_tiles:
        return _for_rows(kernel.rows, CallExpr("gs_tile_linear", (Name("tile"), Name(whose(kernel)), *arguments)))
    return _for_rows(kernel.rows, CallExpr("gs_linear", arguments))


def _factored(kernel: FactoredKernel, in_tiles: bool) -> Stmt:
    x = _sliced(kernel.x, kernel.inputs or kernel.outputs, kernel.rows)
    factor = _sliced(kernel.factor, kernel.rank, kernel.rows)
    y = _sliced(kernel.y, kernel.outputs, kernel.rows)
    name = "gs_factored" if kernel.inputs else "gs_correct"
    sizes = map(number, (kernel.outputs, kernel.inputs or kernel.positions, kernel.rank))
    slot = Name(f"slot{kernel.parameter}")
    arguments = (slot, x, _step_of(kernel.x), factor, _step_of(kernel.factor), y, *sizes)
    if in_tiles:
        return _for_rows(kernel.rows, CallExpr("gs_tile_factored", (Name("tile"), *arguments)))
    return _for_rows(kernel.rows, CallExpr(name, arguments))


def _draw(draw: Draw) -> Stmt:
    result = Subscript(address(draw.result), Name("0"))
    if draw.kind == "episode":
        return Assign(result, CallExpr("(float)", (Member(Name("tile"), "row"),)))
    arguments = (Name("tile"), Name(_DRAWS[draw.kind]), number(draw.site), _element(draw.count, Name("0")))
    return Assign(result, CallExpr("gs_draw_row", arguments))


def _repeat(loop: Repeat, scratch: int, tiles: Tiles | None) -> Stmt:
    """A loop that rows leave in their own time is where threads part."""
    body = tuple(kernel_statements(loop.body, scratch, tiles if loop.alive is None else None))
    alive = None if loop.alive is None else CallExpr("gs_any", (address(loop.alive),))
    if loop.count is not None:
        return _for(f"turn{loop.number}", loop.count, body, also=alive)
    assert alive is not None
    return While(alive, body)


# --- loops over elements


def _block(result: Buffer, block: Block) -> Stmt:
    """One loop per axis of the block."""
    names = [f"i{axis}" for axis in range(len(block.dims))]
    source: Expr = number(block.start)
    target: Expr = number(block.target)
    for name, (_, source_stride, target_stride) in zip(names, block.dims, strict=True):
        source = _stepped(source, name, source_stride)
        target = _stepped(target, name, target_stride)
    value: Expr = (
        Name(float32_literal(block.source.value)) if isinstance(block.source, Value) else _element(block.source, source)
    )
    statement: Stmt = Assign(_element(result, target), value)
    for name, (count, _, _) in reversed(list(zip(names, block.dims, strict=True))):
        statement = _for(name, count, (statement,))
    return statement


def _stepped(place: Expr, name: str, stride: int) -> Expr:
    if stride < 0:
        return Binary("-", place, times(Name(name), number(-stride)))
    return plus(place, times(Name(name), number(stride)))


def _element_loop(loop: ElementLoop) -> list[Stmt]:
    chains = {step.node: step.first for step in loop.steps if isinstance(step, Accumulate)}
    turn = tuple(_step(step) for step in loop.steps)
    after = [_store(store, frozenset(chains)) for store in loop.after]
    return [*_chains(chains), _for("e", loop.extent, turn), *after]


def _layer_loop(loop: LayerLoop) -> list[Stmt]:
    """An output at a time, then the steps that take it."""
    chains = {step.node: step.first for step in loop.steps if isinstance(step, Accumulate)}
    slot, x = Name(f"slot{loop.parameter}"), _operand(loop.x)
    if loop.factor is None:
        weights = _Dot(loop.parameter, loop.source).name()
        made = CallExpr("gs_output", (weights, *x, number(loop.inputs), Name("e")))
    else:
        sizes = (number(loop.inputs), number(loop.rank), Name("e"))
        made = CallExpr("gs_factored_output", (slot, *x, *_operand(loop.factor), *sizes))
    output = Declare("const float", f"t{loop.node}", made)
    turn = (output, *map(_step, loop.steps))
    after = [_store(store, frozenset(chains)) for store in loop.after]
    return [*_chains(chains), _for("e", loop.outputs, turn), *after]


def _layer_tiles(loop: LayerLoop) -> list[Stmt]:
    """A tile of outputs at a time, then for each the steps that take it."""
    chains = {step.node: step.first for step in loop.steps if isinstance(step, Accumulate)}
    slot, x, sizes = Name(f"slot{loop.parameter}"), _operand(loop.x), (number(loop.outputs), number(loop.inputs))
    tile, block, count = Name("tile"), Name("block"), -(-loop.outputs // _TILE_OUTPUTS)
    if loop.factor is None:
        weights = _Dot(loop.parameter, loop.source).name()
        made = CallExpr("gs_tile_outputs", (tile, Name(whose(loop)), block, weights, *x, *sizes, Name("n")))
    else:
        more = (*sizes, number(loop.rank), Name("n"))
        made = CallExpr("gs_tile_factored_outputs", (tile, block, slot, *x, *_operand(loop.factor), *more))
    element = plus(times(Name("n"), number(_TILE_OUTPUTS)), Name("j"))
    output = Declare("const float", f"t{loop.node}", Subscript(block, Name("j")))
    turn = (Declare("const uint", "e", element), output, *map(_step, loop.steps))
    outputs = For("j", f"gs_in_tile({loop.outputs}, n)", turn, type="uint")
    body = (Declare("float", f"block[{_TILE_OUTPUTS}]"), Evaluate(made), outputs)
    after = [_store(store, frozenset(chains)) for store in loop.after]
    return [*_chains(chains), _for("n", count, body), *after]


def _chains(chains: dict[int, float]) -> list[Stmt]:
    return [Declare("float", f"a{node}", Name(float32_literal(first))) for node, first in chains.items()]


def _step(step: Step) -> Stmt:
    match step:
        case Let(node, value):
            return Declare("const float", f"t{node}", _expression(value))
        case Store():
            return _store(step, frozenset())
        case Accumulate(node, op, _, args):
            chain = Name(f"a{node}")
            values = tuple(map(_expression, args))
            return Assign(chain, CallExpr(f"gs_{op}", (*values, chain) if op == "fma" else (chain, *values)))


def _store(store: Store, accumulators: frozenset[int]) -> Stmt:
    value = store.value
    source = Name(f"a{value.node}") if isinstance(value, Temp) and value.node in accumulators else _expression(value)
    return Assign(_element(store.buffer, _place(store.index)), source)


def _row_reduce(reduce: RowReduce) -> Stmt:
    element = plus(times(Name("o"), number(reduce.inner)), Name("e"))
    load = tuple(_element(buffer, element) for buffer in reduce.args)
    chain = Name("a")
    update = Assign(chain, CallExpr(f"gs_{reduce.op}", (*load, chain) if reduce.op == "fma" else (chain, *load)))
    return _for(
        "o",
        reduce.outer,
        (
            Declare("float", "a", Name(float32_literal(reduce.first))),
            _for("e", reduce.inner, (update,)),
            Assign(_element(reduce.result, Name("o")), chain),
        ),
    )


def _expression(expression: Expression) -> Expr:
    match expression:
        case Temp(node):
            return Name(f"t{node}")
        case Value(value):
            return Name(float32_literal(value))
        case SettingValue(name):
            return Member(Name("tile"), name)
        case ElementNumber():
            return CallExpr("(float)", (Name("e"),))
        case SlotScale(parameter):
            return _Dot(parameter, "ss").name()
        case Apply(op, args):
            return CallExpr(f"gs_{op}", tuple(map(_expression, args)))
        case Load(buffer, index):
            return _element(buffer, _place(index))


def _place(index: Index) -> Expr:
    match index:
        case Element():
            return Name("e")
        case Fixed(place):
            return number(place)
        case Repeated(size):
            return Binary("%", Name("e"), number(size))
        case Strided(stride, offset):
            return plus(times(Name("e"), number(stride)), number(offset))


__all__ = ["address", "kernel_function", "kernel_slots", "kernel_statements"]
