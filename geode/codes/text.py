"""GS1xx: mistakes in the text itself, found before anything is known about what words mean.

In: nothing. Out: `CODES`. Invariant: every code here is reported by a stage of `geode.syntax`.
"""

from __future__ import annotations

from geode.codes.code import GOAL, OBJECTIVE, PROGRAM, RUN, TRAIN, Code

CODES: dict[str, Code] = {
    "GS101": Code(
        "the file is not UTF-8",
        "A program is a UTF-8 file. The message names the first byte that is not part of one; a file saved "
        "as Latin-1 or UTF-16, or a binary file, has such bytes. Save it as UTF-8.",
        None,
    ),
    "GS102": Code(
        "a string is never closed",
        'A string starts with `"` and ends with the next `"` on the same line. A quote inside is written `\\"`.',
        ': MAIN ( -- ) "data.csv ;\n',
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS103": Code(
        "an unknown escape in a string",
        'A backslash in a string stands before `"` or another backslash. There is no escape for a line feed or a tab.',
        ': MAIN ( -- ) "data\\new.csv" DROP ;\n',
        OBJECTIVE + ': MAIN ( -- ) OBJECTIVE-LOSS "data/new.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n',
    ),
    "GS104": Code(
        "a comment is never closed",
        "A comment that starts with `( ` runs to the next `)` with white space on both sides; `(so)` does "
        "not close it.",
        ": MAIN ( -- ) ( the end) ;\n",
        GOAL + ": MAIN ( -- ) ( the end ) " + RUN,
    ),
    "GS105": Code(
        "something touches the end of a string",
        "Tokens are separated by white space, and the end of a string ends a token.",
        ': MAIN ( -- ) "data.csv"4 CSV-INPUT DROP ;\n',
        OBJECTIVE + ': MAIN ( -- ) OBJECTIVE-LOSS "data.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n',
    ),
    "GS106": Code(
        "a character that cannot be seen",
        "Only spaces, tabs and line ends separate tokens. A no-break space or a control character, often "
        "copied from a web page, would be part of a name without anyone seeing it.",
        ": MAIN ( -- ) 2 \u00a0DROP ;\n",
        GOAL + ": MAIN ( -- ) 2 DROP " + RUN,
    ),
    "GS107": Code(
        "a file cannot be read",
        "The program's file, or one that it includes, is missing, is a folder or may not be read.",
        'INCLUDE "no/such/file.gs"\n: MAIN ( -- ) ;\n',
        "INCLUDE <nn>\n" + PROGRAM,
    ),
    "GS110": Code(
        "something outside any definition",
        "At the top level stand definitions, `value CONSTANT NAME`, `['] NAME (SHARED)`, INCLUDE and a target. What a "
        "program does stands in `MAIN` and the words that it calls.",
        "2 3 +\n: MAIN ( -- ) ;\n",
        "2 3 + CONSTANT SIZE\n" + PROGRAM,
    ),
    "GS111": Code(
        "a name is missing",
        "`:`, `CONSTANT`, `[']` and `TO` are followed by a name.",
        ": MAIN ( -- ) 2 TO ;\n",
        GOAL + ": MAIN ( -- ) 1 { x } 2 TO x " + RUN,
    ),
    "GS112": Code(
        "a definition has no signature",
        "Directly after the name of a definition stands its signature, `( before -- after )`: what the word "
        "takes from the stack and what it leaves.",
        ": MAIN ;\n",
        PROGRAM,
    ),
    "GS113": Code(
        "a signature is badly formed",
        "A signature is `(`, types, one `--`, types and `)`, with white space around each.",
        ": MAIN ( ) ;\n",
        PROGRAM,
    ),
    "GS114": Code(
        "an unknown type in a signature",
        "The types are `r` and `f` (a float32 and a flag, with dimensions `r:28:28`), `n` (an integer), "
        "`xt`, `s`, `data`, `batch` and `<layer>`. A label goes before the type: `size:n`.",
        ": HALF ( real -- r ) 2 / ;\n: MAIN ( -- ) ;\n",
        ": HALF ( r -- r ) 2 / ;\n" + PROGRAM,
    ),
    "GS115": Code(
        "the batch axis does not stand first",
        "`b` is the batch axis. It stands first in a shape, `r:b:100`, or not at all; no other dimension has its name.",
        ": LOSS ( r:100:b -- r ) SUM SUM ;\n: MAIN ( -- ) ;\n",
        ": LOSS ( r:b:100 -- r ) SUM SUM ;\n" + PROGRAM,
    ),
    "GS116": Code(
        "a dimension is badly formed",
        "A dimension is an integer of at least 1, a CONSTANT, or a variable in lower case. `*` is a whole "
        "row shape: `r:*`.",
        ": EMPTY ( -- r:0 ) r:1 ZEROS ;\n: MAIN ( -- ) ;\n",
        ": ONE ( -- r:1 ) r:1 ZEROS ;\n" + PROGRAM,
    ),
    "GS117": Code(
        "a shape literal with a batch axis or a star",
        "A shape literal in a body is the shape of one row that is to be made. The batch is not made by a "
        "word: a value without batch axis combines with every row.",
        ": MAIN ( -- ) r:b:3 ZEROS DROP ;\n",
        ": NOTHING ( -- r:3 ) r:3 ZEROS ;\n" + PROGRAM,
    ),
    "GS118": Code(
        "`;` is missing",
        "A definition runs to `;`. A second `:` or the end of the file came first.",
        ": MAIN ( -- ) 2 DROP\n",
        GOAL + ": MAIN ( -- ) 2 DROP " + RUN,
    ),
    "GS119": Code(
        "a word for the top level inside a definition",
        "CONSTANT, INCLUDE, SHARED and the targets stand outside definitions.",
        ": MAIN ( -- ) 8 CONSTANT HIDDEN ;\n",
        "8 CONSTANT HIDDEN\n" + PROGRAM,
    ),
    "GS120": Code(
        "`SHARED` in the wrong place",
        "`SHARED` stands directly after the `;` of the definition that it marks. Elsewhere `['] NAME "
        "(SHARED)` marks a word.",
        "SHARED\n: MAIN ( -- ) ;\n",
        ": LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ; SHARED\n" + PROGRAM,
    ),
    "GS121": Code(
        "`INCLUDE` without a file",
        '`INCLUDE` is followed by a file\'s name, `"file.gs"`, or by a bundled library, `<nn>`.',
        "INCLUDE file.gs\n: MAIN ( -- ) ;\n",
        "INCLUDE <nn>\n" + PROGRAM,
    ),
    "GS122": Code(
        "a list of locals is badly formed",
        "`{ a b c }` holds at least one name and nothing else; it takes one value from the stack for each.",
        ": MAIN ( -- ) 2 { } DROP ;\n",
        GOAL + ": MAIN ( -- ) 2 { x } " + RUN,
    ),
    "GS123": Code(
        "a real is beyond float32",
        "Reals are float32: the largest is 3.4028235e38. A literal that rounds to infinity is a mistake; "
        "infinity is `INF`.",
        ": MAIN ( -- ) 1e39 DROP ;\n",
        GOAL + ": MAIN ( -- ) 1e38 DROP " + RUN,
    ),
    "GS124": Code(
        "an integer is too large",
        "An integer is kept exactly, in 64 bits with sign.",
        ": MAIN ( -- ) 9_223_372_036_854_775_808 DROP ;\n",
        GOAL + ": MAIN ( -- ) 9_223_372_036_854_775_807 DROP " + RUN,
    ),
    "GS125": Code(
        "`CONSTANT` without a value",
        "The value stands before it: an integer, a real or a string, or arithmetic on literals and CONSTANTs.",
        "CONSTANT HIDDEN 8\n: MAIN ( -- ) ;\n",
        "8 CONSTANT HIDDEN\n" + PROGRAM,
    ),
    "GS126": Code(
        "a bracket that closes nothing",
        "`}` closes a list of locals, `)` a comment or a signature; nothing is open here.",
        ": MAIN ( -- ) 2 DROP ) ;\n",
        GOAL + ": MAIN ( -- ) 2 DROP " + RUN,
    ),
    "GS127": Code(
        "more than one target",
        "A program names one target, `TARGET-CPU`, `TARGET-APPLE-METAL` or `TARGET-CUDA`, or none, which is `TARGET-CPU`.",
        "TARGET-CPU\nTARGET-APPLE-METAL\n: MAIN ( -- ) ;\n",
        "TARGET-CPU\n" + PROGRAM,
    ),
    "GS128": Code(
        "a file includes itself",
        "A file is read once, however often it is included; but one that includes itself, perhaps through "
        "others, would need its own words before they are defined.",
        'INCLUDE "example.gs"\n: MAIN ( -- ) ;\n',
        PROGRAM,
    ),
}
