"""GS6xx: settings and stages.

In: nothing. Out: `CODES`. Invariant: every code here is about `MAIN` or a word that it calls.
"""

from __future__ import annotations

from geode.codes.code import Code

CODES: dict[str, Code] = {
    "GS601": Code(
        "there is no `MAIN`",
        "Execution starts at the word `MAIN`, which sets the settings, reads the data and trains.",
        ": F ( r -- r ) 2* ;\n",
    ),
}
