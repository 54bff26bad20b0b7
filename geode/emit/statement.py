"""The small C-family statement and expression model: what the writer can print.

In: built by `loops_to_c`. Out: read by `writer`.
Invariant: precedence is decided by the writer alone; nobody pastes parentheses into text.
"""

from __future__ import annotations

from geode.emit.literals import size_literal
from geode.record import dataclass

# --- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier or a finished literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right`; op is + - * / or %."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class CallExpr:
    """`function(args)`."""

    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Subscript:
    """`base[index]`."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Member:
    """`base->field`."""

    base: Expr
    field: str


@dataclass(frozen=True, slots=True)
class Field:
    """`base.field`."""

    base: Expr
    field: str


@dataclass(frozen=True, slots=True)
class AddressOf:
    """`&operand`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type)operand`."""

    type: str
    operand: Expr


Expr = Name | Binary | CallExpr | Subscript | Member | Field | AddressOf | Cast


# --- statements


@dataclass(frozen=True, slots=True)
class Declare:
    """`type name = value;`, or with no value `type name;`."""

    type: str
    name: str
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value;`."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effect."""

    value: Expr


@dataclass(frozen=True, slots=True)
class For:
    """`for (size_t variable = 0; variable < count && also; variable++)`; `unroll` asks for all turns to be written out,
    `type` is the variable's."""

    variable: str
    count: str
    body: tuple[Stmt, ...]
    unroll: bool = False
    also: Expr | None = None
    type: str = "size_t"


@dataclass(frozen=True, slots=True)
class While:
    """`while (condition)`."""

    condition: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """`return value;`."""

    value: Expr


Stmt = Declare | Assign | Evaluate | For | While | Return


def number(value: int) -> Name:
    """A count, size or place."""
    return Name(size_literal(value))


def plus(left: Expr, right: Expr) -> Expr:
    """`left + right`, without what adds nothing."""
    if isinstance(left, Name) and left.text == "0":
        return right
    if isinstance(right, Name) and right.text == "0":
        return left
    return Binary("+", left, right)


def times(left: Expr, right: Expr) -> Expr:
    """`left * right`, without what multiplies nothing."""
    a, b = (side.text if isinstance(side, Name) else None for side in (left, right))
    if "0" in (a, b):
        return Name("0")
    if a == "1":
        return right
    if b == "1":
        return left
    return Binary("*", left, right)
