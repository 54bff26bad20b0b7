"""Words of Forth, and habits from other languages, that Geode lacks, each with the way to write it here.

In: a name. Out: what to write instead. Invariant: no name in the table is a built-in word.
"""

from __future__ import annotations

_PRINT = "only EVALUATE, PREDICT and the metrics print; `.S` shows the types on the stack while compiling"
_RETURN_STACK = "there is no return stack: put the value in a local, `{ x }`, and name it where it is wanted"
_MEMORY = "there is no memory to address: keep the value in a local, `{ x }`, and change it with `TO x`"
_ARRAY = "there is no memory to lay out: an array is a value, `r:10 ZEROS`, read with `AT` and changed with `PUT`"
_INPUT = "a program reads only its data files: `CSV-INPUT`, `NPY-INPUT`, `TEXT-INPUT`, `TABLE`"
_CASE = "write `IF … ELSE … THEN`, one inside the other"
_COMPILER = "words are made by `:` and `CONSTANT` alone"
_ERRORS = "nothing is thrown: a value that went wrong is a NaN, and a branch can answer it"
_BITS = "numbers are float32: multiply, or divide, by a power of two"
_REAL_WORDS = "the words of arithmetic take integers and reals alike: leave the `F` out"
_TICK = "write `['] NAME`"
_TEXT = 'a string is written `"text"`'

_GROUPS: dict[str, tuple[str, ...]] = {
    _PRINT: (".", "EMIT", "CR", "SPACE", "SPACES", "TYPE", '."', "U.", "F.", ".R", "?", "PRINT", "DUMP"),
    _RETURN_STACK: (">R", "R>", "R@", "2>R", "2R>", "2R@", "UNLOOP"),
    _MEMORY: ("@", "!", "+!", "C@", "C!", "F@", "F!", "2@", "2!", "VARIABLE", "FVARIABLE", "2VARIABLE", "VALUE"),
    _ARRAY: (
        "CREATE",
        "DOES>",
        "ALLOT",
        "HERE",
        ",",
        "C,",
        "F,",
        "ALLOCATE",
        "FREE",
        "CELLS",
        "CELL+",
        "FLOATS",
        "ARRAY",
    ),
    _INPUT: ("KEY", "ACCEPT", "EXPECT", "REFILL", "OPEN-FILE", "READ-FILE", "READ-LINE"),
    _CASE: ("CASE", "OF", "ENDOF", "ENDCASE", "ENDIF"),
    _COMPILER: ("IMMEDIATE", "POSTPONE", "LITERAL", "[", "]", ":NONAME", "DEFER", "IS", "FORGET", "MARKER", "STATE"),
    _ERRORS: ("ABORT", 'ABORT"', "THROW", "CATCH", "QUIT", "BYE"),
    _BITS: ("LSHIFT", "RSHIFT", "<<", ">>"),
    _REAL_WORDS: (
        *("F+", "F-", "F*", "F/", "F<", "F>", "F=", "F0<", "F0=", "FDUP", "FDROP", "FSWAP", "FOVER", "FROT", "FABS"),
        *("FSQRT", "FEXP", "FLN", "FSIN", "FCOS", "FTAN", "FMIN", "FMAX", "FNEGATE", "S>F", "F>S", "D>F", "F>D"),
        *("FLIT", "FCONSTANT", "FROUND", "FFLOOR"),
    ),
    _TICK: ("'", "COMPILE,", ">BODY"),
    _TEXT: ('S"', 'C"', 'S\\"', "CHAR", "[CHAR]"),
}

_SINGLE = {
    "EXIT": "let the rest of the word stand in a branch, `IF … ELSE … THEN`, or leave a counted loop with `LEAVE`",
    "RECURSE": "write a loop: `DO … LOOP`, `BEGIN … f WHILE … REPEAT`, or `n xt TIMES`",
    "AGAIN": "a loop has an end: write `BEGIN … f UNTIL` or `BEGIN … f WHILE … REPEAT`",
    "?DUP": "the stack has one depth at each place: write `DUP 0 <> IF … THEN`",
    "DEPTH": "the depth of the stack is known while compiling; `.S` shows it",
    "ROLL": "name the values with `{ a b c }` and write them in the order wanted",
    "/MOD": "write `2DUP MOD -ROT / FLOOR`",
    "*/": "write `* /`: nothing overflows between them",
    "2CONSTANT": "write two CONSTANTs",
    "INVERT": "for a flag write `NOT`",
    "0<>": "write `0 <>`",
    "0<=": "write `0 <=`",
    "0>=": "write `0 >=`",
    "U<": "numbers have signs: write `<`",
    "U>": "numbers have signs: write `>`",
    "FALOG": "write `10 SWAP POW`",
    "F**": "write `POW`",
    "FLOG": "write `LOG10`",
    "LOG": "write `LN`, `LOG2` or `LOG10`",
    "==": "equality is written `=`",
    "!=": "write `<>`",
    "%": "write `MOD`",
    "**": "write `POW`",
    "^": "write `POW`",
    "&&": "write `AND`",
    "||": "write `OR`",
    "//": "a comment starts with `\\ `; a quotient without its fraction is `/ FLOOR`",
    "#": "a comment starts with `\\ `",
    "--": "`--` belongs in a signature, `( before -- after )`",
    "->": "write `TO name`",
}

INSTEAD: dict[str, str] = {
    **{name: text for text, names in _GROUPS.items() for name in names},
    **_SINGLE,
}
"""What to write instead, by name."""
