"""GS5xx: parameters, layers and shared weights.

In: nothing. Out: `CODES`. Invariant: every code here is reported while a word is run on a stack of types.
"""

from __future__ import annotations

from geode.codes.code import Code
from geode.codes.stack import MAIN

CODES: dict[str, Code] = {
    "GS501": Code(
        "INIT or TRAINABLE reaches no parameter",
        "An INIT word and TRAINABLE reach the layer that a parameter word has just made, also through words that "
        "declare `<layer>`. Any other word, a local or a stack word closes it; the message names that word.",
        ": OBJECTIVE ( r:b:4 -- r ) 3 LINEAR RELU TRAINABLE SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) 3 LINEAR TRAINABLE RELU SUM SUM ;\n" + MAIN,
    ),
    "GS502": Code(
        "INIT of a parameter with one axis",
        "INIT-HE, INIT-XAVIER, INIT-LECUN and INIT-ORTHOGONAL need the fan of a matrix or of filters: at least two "
        "axes. INIT-NORMAL, INIT-UNIFORM and INIT-CONSTANT set any parameter.",
        ": OBJECTIVE ( r:b:4 -- r ) r:4 PARAM INIT-HE TRAINABLE * SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) r:4 PARAM 0.5 INIT-NORMAL TRAINABLE * SUM SUM ;\n" + MAIN,
    ),
    "GS503": Code(
        "calls of a SHARED word differ",
        "All calls of a word that is SHARED use one set of weights, so each gives it the same row shapes and the same "
        "constants.",
        ": L ( <layer> n -- <layer> ) LINEAR TRAINABLE ; SHARED\n: OBJECTIVE ( r:b:4 -- r ) 4 L 3 L SUM SUM ;\n" + MAIN,
        ": L ( <layer> n -- <layer> ) LINEAR TRAINABLE ; SHARED\n: OBJECTIVE ( r:b:4 -- r ) 4 L 4 L SUM SUM ;\n" + MAIN,
    ),
    "GS504": Code(
        "a parameter has another shape in another stage",
        "A stage takes over the weights that an earlier one trained, by name. The same name with another shape would "
        "be another parameter.",
        ": O ( r:k -- r ) 3 LINEAR TRAINABLE SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n"
        '  "a.csv" 4 CSV-INPUT ALL [\'] O TRAIN\n  "b.csv" 5 CSV-INPUT ALL [\'] O TRAIN ;\n',
        ": O ( r:k -- r ) 3 LINEAR TRAINABLE SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n"
        '  "a.csv" 4 CSV-INPUT ALL [\'] O TRAIN\n  "b.csv" 4 CSV-INPUT ALL [\'] O TRAIN ;\n',
    ),
    "GS505": Code(
        "a stage's word has several sets of weights",
        "EVALUATE, PREDICT and a later TRAIN take over the weights of their word's one instance in the trained program. "
        "Where the word is called at several places, each with weights of its own, none of them is meant.",
        ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n: O ( r:4 -- r ) L L SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n"
        '  "rows.csv" 4 CSV-INPUT { d } d ALL [\'] O TRAIN d [\'] L "out.csv" PREDICT ;\n',
        ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ; SHARED\n: O ( r:4 -- r ) L L SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n"
        '  "rows.csv" 4 CSV-INPUT { d } d ALL [\'] O TRAIN d [\'] L "out.csv" PREDICT ;\n',
    ),
    "GS506": Code(
        "no stage has trained these weights",
        "A word that is evaluated or used to predict takes over weights by name, and one of its names is not among the "
        "trained ones. A word that is SHARED has the same name wherever it is called.",
        ": O ( r:4 -- r ) 4 LINEAR TRAINABLE SUM ;\n: P ( r:4 -- r ) 4 LINEAR TRAINABLE 2 LINEAR TRAINABLE SUM ;\n"
        ": MAIN ( -- ) OBJECTIVE-LOSS\n"
        "  \"rows.csv\" 4 CSV-INPUT { d } d ALL ['] O TRAIN d ALL ['] P EVALUATE ;\n",
        ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ; SHARED\n: O ( r:4 -- r ) L SUM ;\n: P ( r:4 -- r ) L 2 * SUM ;\n"
        ": MAIN ( -- ) OBJECTIVE-LOSS\n"
        "  \"rows.csv\" 4 CSV-INPUT { d } d ALL ['] O TRAIN d ALL ['] P EVALUATE ;\n",
    ),
    "GS507": Code(
        "`~` of a word without weights of its own",
        "`~` makes an instance with a set of weights of its own. A SHARED word has one set for all its calls, a built-in "
        "word has none to tie.",
        ": OBJECTIVE ( r:b:4 -- r ) ['] ABS ~ { w } w SUM SUM ;\n" + MAIN,
        ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n: OBJECTIVE ( r:b:4 -- r ) ['] L ~ { w } w w SUM SUM ;\n" + MAIN,
    ),
}
