"""GS4xx: control words.

In: nothing. Out: `CODES`. Invariant: GS401 to GS404 are reported by the parser, GS405 by the check of names, the
others where a body is run.
"""

from __future__ import annotations

from geode.codes.code import PROGRAM, Code
from geode.codes.stack import MAIN

CODES: dict[str, Code] = {
    "GS401": Code(
        "a control word closes nothing",
        "`THEN` and `ELSE` belong to an `IF`, `LOOP` and `+LOOP` to a `DO`, `UNTIL` and `WHILE` to a "
        "`BEGIN`, `REPEAT` to a `WHILE`.",
        ": F ( r -- r ) 2* THEN ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- r ) DUP 0< IF 2* THEN ;\n" + PROGRAM,
    ),
    "GS402": Code(
        "a control structure is never closed",
        "The definition ends inside `IF`, `DO` or `BEGIN`.",
        ": F ( r f -- r ) IF 2* ;\n: MAIN ( -- ) ;\n",
        ": F ( r f -- r ) IF 2* THEN ;\n" + PROGRAM,
    ),
    "GS403": Code(
        "a control word closes another structure",
        "Structures are closed in the reverse order of their opening, each by its own word; an `IF` has one "
        "`ELSE`, a `BEGIN` one `WHILE`.",
        ": F ( r f -- r ) IF 2* LOOP ;\n: MAIN ( -- ) ;\n",
        ": F ( r f -- r ) IF 2* THEN ;\n" + PROGRAM,
    ),
    "GS404": Code(
        "control structures nest too deeply",
        "At most 100 control words may stand one inside the other in one definition.",
        ": F ( r -- r )" + "\nTRUE IF" * 101 + "\n" + "THEN " * 101 + ";\n: MAIN ( -- ) ;\n",
        ": INNER ( r -- r ) TRUE IF 2* THEN ;\n: F ( r -- r ) TRUE IF INNER THEN ;\n" + PROGRAM,
    ),
    "GS405": Code(
        "`I`, `J` or `LEAVE` outside a counted loop",
        "They belong to the `DO … LOOP` of the same definition, `J` to the one around it. A word that is "
        "called from a loop is given the index.",
        ": F ( -- r ) I ;\n: MAIN ( -- ) ;\n",
        ": F ( -- r ) 0 { s } 3 0 DO s I + TO s LOOP s ;\n" + PROGRAM,
    ),
    "GS406": Code(
        "two branches leave different types",
        "What a branch decided at run time leaves is the same on both sides, an `n` and an `f` widened to `r`. xt, m, s, "
        "data and batch cannot be chosen at run time.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM DUP 0> IF DUP THEN SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM DUP 0> IF NEGATE THEN SUM ;\n" + MAIN,
    ),
    "GS407": Code(
        "a step of 0",
        "`+LOOP` adds its step to the index; with 0 the loop would never end.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO 2* 0 +LOOP SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO 2* 1 +LOOP SUM ;\n" + MAIN,
    ),
    "GS408": Code(
        "a loop's body leaves other types than it found",
        "Each turn starts from what the one before has left, so the body leaves the types that it found, and so does "
        "LEAVE. Carry further values in locals, with TO.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO DUP LOOP SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM 4 0 DO DUP * LOOP SUM ;\n" + MAIN,
    ),
    "GS409": Code(
        "MAIN does not come to an end",
        "MAIN runs while compiling, at most 100000 words of it.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n"
        ': MAIN ( -- ) BEGIN FALSE UNTIL OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n',
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n"
        ': MAIN ( -- ) BEGIN TRUE UNTIL OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n',
    ),
}
