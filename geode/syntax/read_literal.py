"""One token's text -> a number or a shape literal.

In: a token that names no word. Out: an `Integer`, `Real` or `ShapeLiteral`, or None if the text is none of them.
Invariant: whatever has the form of a literal gives a literal; that it is out of range or badly made is reported.
"""

from __future__ import annotations

import math
import re
import struct

from geode.diagnostics import Sink
from geode.source import Span
from geode.syntax.word import BATCH, Integer, Real, ShapeLiteral

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_INTEGER = re.compile(f"-?{_DIGITS}")
_REAL = re.compile(
    rf"-?(?:(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})(?:[eE][+-]?[0-9]+)?|{_DIGITS}[eE][+-]?[0-9]+)",
)
_SIZE = re.compile(_DIGITS)
_NAME = re.compile(r"[^0-9*:.+-][^:*]*")

INTEGER_LIMIT = 2**63  # the first integer that is too large
LONGEST_AXIS = 2**31 - 1
_SIZE_LIMIT = LONGEST_AXIS + 1
_FLOAT32_LIMIT = 2.0**128 - 2.0**103  # the first value that rounds to infinity: half a step above the largest float32


def read_literal(text: str, span: Span, sink: Sink) -> Integer | Real | ShapeLiteral | None:
    """The literal that `text` is, or None. Reports GS115 to GS117, GS123 and GS124."""
    if _INTEGER.fullmatch(text):
        return _read_integer(text, span, sink)
    if _REAL.fullmatch(text):
        nearest = to_float32(text)
        if nearest is None:
            sink.error(
                "GS123",
                f"`{shorten(text)}` is beyond float32",
                span,
                help="the largest float32 is 3.4028235e38; infinity is written `INF`",
            )
            return Real(0.0, text, span)
        value = float(text)
        # Rounded twice, a decimal near the middle of two float32 would end on the wrong side.
        twice = _nearest(value) if abs(value) < _FLOAT32_LIMIT else math.inf
        return Real(value if twice == nearest else math.nextafter(value, nearest), text, span)
    if text == "r" or text.startswith("r:"):
        return _read_shape(text, span, sink)
    return None


def looks_like_literal(text: str) -> bool:
    """True if `text` would be a number or a shape, were it not a word's name."""
    return bool(_INTEGER.fullmatch(text) or _REAL.fullmatch(text) or text == "r" or text.startswith("r:"))


def looks_like_number(text: str) -> bool:
    """True if `text` starts the way numbers do, here or in other languages."""
    return re.match(r"[+-]?\.?[0-9]", text) is not None


def to_float32(text: str) -> float | None:
    """The float32 nearest to the decimal `text` (ties to even), or None where that is infinite.

    Rounding to float64 first is right but for a decimal so close to the middle of two float32 that its float64 is
    that middle; there the decimal itself is compared with the middle.
    """
    value = float(text)
    size = abs(value)
    if size > _FLOAT32_LIMIT or (size == _FLOAT32_LIMIT and _compared(text, size) >= 0):
        return None
    if size == _FLOAT32_LIMIT:
        size = 2.0**128 - 2.0**104
    low = _toward_zero(size)
    high = struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", low))[0] + 1))[0]
    if high != float("inf") and size == (low + high) / 2 and size != 0.0:
        side = _compared(text, size)
        rounded = low if side < 0 else high if side > 0 else _nearest(size)
    else:
        rounded = _nearest(size)
    return -rounded if text.startswith("-") else rounded


def _compared(text: str, size: float) -> int:
    """The size of the decimal `text` against `size`: -1, 0 or 1."""
    from decimal import Decimal  # here, for next to no number needs it

    return int(Decimal(text).copy_abs().compare(Decimal(size)))  # abs() would round


def _nearest(value: float) -> float:
    result: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return result


def _toward_zero(size: float) -> float:
    """The largest float32 that is not above `size` (finite, at least 0)."""
    near = _nearest(size)
    if near <= size:
        return near
    below: float = struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", near))[0] - 1))[0]
    return below


def _read_integer(text: str, span: Span, sink: Sink) -> Integer:
    digits = text.replace("_", "")
    # The length is looked at first: Python refuses to convert thousands of digits.
    value = int(digits) if len(digits.lstrip("-").lstrip("0")) <= 19 else INTEGER_LIMIT
    if not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
        sink.error(
            "GS124",
            f"the integer `{shorten(text)}` does not fit in 64 bits",
            span,
            help=f"write it as a real, `{shorten(text)}.`, or keep it between -2^63 and 2^63 - 1",
        )
        value = 0
    return Integer(value, span)


def _read_shape(text: str, span: Span, sink: Sink) -> ShapeLiteral:
    dims: list[int | str] = []
    for part, part_span in split_dims(text, span):
        if part in (BATCH, "*"):
            sink.error(
                "GS117",
                f"`{part}` cannot stand in the shape of a value that is made",
                part_span,
                help="a shape literal is the shape of one row; `b` and `*` belong in signatures",
            )
        else:
            dim = read_dim(part, part_span, sink)
            if dim is not None:
                dims.append(dim)
    return ShapeLiteral(tuple(dims), span)


def split_dims(text: str, span: Span) -> list[tuple[str, Span]]:
    """The parts of a type behind its first `:`, each with its place; `span` is the place of `text`."""
    at = span.start
    parts: list[tuple[str, Span]] = []
    for part in text.split(":"):
        parts.append((part, Span(span.source, at, at + max(1, len(part)))))
        at += len(part) + 1
    return parts[1:]


def read_dim(part: str, span: Span, sink: Sink) -> int | str | None:
    """A size of at least 1 or a name, or None after reporting GS116."""
    if _SIZE.fullmatch(part):
        digits = part.replace("_", "").lstrip("0")
        size = int(digits or "0") if len(digits) <= 10 else _SIZE_LIMIT
        if 1 <= size < _SIZE_LIMIT:
            return size
        message = "an axis has at least one element" if size == 0 else f"`{shorten(part)}` is too long for an axis"
        sink.error("GS116", message, span, help="a size is an integer from 1 to 2147483647")
    elif _NAME.fullmatch(part):
        return part
    else:
        what = f"`{part}` is no dimension" if part else "a dimension is missing here"
        wanted = "a dimension is an integer, a CONSTANT or a variable in lower case"
        sink.error("GS116", what, span, help=wanted)
    return None


def shorten(text: str, limit: int = 40) -> str:
    """`text`, its middle left out if it is longer than `limit`; for messages."""
    return text if len(text) <= limit else f"{text[: limit - 8]}…{text[-6:]}"
