"""GS4xx: control words.

In: nothing. Out: `CODES`. Invariant: GS401 to GS404 are reported by the parser, GS405 by the check of names.
"""

from __future__ import annotations

from geode.codes.code import Code

CODES: dict[str, Code] = {
    "GS401": Code(
        "a control word closes nothing",
        "`THEN` and `ELSE` belong to an `IF`, `LOOP` and `+LOOP` to a `DO`, `UNTIL` and `WHILE` to a "
        "`BEGIN`, `REPEAT` to a `WHILE`.",
        ": F ( r -- r ) 2* THEN ;\n: MAIN ( -- ) ;\n",
    ),
    "GS402": Code(
        "a control structure is never closed",
        "The definition ends inside `IF`, `DO` or `BEGIN`.",
        ": F ( r f -- r ) IF 2* ;\n: MAIN ( -- ) ;\n",
    ),
    "GS403": Code(
        "a control word closes another structure",
        "Structures are closed in the reverse order of their opening, each by its own word; an `IF` has one "
        "`ELSE`, a `BEGIN` one `WHILE`.",
        ": F ( r f -- r ) IF 2* LOOP ;\n: MAIN ( -- ) ;\n",
    ),
    "GS404": Code(
        "control structures nest too deeply",
        "At most 100 control words may stand one inside the other in one definition.",
        ": F ( r -- r )\n" + "TRUE IF " * 101 + "\n" + "THEN " * 101 + ";\n: MAIN ( -- ) ;\n",
    ),
    "GS405": Code(
        "`I`, `J` or `LEAVE` outside a counted loop",
        "They belong to the `DO … LOOP` of the same definition, `J` to the one around it. A word that is "
        "called from a loop is given the index.",
        ": F ( -- r ) I ;\n: MAIN ( -- ) ;\n",
    ),
}
