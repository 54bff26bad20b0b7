"""Kernels over whole values in large units: a function for each kernel and its sizes, which all its calls share.

In: kernel calls; the C text of a unit's functions. Out: calls that give places alone; the functions that the text calls.
Invariant: a function is the kernel with the lanes, strides and sizes of the call as constants, so it computes the same bits.
"""

from __future__ import annotations

import re

from geode.emit.element_steps import address
from geode.emit.statement import CallExpr, Evaluate, Stmt
from geode.loops.loop import KernelCall

_CALLED = re.compile(r"\bapart_([a-z0-9_]+?)_([lu]+)((?:_[0-9]+)*)\(")


def kernel_apart(kernel: KernelCall) -> Stmt:
    """`apart_sort_ll_1_16(out, in);`: l for a value of every lane, u for one that they share, then the sizes."""
    values = (kernel.result, *kernel.args)
    kinds = "".join("u" if value.uniform else "l" for value in values)
    name = "_".join(["apart", kernel.op, kinds, *map(str, kernel.sizes)])
    return Evaluate(CallExpr(name, tuple(map(address, values))))


def kernels_of(text: str) -> list[str]:
    """The functions of the kernels called in `text`, sorted, a line each."""
    return [_function(*call) for call in sorted(set(_CALLED.findall(text)))]


def _function(op: str, kinds: str, sizes: str) -> str:
    given = ", ".join(f"{'const ' if place else ''}float *v{place}" for place in range(len(kinds)))
    views = [f"gs_{'uniform' if kind == 'u' else 'lane'}_view(v{place})" for place, kind in enumerate(kinds)]
    arguments = ", ".join(["1" if kinds[0] == "u" else "GS_LANES", *views, *sizes.split("_")[1:]])
    return f"GS_APART void apart_{op}_{kinds}{sizes}({given}) {{ gs_{op}({arguments}); }}"
