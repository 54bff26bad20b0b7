"""C text: parentheses exactly where the meaning needs them, statements one a line."""

from __future__ import annotations

import pytest

from geode.emit.statement import (
    AddressOf,
    Assign,
    Binary,
    CallExpr,
    Cast,
    Declare,
    Evaluate,
    Expr,
    For,
    Member,
    Name,
    Return,
    Subscript,
)
from geode.emit.writer import expression_to_text, statements_to_text

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Binary("+", A, Binary("*", B, C)), "a + b * c"),
        (Binary("*", Binary("+", A, B), C), "(a + b) * c"),
        (Binary("-", A, Binary("-", B, C)), "a - (b - c)"),
        (Binary("-", Binary("-", A, B), C), "a - b - c"),
        (Binary("%", Binary("*", A, B), C), "a * b % c"),
        (Binary("*", A, Binary("%", B, C)), "a * (b % c)"),
        (Subscript(Binary("+", A, B), C), "(a + b)[c]"),
        (Subscript(A, Binary("+", B, C)), "a[b + c]"),
        (Member(Cast("struct x *", A), "f"), "((struct x *)a)->f"),
        (AddressOf(Subscript(A, B)), "&a[b]"),
        (Subscript(AddressOf(A), B), "(&a)[b]"),
        (CallExpr("f", (Binary("+", A, B), C)), "f(a + b, c)"),
        (Cast("float", Binary("+", A, B)), "(float)(a + b)"),
    ],
)
def test_parentheses_stand_where_the_meaning_needs_them(expression: Expr, text: str) -> None:
    """Operators of one rank group from the left."""
    assert expression_to_text(expression) == text


def test_statements_are_indented() -> None:
    """One a line, bodies deeper."""
    loop = For("i", "4", (Assign(Subscript(A, Name("i")), B), Evaluate(CallExpr("f", (A,)))), unroll=True)
    statements = (Declare("float *", "x", A), Declare("size_t", "n", None), loop, Return(C))
    assert statements_to_text(statements) == (
        "    float *x = a;\n"
        "    size_t n;\n"
        "    GS_UNROLL\n"
        "    for (size_t i = 0; i < 4; i++) {\n"
        "        a[i] = b;\n"
        "        f(a);\n"
        "    }\n"
        "    return c;\n"
    )
