"""Loops -> C text of one unit.

In: a unit's functions. Out: the text of its file, through the statement model.
Invariant: the text depends on the unit alone (no paths, positions, lanes or settings), and uses nothing but gs_tile.h and
the kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geode.emit.literals import float32_literal, string_literal
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
    Return,
    Stmt,
    Subscript,
    number,
    plus,
    times,
)
from geode.emit.template import render_template
from geode.emit.writer import statements_to_text
from geode.graph.graph import Level
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    Element,
    ElementLoop,
    Expression,
    Finish,
    Fixed,
    Function,
    Index,
    Interface,
    Let,
    LinearKernel,
    Load,
    Repeated,
    RowReduce,
    SlotElement,
    SlotScale,
    Statement,
    Step,
    Store,
    Temp,
    UnitCall,
    UnitLoops,
    Value,
)

_LANES, _VEC = Name("GS_LANES"), Name("GS_VEC")
_COMMON = (
    "const struct gs_tile_context *tile",
    "const struct gs_instance *self",
    "float *restrict run",
    "float *restrict epoch",
    "float *restrict pair",
    "float *restrict scratch",
)


def unit_to_c(unit: UnitLoops, graph: str, callees: Iterable[Interface]) -> str:
    """The file of one unit; `graph` is its graph's text, for the reader."""
    symbol = unit.interface.symbol
    scratch = max((function.scratch for function in unit.functions), default=0)
    scratch = max(scratch, unit.finish.scratch if unit.finish else 0)
    own = [prototype(unit.interface, level) for level, _, _ in unit.interface.functions]
    if unit.finish is not None:
        own.append(finish_prototype(symbol))
    called = [p for callee in callees for p in unit_prototypes(callee)]
    texts = [_function_text(unit.interface, function) for function in unit.functions]
    if unit.finish is not None:
        texts.append(_finish_text(symbol, unit.finish))
    return render_template(
        "unit.c.j2",
        symbol=symbol,
        word=_comment(unit.word),
        graph=[_comment(line) for line in graph.splitlines()],
        name=string_literal(unit.word),
        prototypes="".join(f"{p};\n" for p in dict.fromkeys([f"extern const struct gs_unit {symbol}", *own, *called])),
        scratch=_size(scratch),
        functions="".join(f"\n{text}" for text in texts),
    ).rstrip("\n") + "\n"


def unit_prototypes(interface: Interface) -> list[str]:
    """The prototypes of a unit's level functions, as another file declares them."""
    return [prototype(interface, level) for level, _, _ in interface.functions]


def prototype(interface: Interface, level: Level) -> str:
    """`void gs_u_X_member(…)`, without the semicolon."""
    inputs, outputs = next((i, o) for at, i, o in interface.functions if at == level)
    arguments = [
        *_COMMON,
        *(f"const float *restrict in{position}" for position in inputs),
        *(f"float *restrict out{position}" for position in outputs),
    ]
    return f"void {function_name(interface.symbol, level)}({', '.join(arguments)})"


def function_name(symbol: str, level: Level) -> str:
    """The C function of a unit at one level."""
    return f"{symbol}_{level.name.lower()}"


def finish_prototype(symbol: str) -> str:
    """The prototype of what follows the last batch reduction."""
    return (
        f"double {symbol}_finish(const struct gs_tile_context *tile, const struct gs_instance *self, "
        "float *restrict scratch, const double *sums, uint64_t rows)"
    )


# --- functions


def _function_text(interface: Interface, function: Function) -> str:
    statements = [*_slots(function.statements), *_statements(function.statements, function.scratch)]
    body = _with_unused(statements, ("tile", "self", "run", "epoch", "pair", "scratch"))
    return f"{prototype(interface, function.level)} {{\n{body}}}\n"


def _finish_text(symbol: str, finish: Finish) -> str:
    statements: list[Stmt] = []
    if finish.direct is not None:
        statements.append(Return(_sum(finish, finish.direct)))
    else:
        statements += [
            Declare("const float", f"sum{place}", CallExpr("(float)", (_sum(finish, place),)))
            for place in range(len(finish.means))
        ]
        statements += [*_slots(finish.statements), *_statements(finish.statements, finish.scratch)]
        assert finish.result is not None
        statements.append(Return(_scalar(finish.result)))
    body = _with_unused(statements, ("tile", "self", "scratch", "sums", "rows"))
    return f"{finish_prototype(symbol)} {{\n{body}}}\n"


def _sum(finish: Finish, place: int) -> Expr:
    total = Subscript(Name("sums"), number(place))
    return Binary("/", total, CallExpr("(double)", (Name("rows"),))) if finish.means[place] else total


