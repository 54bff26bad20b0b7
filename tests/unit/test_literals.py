"""C literals: the compiler reads back the very same value."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geode.emit.literals import comment_text, float32_literal, float64_literal, size_literal, string_literal


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_literals_are_exact(value: float) -> None:
    """Hexadecimal, so that no decimal rounding stands between; the sign of zero is kept."""
    text = float32_literal(value)
    assert text.endswith("f")
    back = float.fromhex(text[:-1])
    assert back == value
    assert math.copysign(1.0, back) == math.copysign(1.0, value)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float64_literals_are_exact(value: float) -> None:
    """The same in double precision."""
    assert float.fromhex(float64_literal(value)) == value


@pytest.mark.parametrize(
    ("value", "single", "double"),
    [
        (math.inf, "__builtin_inff()", "__builtin_inf()"),
        (-math.inf, "-__builtin_inff()", "-__builtin_inf()"),
        (math.nan, '__builtin_nanf("")', '__builtin_nan("")'),
        (0.0, "0x0p+0f", "0x0p+0"),
        (1.5, "0x1.8p+0f", "0x1.8p+0"),
    ],
)
def test_special_values(value: float, single: str, double: str) -> None:
    """What has no digits is a builtin, which is a constant expression."""
    assert float32_literal(value) == single
    assert float64_literal(value) == double


def unescaped(literal: str) -> bytes:
    """The bytes of a C string literal of plain characters and octal escapes."""
    parts = re.findall(r"\\([0-7]{3})|([^\\])", literal[1:-1])
    return bytes(int(octal, 8) if octal else ord(plain) for octal, plain in parts)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
def test_strings_hold_the_bytes_of_the_text(text: str) -> None:
    """Escapes are octal with three digits, which the next character cannot run into; ?? makes no trigraph."""
    literal = string_literal(text)
    assert unescaped(literal) == text.encode("utf-8")
    assert literal.isascii()
    assert "??" not in literal
    assert '"' not in literal[1:-1]


@pytest.mark.parametrize(("count", "text"), [(0, "0"), (2**25 - 1, "33554431"), (2**25, "33554432ul")])
def test_large_counts_are_unsigned_long(count: int, text: str) -> None:
    """So that the product with the lanes of a tile, at most 48, overflows no int."""
    assert size_literal(count) == text
    assert (2**25 - 1) * 48 < 2**31


@pytest.mark.parametrize(
    ("text", "comment"), [("a*/b", "a* /b"), ("/*/", "/ * /"), ("??/", "? ?/"), ("????", "? ? ? ?"), ("x", "x")]
)
def test_text_in_a_comment_does_not_end_it(text: str, comment: str) -> None:
    """Words may have any name."""
    assert comment_text(text) == comment
