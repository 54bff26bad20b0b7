"""Every diagnostic code: GS1xx text, 2xx names, 3xx stack and shape, 4xx control, 5xx parameters, 6xx settings and
stages, 9xx the compiler itself.

In: one table a file. Out: `CODES`, in ascending order. Invariant: a code stands in the table of its hundred.
"""

from __future__ import annotations

from geode.codes import control, internal, names, stages, text
from geode.codes.code import Code

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = dict(
    sorted({**text.CODES, **names.CODES, **control.CODES, **stages.CODES, **internal.CODES}.items())
)
