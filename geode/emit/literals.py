"""Numbers and strings -> exact C literals.

In: Python values. Out: C text that the compiler reads back as the very same value.
Invariant: finite floats are written in hexadecimal, so no decimal rounding stands between the two.
"""

from __future__ import annotations

import math
import re

_LARGE = 2**25


def float32_literal(value: float) -> str:
    """A float32 constant; `value` must be one."""
    return _special(value, "f") or f"{_hex(value)}f"


def float64_literal(value: float) -> str:
    """A float64 constant."""
    return _special(value, "") or _hex(value)


def size_literal(value: int) -> str:
    """A count that may be multiplied by the lanes of a tile (at most 48): unsigned long where an int would overflow."""
    return str(value) if value < _LARGE else f"{value}ul"


def string_literal(text: str) -> str:
    """A C string of the text's UTF-8 bytes; all but plain characters as octal escapes, which never run on."""
    parts = [
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode("utf-8")
    ]
    return '"' + "".join(parts) + '"'


def comment_text(text: str) -> str:
    """Text that neither ends the comment that it stands in nor makes a compiler warn: no */, no /*, no trigraph."""
    return re.sub(r"\?(?=\?)", "? ", text.replace("*/", "* /").replace("/*", "/ *"))


def _special(value: float, suffix: str) -> str | None:
    if math.isnan(value):
        return f'__builtin_nan{suffix}("")'
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}__builtin_inf{suffix}()"
    return None


def _hex(value: float) -> str:
    """`0x1.8p+1`; trailing zeros of the fraction dropped."""
    mantissa, exponent = float(value).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}"
