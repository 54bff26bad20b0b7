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
_TEXT = 'a string is written `"text"`; nothing takes it apart'
_DOUBLE = "there are no double numbers: an `n` has 64 bits, an `r` is a float32; leave out the D, M or U"
_SYSTEM = "a program neither waits nor asks for the time; `TIME-LIMIT` ends training"
_CONDITION = "write `IF`: a condition known while compiling, of CONSTANTs, is decided there"
_LOCALS = "locals are written `{ a b c }`, the last one was on top"
_INCLUDE = 'write `INCLUDE "file.gs"` at the top level; a file is read once'

# What to write, and the names that get this answer.
_GROUPS: dict[str, str] = {
    _PRINT: """
        . EMIT CR SPACE SPACES TYPE ." U. F. .R ? PRINT DUMP U.R D. D.R .( SEE WORDS FE. FS. PAGE AT-XY # #S #> <#
        HOLD HOLDS
    """,
    _RETURN_STACK: """
        >R R> R@ 2>R 2R> 2R@ UNLOOP RDROP N>R NR>
    """,
    _MEMORY: """
        @ ! +! C@ C! F@ F! 2@ 2! VARIABLE FVARIABLE 2VARIABLE +TO 2VALUE FVALUE SF! SF@ DF! DF@
    """,
    _ARRAY: """
        CREATE DOES> ALLOT HERE , C, F, ALLOCATE FREE CELLS CELL+ FLOATS ARRAY ALIGN ALIGNED CELL CHAR+ CHARS FLOAT+
        FALIGN FALIGNED SFLOATS DFLOATS SFALIGN SFALIGNED SFLOAT+ DFALIGN DFALIGNED DFLOAT+ BUFFER: RESIZE PAD UNUSED
        ERASE MOVE CMOVE CMOVE> BLANK BEGIN-STRUCTURE END-STRUCTURE FIELD: +FIELD
    """,
    _INPUT: """
        KEY ACCEPT EXPECT REFILL OPEN-FILE READ-FILE READ-LINE KEY? EKEY QUERY SOURCE SOURCE-ID SAVE-INPUT
        RESTORE-INPUT >IN PARSE PARSE-NAME WORD TIB #TIB SPAN CLOSE-FILE CREATE-FILE WRITE-FILE WRITE-LINE R/O W/O R/W
        BIN FILE-SIZE
    """,
    _CASE: """
        CASE OF ENDOF ENDCASE ENDIF
    """,
    _COMPILER: """
        IMMEDIATE POSTPONE LITERAL [ ] :NONAME DEFER IS FORGET MARKER STATE COMPILE [COMPILE] SLITERAL 2LITERAL
        FLITERAL DEFER! DEFER@ ACTION-OF FIND SYNONYM NAME>STRING NAME>INTERPRET TRAVERSE-WORDLIST DEFINITIONS FORTH
        ONLY ALSO ORDER PREVIOUS GET-CURRENT SET-CURRENT GET-ORDER SET-ORDER WORDLIST SEARCH-WORDLIST ENVIRONMENT?
        AHEAD CS-PICK CS-ROLL
    """,
    _ERRORS: """
        ABORT ABORT" THROW CATCH QUIT BYE
    """,
    _BITS: """
        LSHIFT RSHIFT << >>
    """,
    _REAL_WORDS: """
        F+ F- F* F/ F< F> F= F0< F0= FDUP FDROP FSWAP FOVER FROT FABS F~ FDEPTH FTUCK FNIP FTRUNC FASIN FACOS FATAN
        FATAN2 FSINH FCOSH FTANH F<> F0> F2* F2/ F1+ F.R FCEIL FSGN FSQRT FEXP FLN FSIN FCOS FTAN FMIN FMAX FNEGATE
        S>F F>S D>F F>D FLIT FCONSTANT FROUND FFLOOR
    """,
    _TICK: """
        ' COMPILE, >BODY
    """,
    _TEXT: """
        S" C" S\\" CHAR [CHAR] COUNT -TRAILING /STRING COMPARE SEARCH >NUMBER >FLOAT CONVERT BL SUBSTITUTE REPLACES
        UNESCAPE REPRESENT
    """,
    _DOUBLE: """
        S>D D>S D+ D- D< D= D0< D0= D2* D2/ DABS DMAX DMIN DNEGATE DU< M+ M* UM* UMIN UMAX 2ROT
    """,
    _SYSTEM: """
        MS TIME&DATE UTIME
    """,
    _CONDITION: """
        [IF] [ELSE] [THEN] [DEFINED] [UNDEFINED]
    """,
    _LOCALS: """
        LOCALS| {: :} (LOCAL)
    """,
    _INCLUDE: """
        INCLUDED REQUIRE REQUIRED INCLUDE-FILE LOAD
    """,
}

_SINGLE = {
    "EXIT": "let the rest of the word stand in a branch, `IF … ELSE … THEN`, or leave a counted loop with `LEAVE`",
    "VALUE": "what stays is a CONSTANT, `5 CONSTANT NAME`; what changes is a local, `{ x }`, which `TO x` changes",
    "RECURSE": "write a loop: `DO … LOOP`, `BEGIN … f WHILE … REPEAT`, or `n xt TIMES`",
    "AGAIN": "a loop has an end: write `BEGIN … f UNTIL` or `BEGIN … f WHILE … REPEAT`",
    "?DUP": "the stack has one depth at each place: write `DUP 0 <> IF … THEN`",
    "DEPTH": "the depth of the stack is known while compiling; `.S` shows it",
    "ROLL": "name the values with `{ a b c }` and write them in the order wanted",
    "/MOD": "write `2DUP MOD -ROT / FLOOR`",
    "*/MOD": "write `*`, then `2DUP MOD -ROT / FLOOR`",
    "FM/MOD": "write `2DUP MOD -ROT / FLOOR`",
    "SM/REM": "write `2DUP / TRUNC`; what is left over is the first less the quotient times the second",
    "UM/MOD": "write `2DUP MOD -ROT / FLOOR`",
    "M*/": "write `* /`",
    "FSINCOS": "write `DUP SIN SWAP COS`",
    "FEXPM1": "write `EXP 1-`",
    "FLNP1": "write `1+ LN`",
    "FASINH": "write `DUP SQUARE 1+ SQRT + LN`",
    "FACOSH": "write `DUP SQUARE 1- SQRT + LN`",
    "FATANH": "write `DUP 1+ SWAP NEGATE 1+ / LN 2/`",
    "BASE": "numbers are written in decimal digits",
    "DECIMAL": "numbers are written in decimal digits",
    "HEX": "numbers are written in decimal digits",
    "BOUNDS": "write `OVER + SWAP`",
    "PRECISION": "PREDICT and the metrics print nine digits, which is all that a float32 holds",
    "SET-PRECISION": "PREDICT and the metrics print nine digits, which is all that a float32 holds",
    "RANDOM": "write `RAND` or `RANDN`, or `MEMBER-RANDN` for luck that differs by member",
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
    **{name: text for text, names in _GROUPS.items() for name in names.split()},
    **_SINGLE,
}
"""What to write instead, by name."""