def _scalar(buffer: Buffer) -> Expr:
    if buffer.space == "sums":
        return CallExpr("(double)", (Name(f"sum{buffer.position}"),))
    return CallExpr("(double)", (Subscript(_address(buffer), number(0)),))


def _with_unused(statements: Sequence[Stmt], arguments: Sequence[str]) -> str:
    """The body's text; an argument that it does not use is said to be unused."""
    text = statements_to_text(statements)
    unused = [name for name in arguments if not _mentions(text, name)]
    return "".join(f"    (void){name};\n" for name in unused) + text


def _mentions(text: str, name: str) -> bool:
    words = "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
    return name in words


def _slots(statements: Iterable[Statement]) -> list[Stmt]:
    """A named pointer for every slot that the statements read."""
    used = sorted({parameter for statement in statements for parameter in _parameters(statement)})
    return [
        Declare(
            "const struct gs_slot *const",
            f"slot{parameter}",
            AddressOf(
                Subscript(
                    Member(Name("tile"), "slots"), Subscript(Member(Name("self"), "slots"), number(parameter))
                )
            ),
        )
        for parameter in used
    ]


def _parameters(statement: Statement) -> set[int]:
    match statement:
        case LinearKernel(parameter):
            return {parameter}
        case ElementLoop(_, _, steps, _):
            return {p for step in steps for p in _step_parameters(step)}
        case _:
            return set()


def _step_parameters(step: Step) -> set[int]:
    expressions = step.args if isinstance(step, Accumulate) else (step.value,)
    found: set[int] = set()
    pending = list(expressions)
    while pending:
        match pending.pop():
            case SlotScale(parameter) | SlotElement(parameter, _):
                found.add(parameter)
            case Apply(_, args):
                pending.extend(args)
            case _:
                pass
    return found


# --- statements


def _statements(statements: Iterable[Statement], scratch: int) -> list[Stmt]:
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case ElementLoop():
                result.extend(_element_loop(statement))
            case RowReduce():
                result.append(_row_reduce(statement))
            case LinearKernel():
                result.append(_linear(statement))
            case UnitCall():
                result.append(_call(statement, scratch))
    return result


def _call(call: UnitCall, scratch: int) -> Stmt:
    slices = [
        plus(Name(name), times(number(offset), _LANES))
        for name, offset in zip(("run", "epoch", "pair"), call.slices, strict=True)
    ]
    callee = Subscript(Member(Name("self"), "calls"), number(call.call))
    own = plus(Name("scratch"), times(number(scratch), _LANES))
    arguments = (Name("tile"), callee, *slices, own, *map(_address, call.inputs), *map(_address, call.outputs))
    return Evaluate(CallExpr(function_name(call.symbol, call.level), arguments))


def _linear(kernel: LinearKernel) -> Stmt:
    function = "gs_linear_uniform" if kernel.y.uniform else "gs_linear"
    weights = Member(Name(f"slot{kernel.parameter}"), kernel.source)
    sizes = (number(kernel.outputs), number(kernel.inputs))
    if kernel.rows == 1:
        return Evaluate(CallExpr(function, (weights, _address(kernel.x), _address(kernel.y), *sizes)))
    x = plus(_address(kernel.x), times(Name("t"), _stride(kernel.x, kernel.inputs)))
    y = plus(_address(kernel.y), times(Name("t"), _stride(kernel.y, kernel.outputs)))
    return For("t", str(kernel.rows), (Evaluate(CallExpr(function, (weights, x, y, *sizes))),))


def _stride(buffer: Buffer, elements: int) -> Expr:
    return number(elements) if buffer.uniform else times(number(elements), _LANES)


def _element_loop(loop: ElementLoop) -> list[Stmt]:
    """Elements outside, vectors of lanes inside; accumulators are one vector each, kept over the elements."""
    accumulators = [step.node for step in loop.steps if isinstance(step, Accumulate)]
    count = "1" if loop.uniform else "GS_VECS"
    declared: list[Stmt] = [Declare("gs_vec", f"a{node}[{count}]") for node in accumulators]
    zero = CallExpr("gs_set", (Name("0.0f"),))
    starts = tuple(Assign(_accumulator(node), zero) for node in accumulators)
    turn = tuple(_step(step, loop.uniform, "e") for step in loop.steps)
    after = tuple(_store(store, loop.uniform, "e", frozenset(accumulators)) for store in loop.after)
    body: list[Stmt] = [*declared]
    if starts:
        body.append(_each_vector(starts, loop.uniform))
    inner = _each_vector(turn, loop.uniform)
    body.append(For("e", str(loop.extent), (inner,)) if loop.extent > 1 else _once(inner))
    if after:
        body.append(_each_vector(after, loop.uniform))
    return body


