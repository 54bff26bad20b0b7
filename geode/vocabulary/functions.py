"""Elementary functions and the constants of mathematics, computed by the runtime's own code over lanes."""

from __future__ import annotations

import math
from collections.abc import Callable

from geode.graph.graph import Known
from geode.graph.machine import Machine
from geode.graph.values import Number
from geode.vocabulary.arithmetic import elementwise_entry
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "functions"


def _function(name: str, op: str, summary: str, body: str | None = None) -> Entry:
    effect = f"( x -- {name.lower()} x )"
    return elementwise_entry(GROUP, name, op, effect, summary, body or name, None, "( r:4 -- r:4 )")


def _constant(name: str, value: float, summary: str) -> Entry:
    def apply(machine: Machine) -> None:
        machine.push(machine.known(value))

    body = "DUP NAN <> *" if math.isnan(value) else f"{name} MIN" if math.isinf(value) else f"{name} +"
    counter = Counter("GS301", Example(name, "( r:4 -- r:4 )"))
    return Entry(
        name,
        "constants",
        "( -- r )",
        summary,
        "known",
        Example(body, "( r:4 -- r:4 )"),
        counter,
        apply,
        (0, lambda: value),
    )


def _rounding(name: str, op: str, summary: str) -> Entry:
    """A word that rounds; of a constant it gives an `n`."""
    rules: dict[str, Callable[[float], int]] = {
        "floor": math.floor,
        "ceil": math.ceil,
        "round": round,
        "trunc": math.trunc,
    }
    rule = rules[op]

    def apply(machine: Machine) -> None:
        if machine.stack and isinstance(machine.stack[-1], Number):
            return
        value = machine.pop_tensor("x")
        known = machine.unit.nodes[value.node].operation
        if isinstance(known, Known) and not value.type.shape and math.isfinite(known.value):
            machine.push(Number(rule(known.value)))
        else:
            machine.push(machine.elementwise(op, (value,)))

    counter = Counter("GS302", Example(name, "( -- r )"))
    example = Example(f"3 * {name}", "( r:4 -- r:4 )")
    return Entry(name, GROUP, f"( x -- {name.lower()} x )", summary, op, example, counter, apply, (1, rule))


ENTRIES: tuple[Entry, ...] = (
    _function("EXP", "exp", "e to the x"),
    _function("LN", "ln", "the natural logarithm", "ABS LN"),
    _function("LOG2", "log2", "the logarithm to base 2", "ABS LOG2"),
    _function("LOG10", "log10", "the logarithm to base 10", "ABS LOG10"),
    _function("SIN", "sin", "the sine of x radians"),
    _function("COS", "cos", "the cosine of x radians"),
    _function("TAN", "tan", "the tangent of x radians", "SIN TAN"),
    _function("ASIN", "asin", "the arc sine", "SIN ASIN"),
    _function("ACOS", "acos", "the arc cosine", "SIN ACOS"),
    _function("ATAN", "atan", "the arc tangent"),
    elementwise_entry(
        GROUP, "ATAN2", "atan2", "( y x -- a )", "the angle of the point (x, y)", "ATAN2", None, "( r:4 r:4 -- r:4 )"
    ),
    _function("SINH", "sinh", "the hyperbolic sine"),
    _function("COSH", "cosh", "the hyperbolic cosine"),
    _function("TANH", "tanh", "the hyperbolic tangent"),
    _rounding("FLOOR", "floor", "the largest whole number at most x"),
    _rounding("CEIL", "ceil", "the smallest whole number at least x"),
    _rounding("ROUND", "round", "the nearest whole number, halves to even"),
    _rounding("TRUNC", "trunc", "the fraction cut off"),
    _constant("PI", math.pi, "π"),
    _constant("E", math.e, "Euler's number"),
    _constant("INF", math.inf, "positive infinity"),
    _constant("NAN", math.nan, "not a number"),
)
