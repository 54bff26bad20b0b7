"""GS2xx: names that mean nothing here, or that may not be given.

In: nothing. Out: `CODES`. Invariant: every code here is reported by `geode.syntax.check_names`.
"""

from __future__ import annotations

from geode.codes.code import PROGRAM, Code

CODES: dict[str, Code] = {
    "GS201": Code(
        "an unknown word",
        "The token is no local, no word or CONSTANT defined before, no built-in word, and no number or "
        "shape. Case matters.",
        ": F ( r:4 -- r:2 ) 2 LINAER ;\n: MAIN ( -- ) ;\n",
        ": F ( r:4 -- r:2 ) 2 LINEAR ;\n" + PROGRAM,
    ),
    "GS202": Code(
        "a word is used before it is defined",
        "A program is read from top to bottom, and a name is defined before it is used.",
        ": F ( r -- r ) TWICE ;\n: TWICE ( r -- r ) 2* ;\n: MAIN ( -- ) ;\n",
        ": TWICE ( r -- r ) 2* ;\n: F ( r -- r ) TWICE ;\n" + PROGRAM,
    ),
    "GS203": Code(
        "a definition has the name of a built-in word",
        "Built-in words cannot be redefined, so that every program means the same by them.",
        ": SQUARE ( r -- r ) DUP * ;\n: MAIN ( -- ) ;\n",
        ": SQUARED ( r -- r ) DUP * ;\n" + PROGRAM,
    ),
    "GS204": Code(
        "a name is defined twice",
        "A name has one definition in a program, in whichever file it stands.",
        ": F ( r -- r ) 2* ;\n: F ( r -- r ) 2/ ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- r ) 2* ;\n: G ( r -- r ) 2/ ;\n" + PROGRAM,
    ),
    "GS205": Code(
        "a word calls itself",
        "There is no recursion: what a word needs is known while compiling. Repetition is written as a loop.",
        ": F ( r -- r ) 2/ F ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- r ) BEGIN 2/ DUP 1 < UNTIL ;\n" + PROGRAM,
    ),
    "GS206": Code(
        "a word of Forth that Geode lacks",
        "Geode has no return stack, no memory to address and nothing that prints while a program runs; the "
        "message says how to write it here.",
        ": F ( r -- r ) >R 1 R> + ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- r ) { x } 1 x + ;\n" + PROGRAM,
    ),
    "GS207": Code(
        "a local hides another",
        "A local has another name than every local that is in scope where it is opened.",
        ": F ( r r -- r ) { x } { x } x ;\n: MAIN ( -- ) ;\n",
        ": F ( r r -- r ) { x } { y } y ;\n" + PROGRAM,
    ),
    "GS208": Code(
        "a local has the name of a built-in word",
        "So that a word always means the same; `I`, `J` and `E` are built-in words too.",
        ": F ( r -- r ) { E } E ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- r ) { e } e ;\n" + PROGRAM,
    ),
    "GS209": Code(
        "`TO` of something that is no local",
        "`TO x` stores the top of the stack in the local `x`, which `{ x }` opened before in the same definition.",
        ": F ( r -- ) TO x ;\n: MAIN ( -- ) ;\n",
        ": F ( r -- ) 0 { x } TO x ;\n" + PROGRAM,
    ),
    "GS210": Code(
        "`(SHARED)` of something that is no word of the program",
        "Only a word defined with `:` can be marked.",
        "['] LINEAR (SHARED)\n: MAIN ( -- ) ;\n",
        ": LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n['] LAYER (SHARED)\n" + PROGRAM,
    ),
    "GS211": Code(
        "an unknown dimension",
        "A dimension that is no integer is a CONSTANT defined before or a variable in lower case; in the "
        "shape literals of a body it is a CONSTANT, a variable of the signature, or a local.",
        ": F ( r:HIDDEN -- r ) SUM ;\n: MAIN ( -- ) ;\n",
        "8 CONSTANT HIDDEN\n: F ( r:HIDDEN -- r ) SUM ;\n" + PROGRAM,
    ),
    "GS212": Code(
        "a token of a word that cannot be called",
        "`IF`, `TO`, `CONSTANT` and the like are part of the form of a program; `[']` takes words that could "
        "be called.",
        ": MAIN ( -- ) ['] IF DROP ;\n",
        PROGRAM,
    ),
}