def _once(inner: Stmt) -> Stmt:
    """A loop of one element keeps its index, so that its text has the same form."""
    return For("e", "1", (inner,))


def _each_vector(body: tuple[Stmt, ...], uniform: bool) -> Stmt:
    return For("v", "1" if uniform else "GS_VECS", body, unroll=True)


def _step(step: Step, uniform: bool, element: str) -> Stmt:
    match step:
        case Let(node, value):
            return Declare("const gs_vec", f"t{node}", _expression(value, uniform, element))
        case Store():
            return _store(step, uniform, element, frozenset())
        case Accumulate(node, op, args):
            chain = _accumulator(node)
            values = tuple(_expression(arg, uniform, element) for arg in args)
            return Assign(chain, CallExpr(f"gs_{op}", (*values, chain) if op == "fma" else (chain, *values)))


def _accumulator(node: int) -> Expr:
    return Subscript(Name(f"a{node}"), Name("v"))


def _store(store: Store, uniform: bool, element: str, accumulators: frozenset[int]) -> Stmt:
    value = store.value
    source = (
        _accumulator(value.node)
        if isinstance(value, Temp) and value.node in accumulators
        else _expression(value, uniform, element)
    )
    if uniform:
        target = Subscript(_address(store.buffer), _element_index(store.index, element))
        return Assign(target, CallExpr("gs_first", (source,)))
    return Evaluate(CallExpr("gs_store", (_vector_address(store.buffer, store.index, element), source)))


def _row_reduce(reduce: RowReduce) -> Stmt:
    load = tuple(_row_operand(buffer, reduce) for buffer in reduce.args)
    chain = Name("a")
    update = Assign(chain, CallExpr(f"gs_{reduce.op}", (*load, chain) if reduce.op == "fma" else (chain, *load)))
    if reduce.uniform:
        save: Stmt = Assign(
            Subscript(_address(reduce.result), Name("o")), CallExpr("gs_first", (chain,))
        )
    else:
        place = plus(times(Name("o"), _LANES), times(Name("v"), _VEC))
        save = Evaluate(CallExpr("gs_store", (plus(_address(reduce.result), place), chain)))
    vector: tuple[Stmt, ...] = (
        Declare("gs_vec", "a", CallExpr("gs_set", (Name("0.0f"),))),
        For("e", str(reduce.inner), (update,)),
        save,
    )
    return For("o", str(reduce.outer), (For("v", "1" if reduce.uniform else "GS_VECS", vector),))


def _row_operand(buffer: Buffer, reduce: RowReduce) -> Expr:
    element = plus(times(Name("o"), number(reduce.inner)), Name("e"))
    if buffer.uniform:
        return CallExpr("gs_set", (Subscript(_address(buffer), element),))
    place = plus(times(element, _LANES), times(Name("v"), _VEC))
    return CallExpr("gs_load", (plus(_address(buffer), place),))


# --- expressions


def _expression(expression: Expression, uniform: bool, element: str) -> Expr:
    match expression:
        case Temp(node):
            return Name(f"t{node}")
        case Value(value):
            return CallExpr("gs_set", (Name(float32_literal(value)),))
        case SlotScale(parameter):
            return CallExpr("gs_set", (Member(Name(f"slot{parameter}"), "ss"),))
        case SlotElement(parameter, source):
            return CallExpr("gs_set", (Subscript(Member(Name(f"slot{parameter}"), source), Name(element)),))
        case Apply(op, args):
            return CallExpr(f"gs_{op}", tuple(_expression(arg, uniform, element) for arg in args))
        case Load(buffer, index):
            if buffer.space == "sums":
                return CallExpr("gs_set", (Name(f"sum{buffer.position}"),))
            if buffer.uniform:
                return CallExpr("gs_set", (Subscript(_address(buffer), _element_index(index, element)),))
            return CallExpr("gs_load", (_vector_address(buffer, index, element),))


def _element_index(index: Index, element: str) -> Expr:
    match index:
        case Element():
            return Name(element)
        case Fixed(place):
            return number(place)
        case Repeated(size):
            return Binary("%", Name(element), number(size))


def _vector_address(buffer: Buffer, index: Index, element: str) -> Expr:
    place = plus(times(_element_index(index, element), _LANES), times(Name("v"), _VEC))
    return plus(_address(buffer), place)


def _address(buffer: Buffer) -> Expr:
    match buffer.space:
        case "in" | "out":
            return Name(f"{buffer.space}{buffer.position}")
        case _:
            return plus(Name(buffer.space), times(number(buffer.offset), _LANES))


def _size(elements: int) -> str:
    return f"{elements} * GS_LANES" if elements else "0"


def _comment(text: str) -> str:
    """Text that can't end the comment that it stands in."""
    return text.replace("*/", "* /").replace("/*", "/ *")
