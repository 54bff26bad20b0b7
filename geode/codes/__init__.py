"""Every diagnostic code: GS1xx text, 2xx names, 3xx stack and shape, 4xx control, 5xx parameters, 6xx settings and
stages, 9xx the compiler itself.

In: one table a file. Out: `CODES`, in ascending order. Invariant: a code stands in the table of its hundred.
"""

from __future__ import annotations

from geode.codes import control, internal, names, parameters, stack, stages, text
from geode.codes.code import Code

__all__ = ["CODES", "Code"]

_TABLES = (text, names, stack, control, parameters, stages, internal)

CODES: dict[str, Code] = dict(sorted((code, entry) for table in _TABLES for code, entry in table.CODES.items()))
