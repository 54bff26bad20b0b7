"""Elementwise arithmetic: shapes combine as language.md's "Arithmetic on shapes" says; constants stay constants."""

from __future__ import annotations

import math

from geode.graph.machine import Machine
from geode.graph.values import Number, Tensor
from geode.vocabulary.entry import Counter, Entry, Example, NumberRule, Numeric

GROUP = "arithmetic"


def _take(machine: Machine, arity: int, effect: str) -> list[Tensor | Number]:
    """The top `arity` values, the deepest first: constants as they are, all else as `r`."""
    wanted = effect.strip("( )").split(" --")[0]
    taken: list[Tensor | Number] = []
    for _ in range(arity):
        top = machine.stack[-1] if machine.stack else None
        if isinstance(top, Number):
            taken.append(top)
            machine.stack.pop()
        else:
            taken.append(machine.pop_tensor(wanted))
    return taken[::-1]


def _push(machine: Machine, result: Numeric) -> None:
    if isinstance(result, int):
        machine.push_number(result)
    else:
        machine.push(machine.known(result))


def _tensor(machine: Machine, value: Tensor | Number) -> Tensor:
    return machine.known(float(value.value)) if isinstance(value, Number) else value


def elementwise_entry(
    group: str,
    name: str,
    op: str,
    effect: str,
    summary: str,
    body: str,
    number: NumberRule | None,
    signature: str = "( r:4 r:4 -- r:4 )",
) -> Entry:
    """A word of one operation. `number` computes it on constants; an int from ints stays an `n`."""
    arity = len(effect.strip("( )").split("--")[0].split())

    def apply(machine: Machine) -> None:
        values = _take(machine, arity, effect)
        constants = [v.value for v in values if isinstance(v, Number)]
        if number is not None and len(constants) == arity:
            result = number(*constants)
            machine.doubt(constants, result)
            _push(machine, result)
        else:
            machine.push(machine.elementwise(op, tuple(_tensor(machine, v) for v in values)))

    counter_signature = "( r:4 r:3 -- r:4 )" if arity > 1 else "( -- r )"
    counter = Counter("GS304" if arity > 1 else "GS302", Example(name if arity < 3 else f"0 {name}", counter_signature))
    rule = None if number is None else (arity, number)
    return Entry(name, group, effect, summary, op, Example(body, signature), counter, apply, rule)


def _composed(
    name: str, effect: str, summary: str, body: str, lowering: str, steps: tuple[tuple[str, float | None], ...]
) -> Entry:
    """A one-operand word made of operations: each step is `op` with a known second operand, or with the operand again."""
    number = _NUMBERS.get(name)

    def apply(machine: Machine) -> None:
        (value,) = _take(machine, 1, effect)
        if isinstance(value, Number) and number is not None:
            result = number(value.value)
            machine.doubt([value.value], result)
            _push(machine, result)
            return
        tensor = _tensor(machine, value)
        for op, operand in steps:
            other = tensor if operand is None else machine.known(operand)
            tensor = machine.elementwise(op, (tensor, other))
        machine.push(tensor)

    counter = Counter("GS302", Example(name, "( -- r )"))
    rule = None if number is None else (1, number)
    return Entry(name, GROUP, effect, summary, lowering, Example(body, "( r:4 -- r:4 )"), counter, apply, rule)


def _reciprocal(machine: Machine) -> None:
    (value,) = _take(machine, 1, "( x -- 1/x )")
    machine.push(machine.elementwise("div", (machine.known(1.0), _tensor(machine, value))))


def _clamp(machine: Machine) -> None:
    values = [_tensor(machine, v) for v in _take(machine, 3, "( x lo hi -- x )")]
    raised = machine.elementwise("max", (values[0], values[1]))
    machine.push(machine.elementwise("min", (raised, values[2])))


def _divide(a: Numeric, b: Numeric) -> Numeric:
    """Two integers that divide evenly give an integer, everything else a real; never truncates."""
    if isinstance(a, int) and isinstance(b, int) and b != 0 and a % b == 0:
        return a // b
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _modulo(a: Numeric, b: Numeric) -> Numeric:
    return math.nan if b == 0 else a % b


