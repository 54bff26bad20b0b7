"""A root's functions under the boundary's one signature.

In: a function of a unit and the inputs and outputs that it takes. Out: the text of a static function of program.c.
Invariant: an input is the tile of the data row, an output the next element of `out`.
"""

from __future__ import annotations

from collections.abc import Sequence

from geode.emit.literals import size_literal

_ARGUMENTS = (
    "const struct gs_tile_context *tile, const struct gs_instance *self, float *run, float *epoch, float *pair, "
    "float *scratch, const float *row, float *out"
)


def adapter(name: str, called: str, inputs: Sequence[int], outputs: Sequence[int]) -> str:
    """The function `name` that calls `called`."""
    arguments = ["tile", "self", "run", "epoch", "pair", "scratch", *("row" for _ in inputs)]
    arguments += [f"out + {size_literal(k)} * GS_LANES" if k else "out" for k in outputs]
    unused = [argument for argument, used in (("row", inputs), ("out", outputs)) if not used]
    lines = [f"static void {name}({_ARGUMENTS}) {{"]
    lines += [f"    (void){argument};" for argument in unused]
    lines += [f"    {called}({', '.join(arguments)});", "}", ""]
    return "\n".join(lines)


def lanes(elements: int) -> str:
    """How many floats `elements` numbers take in a tile."""
    return f"{size_literal(elements)} * GS_LANES" if elements else "0"
