"""Comparisons, logic and SELECT: flags, element by element, shapes as in arithmetic."""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.graph import Known
from geode.graph.machine import Machine
from geode.graph.types import TensorType
from geode.graph.values import Flag, Number, Tensor
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "logic"


def _constant(machine: Machine, value: object) -> float | None:
    """A number known while compiling, or None."""
    if isinstance(value, Number):
        return float(value.value)
    if isinstance(value, Flag):
        return float(value.value)
    if isinstance(value, Tensor) and value.type == TensorType("r", (), batched=False):
        operation = machine.unit.nodes[value.node].operation
        return operation.value if isinstance(operation, Known) else None
    return None


def _comparison(
    name: str, op: str, rule: Callable[[float, float], bool], summary: str, against_zero: bool = False
) -> Entry:
    effect = "( x -- f )" if against_zero else "( x y -- f )"
    arity = 1 if against_zero else 2
    wanted = "x" if against_zero else "x y"

    def apply(machine: Machine) -> None:
        if len(machine.stack) < arity:
            machine.fail("GS302", f"`{name}` takes more values than the stack holds", wanted=wanted)
        if against_zero:
            machine.push(Number(0))
        known = [_constant(machine, value) for value in machine.stack[-2:]]
        y, x = machine.pop_tensor(wanted), machine.pop_tensor(wanted)
        if known[0] is not None and known[1] is not None:
            machine.push(Flag(rule(known[0], known[1])))
        else:
            machine.push(machine.elementwise(op, (x, y), "f"))

    signature = "( r:4 -- f:4 )" if against_zero else "( r:4 r:4 -- f:4 )"
    counter = (
        Counter("GS302", Example(name, "( -- f )"))
        if against_zero
        else Counter("GS304", Example(name, "( r:4 r:3 -- f:4 )"))
    )
    return Entry(name, GROUP, effect, summary, op, Example(name, signature), counter, apply)


def _logic(name: str, op: str, rule: Callable[[bool, bool], bool], summary: str) -> Entry:
    def apply(machine: Machine) -> None:
        y, x = machine.pop_flag("f f"), machine.pop_flag("f f")
        if isinstance(x, Flag) and isinstance(y, Flag):
            machine.push(Flag(rule(x.value, y.value)))
        else:
            machine.push(machine.elementwise(op, (machine.flag_tensor(x), machine.flag_tensor(y)), "f"))

    example = Example(f"0> SWAP 0> {name}", "( r:4 r:4 -- f:4 )")
    counter = Counter("GS308", Example(name, "( r:4 r:4 -- f:4 )"))
    return Entry(name, GROUP, "( f f -- f )", summary, op, example, counter, apply)


def _not(machine: Machine) -> None:
    flag = machine.pop_flag("f")
    machine.push(Flag(not flag.value) if isinstance(flag, Flag) else machine.elementwise("not", (flag,), "f"))


def _within(machine: Machine) -> None:
    hi, lo, x = (machine.pop_tensor("x lo hi") for _ in range(3))
    above = machine.elementwise("is_le", (lo, x), "f")
    machine.push(machine.elementwise("and", (above, machine.elementwise("is_lt", (x, hi), "f")), "f"))


def _select(machine: Machine) -> None:
    flag = machine.pop_flag("x y f")
    y, x = machine.pop("x y f"), machine.pop("x y f")
    if isinstance(flag, Flag):
        machine.push(machine.closed(x if flag.value else y, "SELECT"))
        return
    machine.push(y)
    y_tensor = machine.pop_any("x y f")
    machine.push(x)
    x_tensor = machine.pop_any("x y f")
    if x_tensor.type.dtype != y_tensor.type.dtype:
        x_tensor, y_tensor = machine.as_number(x_tensor), machine.as_number(y_tensor)
    machine.push(machine.elementwise("choose", (flag, x_tensor, y_tensor), x_tensor.type.dtype))


def _flag(name: str, value: bool, summary: str) -> Entry:
    def apply(machine: Machine) -> None:
        machine.push(Flag(value))

    example = Example(f"0> {name} XOR", "( r:4 -- f:4 )")
    counter = Counter("GS301", Example(name, "( r:4 -- r:4 )"))
    return Entry(name, GROUP, "( -- f )", summary, name.lower(), example, counter, apply)


ENTRIES: tuple[Entry, ...] = (
    _comparison("<", "is_lt", lambda a, b: a < b, "x below y"),
    _comparison("<=", "is_le", lambda a, b: a <= b, "x at most y"),
    _comparison(">", "is_gt", lambda a, b: a > b, "x above y"),
    _comparison(">=", "is_ge", lambda a, b: a >= b, "x at least y"),
    _comparison("=", "is_eq", lambda a, b: a == b, "x equal to y"),
    _comparison("<>", "is_ne", lambda a, b: a != b, "x not equal to y; a NaN differs from everything"),
    _comparison("0<", "is_lt", lambda a, b: a < b, "x below 0", against_zero=True),
    _comparison("0=", "is_eq", lambda a, b: a == b, "x equal to 0", against_zero=True),
    _comparison("0>", "is_gt", lambda a, b: a > b, "x above 0", against_zero=True),
    Entry(
        "WITHIN",
        GROUP,
        "( x lo hi -- f )",
        "lo ≤ x and x < hi",
        "is_le is_lt and",
        Example("-0.5 0.5 WITHIN", "( r:4 -- f:4 )"),
        Counter("GS302", Example("0.5 WITHIN", "( r:4 -- f:4 )")),
        _within,
    ),
    _logic("AND", "and", lambda a, b: a and b, "both flags set"),
    _logic("OR", "or", lambda a, b: a or b, "one of the flags set, or both"),
    _logic("XOR", "xor", lambda a, b: a != b, "one of the flags set, not both"),
    Entry(
        "NOT",
        GROUP,
        "( f -- f )",
        "the flag turned round",
        "not",
        Example("0> NOT", "( r:4 -- f:4 )"),
        Counter("GS308", Example("NOT", "( r:4 -- f:4 )")),
        _not,
    ),
    _flag("TRUE", True, "the flag that is set"),
    _flag("FALSE", False, "the flag that is not set"),
    Entry(
        "SELECT",
        GROUP,
        "( x y f -- x-if-f-else-y )",
        "x where the flag is set, y elsewhere; both are computed",
        "choose",
        Example("2DUP < SELECT", "( r:4 r:4 -- r:4 )"),
        Counter("GS308", Example("1 SELECT", "( r:4 r:4 -- r:4 )")),
        _select,
    ),
)