def _sign(a: Numeric) -> Numeric:
    if isinstance(a, int):
        return (a > 0) - (a < 0)
    return a if math.isnan(a) else float((a > 0) - (a < 0))


def _smaller(a: Numeric, b: Numeric) -> Numeric:
    """An `n` of two `n`, else an `r`; NaN wins."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    return math.nan if math.isnan(a) or math.isnan(b) else float(min(a, b))


def _larger(a: Numeric, b: Numeric) -> Numeric:
    """As `_smaller`."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return math.nan if math.isnan(a) or math.isnan(b) else float(max(a, b))


def _square_root(a: Numeric) -> Numeric:
    return math.sqrt(a) if a >= 0 else math.nan


_NUMBERS: dict[str, NumberRule] = {
    "1+": lambda a: a + 1,
    "1-": lambda a: a - 1,
    "2*": lambda a: a * 2,
    "2/": lambda a: _divide(a, 2),
    "SQUARE": lambda a: float(a) * float(a),
}

ENTRIES: tuple[Entry, ...] = (
    elementwise_entry(GROUP, "+", "add", "( x y -- x+y )", "adds", "+", lambda a, b: a + b),
    elementwise_entry(GROUP, "-", "sub", "( x y -- x-y )", "subtracts", "-", lambda a, b: a - b),
    elementwise_entry(GROUP, "*", "mul", "( x y -- x*y )", "multiplies", "*", lambda a, b: a * b),
    elementwise_entry(
        GROUP, "/", "div", "( x y -- x/y )", "divides, never truncating: 7 2 / is 3.5", "ABS 1+ /", _divide
    ),
    elementwise_entry(
        GROUP, "MOD", "mod", "( x y -- x mod y )", "x - y floor(x/y): the divisor's sign", "MOD", _modulo
    ),
    elementwise_entry(
        GROUP, "NEGATE", "negate", "( x -- -x )", "changes the sign", "NEGATE", lambda a: -a, "( r:4 -- r:4 )"
    ),
    elementwise_entry(GROUP, "ABS", "abs", "( x -- |x| )", "the absolute value", "ABS", abs, "( r:4 -- r:4 )"),
    elementwise_entry(
        GROUP, "SIGN", "sign", "( x -- s )", "-1, 0 or 1; SIGN of 0 is 0", "SIGN", _sign, "( r:4 -- r:4 )"
    ),
    elementwise_entry(
        GROUP, "MIN", "min", "( x y -- min )", "the smaller; a NaN on either side is the result", "MIN", _smaller
    ),
    elementwise_entry(
        GROUP, "MAX", "max", "( x y -- max )", "the larger; a NaN on either side is the result", "MAX", _larger
    ),
    _composed("1+", "( x -- x+1 )", "adds one", "1+", "add", (("add", 1.0),)),
    _composed("1-", "( x -- x-1 )", "subtracts one", "1-", "sub", (("sub", 1.0),)),
    _composed("2*", "( x -- 2x )", "doubles", "2*", "mul", (("mul", 2.0),)),
    _composed("2/", "( x -- x/2 )", "halves, never truncating", "2/", "mul", (("mul", 0.5),)),
    _composed("SQUARE", "( x -- x*x )", "multiplies by itself", "SQUARE", "mul", (("mul", None),)),
    elementwise_entry(
        GROUP, "SQRT", "sqrt", "( x -- √x )", "the square root, correctly rounded", "ABS SQRT", None, "( r:4 -- r:4 )"
    ),
    elementwise_entry(
        GROUP, "POW", "pow", "( x y -- x^y )", "x to the power y, as C99's pow", "SWAP ABS SWAP POW", None
    ),
    Entry(
        "RECIP",
        GROUP,
        "( x -- 1/x )",
        "one divided by x",
        "div",
        Example("ABS 1+ RECIP", "( r:4 -- r:4 )"),
        Counter("GS302", Example("RECIP", "( -- r )")),
        _reciprocal,
    ),
    Entry(
        "CLAMP",
        GROUP,
        "( x lo hi -- x )",
        "x limited to lo … hi",
        "max min",
        Example("-0.5 0.5 CLAMP", "( r:4 -- r:4 )"),
        Counter("GS304", Example("0 CLAMP", "( r:4 r:3 -- r:4 )")),
        _clamp,
    ),
)
