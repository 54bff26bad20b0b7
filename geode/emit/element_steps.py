"""Steps of the loops form, one element and one vector of lanes at a time -> statements of C.

In: element loops, steps and expressions. Out: the statement model. The loop's element and vector are the names `e` and `v`.
Invariant: every per-lane access is an element and a vector of lanes: base + element * GS_LANES + v * GS_VEC.
"""

from __future__ import annotations

from geode.emit.literals import float32_literal
from geode.emit.statement import (
    Assign,
    Binary,
    CallExpr,
    Declare,
    Evaluate,
    Expr,
    Field,
    For,
    Member,
    Name,
    Stmt,
    Subscript,
    number,
    plus,
    times,
)
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    Element,
    ElementLoop,
    ElementNumber,
    Expression,
    Fixed,
    Index,
    Let,
    Load,
    Repeated,
    SettingValue,
    SlotScale,
    Step,
    Store,
    Strided,
    Temp,
    Value,
)

_LANES, _VEC = Name("GS_LANES"), Name("GS_VEC")


def element_loop(loop: ElementLoop) -> list[Stmt]:
    """Elements outside, vectors of lanes inside; accumulators are one vector each, kept over the elements."""
    chains = {step.node: step.first for step in loop.steps if isinstance(step, Accumulate)}
    accumulators = list(chains)
    count = "1" if loop.uniform else "GS_VECS"
    declared: list[Stmt] = [Declare("gs_vec", f"a{node}[{count}]") for node in accumulators]
    starts = tuple(Assign(accumulator(node), constant(first)) for node, first in chains.items())
    turn = steps_to_c(loop.steps, loop.uniform, "e")
    after = tuple(store_to_c(store, loop.uniform, "e", frozenset(accumulators)) for store in loop.after)
    body: list[Stmt] = [*declared]
    if starts:
        body.append(each_vector(starts, loop.uniform))
    inner = each_vector(turn, loop.uniform)
    body.append(For("e", str(loop.extent), (inner,)))
    if after:
        body.append(each_vector(after, loop.uniform))
    return body


def constant(value: float) -> Expr:
    """A number in every lane."""
    return CallExpr("gs_set", (Name(float32_literal(value)),))


def each_vector(body: tuple[Stmt, ...], uniform: bool) -> Stmt:
    """The body for every vector of lanes, or once."""
    return For("v", "1" if uniform else "GS_VECS", body, unroll=True)


def steps_to_c(steps: tuple[Step, ...], uniform: bool, element: str) -> tuple[Stmt, ...]:
    """The steps of a turn. A sine and a cosine of one operand are made together, which costs no more than one of them."""
    written = {step.buffer for step in steps if isinstance(step, Store)}
    angles: dict[Expression, dict[str, int]] = {}  # by operand: the nodes of its sine and cosine
    for step in steps:
        match step:
            case Let(node, Apply("sin" | "cos" as op, (angle,))) if not _reads(angle, written):
                angles.setdefault(angle, {}).setdefault(op, node)
    both = {min(found.values()): angle for angle, found in angles.items() if len(found) > 1}
    pairs = {node: min(found.values()) for found in angles.values() if len(found) > 1 for node in found.values()}
    result: list[Stmt] = []
    for step in steps:
        if isinstance(step, Let) and step.node in pairs and isinstance(step.value, Apply):
            first = pairs[step.node]
            if step.node == first:
                made = CallExpr("gs_sin_cos", (expression_to_c(both[first], uniform, element),))
                result.append(Declare("const struct gs_sine_cosine", f"b{first}", made))
            result.append(Declare("const gs_vec", f"t{step.node}", Field(Name(f"b{first}"), step.value.op)))
        else:
            result.append(step_to_c(step, uniform, element))
    return tuple(result)


def _reads(expression: Expression, written: set[Buffer]) -> bool:
    """True if an operand comes from memory that the steps write."""
    return not isinstance(expression, Temp | Load) or (isinstance(expression, Load) and expression.buffer in written)


def step_to_c(step: Step, uniform: bool, element: str) -> Stmt:
    """One step of a turn."""
    match step:
        case Let(node, value):
            return Declare("const gs_vec", f"t{node}", expression_to_c(value, uniform, element))
        case Store():
            return store_to_c(step, uniform, element, frozenset())
        case Accumulate(node, op, _, args):
            chain = accumulator(node)
            values = tuple(expression_to_c(arg, uniform, element) for arg in args)
            return Assign(chain, CallExpr(f"gs_{op}", (*values, chain) if op == "fma" else (chain, *values)))


def accumulator(node: int) -> Expr:
    """The chain of a node, for the vector at hand."""
    return Subscript(Name(f"a{node}"), Name("v"))


def store_to_c(store: Store, uniform: bool, element: str, accumulators: frozenset[int]) -> Stmt:
    """A value to memory; `accumulators` are the nodes whose value is a chain."""
    value = store.value
    source = (
        accumulator(value.node)
        if isinstance(value, Temp) and value.node in accumulators
        else expression_to_c(value, uniform, element)
    )
    if uniform:
        target = Subscript(address(store.buffer), element_index(store.index, element))
        return Assign(target, CallExpr("gs_first", (source,)))
    return Evaluate(CallExpr("gs_store", (_vector_address(store.buffer, store.index, element), source)))


# --- expressions


def expression_to_c(expression: Expression, uniform: bool, element: str) -> Expr:
    """An expression over one vector."""
    match expression:
        case Temp(node):
            return Name(f"t{node}")
        case Value(value):
            return constant(value)
        case SettingValue(name):
            return CallExpr("gs_set", (Member(Name("tile"), name),))
        case ElementNumber():
            return CallExpr("gs_set", (CallExpr("(float)", (Name(element),)),))
        case SlotScale(parameter, by_lane=True):
            scales = Member(Name(f"slot{parameter}"), "ss_by_lane")
            return CallExpr("gs_load", (plus(scales, times(Name("v"), _VEC)),))
        case SlotScale(parameter):
            return CallExpr("gs_set", (Member(Name(f"slot{parameter}"), "ss"),))
        case Apply(op, args):
            return CallExpr(f"gs_{op}", tuple(expression_to_c(arg, uniform, element) for arg in args))
        case Load(buffer, index):
            if buffer.uniform:
                return CallExpr("gs_set", (Subscript(address(buffer), element_index(index, element)),))
            return CallExpr("gs_load", (_vector_address(buffer, index, element),))


def element_index(index: Index, element: str) -> Expr:
    """Which element of a buffer is meant."""
    match index:
        case Element():
            return Name(element)
        case Fixed(place):
            return number(place)
        case Repeated(size):
            return Binary("%", Name(element), number(size))
        case Strided(stride, offset):
            return plus(times(Name(element), number(stride)), number(offset))


def _vector_address(buffer: Buffer, index: Index, element: str) -> Expr:
    place = plus(times(element_index(index, element), _LANES), times(Name("v"), _VEC))
    return plus(address(buffer), place)


def address(buffer: Buffer) -> Expr:
    """Where the first number of a buffer lies."""
    skip = number(buffer.skip) if buffer.uniform else times(number(buffer.skip), _LANES)
    if buffer.space == "weights":
        return plus(Member(Name(f"slot{buffer.position}"), buffer.source), skip)
    if buffer.space == "tables":
        return plus(Name(f"table{buffer.position}"), skip)
    if buffer.space == "reduced":
        return plus(Name("reduced"), number(buffer.position))
    if buffer.space in ("in", "out"):
        return plus(Name(f"{buffer.space}{buffer.position}"), skip)
    return plus(plus(Name(buffer.space), times(number(buffer.offset), _LANES)), skip)
