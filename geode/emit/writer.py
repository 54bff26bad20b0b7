"""Statements -> C text: the only code that formats C.

In: statements of the model. Out: indented lines.
Invariant: an expression is parenthesised exactly where its meaning needs it.
"""

from __future__ import annotations

from collections.abc import Iterable

from geode.emit.statement import (
    AddressOf,
    Assign,
    Binary,
    CallExpr,
    Cast,
    Declare,
    Evaluate,
    Expr,
    Field,
    For,
    Member,
    Name,
    Return,
    Stmt,
    Subscript,
    While,
)

_INDENT = "    "
_SUM, _PRODUCT, _UNARY, _POSTFIX = 1, 2, 3, 4


def statements_to_text(statements: Iterable[Stmt], depth: int = 1) -> str:
    """The statements, each line indented `depth` times and ended by a line feed."""
    return "".join(f"{line}\n" for line in _lines(statements, depth))


def expression_to_text(expression: Expr) -> str:
    """One expression."""
    return _expression(expression, 0)


def _lines(statements: Iterable[Stmt], depth: int) -> Iterable[str]:
    pad = _INDENT * depth
    for statement in statements:
        match statement:
            case Declare(type_, name, None):
                yield f"{pad}{_declarator(type_, name)};"
            case Declare(type_, name, value) if value is not None:
                yield f"{pad}{_declarator(type_, name)} = {expression_to_text(value)};"
            case Assign(target, value):
                yield f"{pad}{expression_to_text(target)} = {expression_to_text(value)};"
            case Evaluate(value):
                yield f"{pad}{expression_to_text(value)};"
            case Return(value):
                yield f"{pad}return {expression_to_text(value)};"
            case For(variable, count, body, unroll, also, type_):
                if unroll:
                    yield f"{pad}GS_UNROLL"
                test = f"{variable} < {count}" + ("" if also is None else f" && {expression_to_text(also)}")
                yield f"{pad}for ({type_} {variable} = 0; {test}; {variable}++) {{"
                yield from _lines(body, depth + 1)
                yield f"{pad}}}"
            case While(condition, body):
                yield f"{pad}while ({expression_to_text(condition)}) {{"
                yield from _lines(body, depth + 1)
                yield f"{pad}}}"


def _declarator(type_: str, name: str) -> str:
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"


def _expression(expression: Expr, outer: int) -> str:
    match expression:
        case Name(text):
            return text
        case Binary(op, left, right):
            mine = _SUM if op in "+-" else _PRODUCT
            text = f"{_expression(left, mine)} {op} {_expression(right, mine + 1)}"
            return f"({text})" if mine < outer else text
        case CallExpr(function, args):
            return f"{function}({', '.join(_expression(arg, 0) for arg in args)})"
        case Subscript(base, index):
            return f"{_expression(base, _POSTFIX)}[{_expression(index, 0)}]"
        case Member(base, field):
            return f"{_expression(base, _POSTFIX)}->{field}"
        case Field(base, field):
            return f"{_expression(base, _POSTFIX)}.{field}"
        case AddressOf(operand):
            text = f"&{_expression(operand, _UNARY)}"
        case Cast(type_, operand):
            text = f"({type_}){_expression(operand, _UNARY)}"
    return f"({text})" if outer > _UNARY else text
