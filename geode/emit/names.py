"""Names: a word of the language as part of a C identifier, and back.

In: any word. Out: letters, digits and underscores only.
Invariant: the mapping is one-to-one; letters and digits stand for themselves, `-` is `_`, every other character is
`xHHHH` or `XHHHHHH` of its code point, and so are the letters x and X themselves and the underscore.
"""

from __future__ import annotations

import re

from geode.graph.graph import Level


def c_identifier(word: str) -> str:
    """`SINE-AE` -> SINE_AE, `1+` -> 1x002b."""
    return "".join(map(_encode, word))


def word_of_identifier(identifier: str) -> str:
    """The word that `c_identifier` made `identifier` from."""
    return re.sub(r"x([0-9a-f]{4})|X([0-9a-f]{6})|_", _decode, identifier)


def function_name(symbol: str, level: Level, number: int = 0) -> str:
    """The C function of a unit at one level, in pass `number` over the batch."""
    return f"{symbol}_{level.name.lower()}" + (f"_{number}" if number else "")


def part_name(symbol: str, part: str) -> str:
    """The C function of one part of a unit's rollout."""
    return f"{symbol}_{part}"


def _encode(char: str) -> str:
    if char == "-":
        return "_"
    if char.isascii() and char.isalnum() and char not in "xX":
        return char
    code = ord(char)
    return f"x{code:04x}" if code < 0x10000 else f"X{code:06x}"


def _decode(match: re.Match[str]) -> str:
    if match.group() == "_":
        return "-"
    return chr(int(match.group(1) or match.group(2), 16))
