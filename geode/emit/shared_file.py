"""The text of a C file that compiles those of several units.

In: their symbols. Out: a line for each. Invariant: needs nothing of the compiler, for builds that emit nothing use it.
"""

from __future__ import annotations

from collections.abc import Iterable


def shared_file(symbols: Iterable[str]) -> str:
    """The C text that includes the files of the units `symbols`, which lie beside it."""
    return "".join(f'#include "{symbol}.c"\n' for symbol in symbols)
