"""The kernels of a program -> device.c, which hands them to the runtime.

In: the kernels' text and their language. Out: the C text that holds it line by line, with the table that gs_device.h wants.
Invariant: the lines joined are the text; no line is longer than a C compiler takes.
"""

from __future__ import annotations

from geode.emit.dialect import Dialect
from geode.emit.literals import string_literal
from geode.emit.template import render_template

_LONGEST = 4000  # bytes of a string literal that every compiler takes


def device_to_c(target: str, kernels: str, dialect: Dialect) -> str:
    """The text of device.c."""
    pieces = [piece for line in kernels.splitlines() for piece in _pieces(line)]
    return render_template(
        "device.c.j2",
        target=string_literal(target),
        api=dialect.api,
        lines="".join(f"    {string_literal(piece)},\n" for piece in pieces),
        count=len(pieces),
    )


def _pieces(line: str) -> list[str]:
    """A line of code, broken at blanks where it is too long: kernels have no line whose breaks mean anything."""
    if len(line) <= _LONGEST:
        return [line]
    cut = line.rindex(" ", 0, _LONGEST)
    return [line[:cut], *_pieces(line[cut + 1 :])]
