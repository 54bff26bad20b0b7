"""Deep programs: the stages call themselves for calls in calls and control words in control words.

In: code to be run. Out: the same code with room for the deepest program that the limits of the language allow to be
of use, and a diagnostic for one that is deeper still. Invariant: no program ends in a RecursionError.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from geode.diagnostics import CompileErrors, Diagnostic

_DEPTH = 10_000  # calls 100 deep, each inside 20 control words


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Runs the block with a larger stack; raises CompileErrors (GS312) where that is too small."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    except RecursionError:
        message = "calls and control words stand too deep in each other"
        raise CompileErrors([Diagnostic("GS312", message, None)]) from None
    finally:
        sys.setrecursionlimit(before)
