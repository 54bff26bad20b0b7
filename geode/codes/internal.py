"""GS9xx: faults of the compiler itself. No program is to blame for one.

In: nothing. Out: `CODES`. Invariant: these are carried by `InternalError`, never by a `Diagnostic`.
"""

from __future__ import annotations

from geode.codes.code import Code

CODES: dict[str, Code] = {
    "GS901": Code(
        "the compiler broke one of its own rules",
        "A stage made a form that its verifier refuses. Please report the program that shows it.",
        None,
    ),
}
