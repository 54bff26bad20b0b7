"""GS3xx: the stack, and the types and shapes of what stands on it.

In: nothing. Out: `CODES`. Invariant: every code here is reported while a word is run on a stack of types.
"""

from __future__ import annotations

from geode.codes.code import Code

MAIN = ': MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n'
"""The end of an example: it trains `OBJECTIVE` on rows of four numbers."""

CODES: dict[str, Code] = {
    "GS301": Code(
        "a word does not leave what its signature declares",
        "The signature is checked both ways: the body must really produce the declared values, in number, type and "
        "shape. `declared` and `inferred` show both, the top of the stack last.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n" + MAIN,
    ),
    "GS302": Code(
        "the stack holds too few values",
        "The word takes more values than there are. A word reaches only what its own signature and body put on the "
        "stack, never the values of its caller below them.",
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM + ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM 1 + ;\n" + MAIN,
    ),
    "GS303": Code(
        "a value has the wrong type or shape",
        "What stands on the stack is not what the word takes. `wanted` shows the inputs as the word names them, "
        "`stack` what is there.",
        ": F ( r:4 r:4 -- r ) LOSS-EUCLIDEAN ;\n: OBJECTIVE ( r:b:4 -- r ) DUP 3 LINEAR F SUM ;\n" + MAIN,
        ": F ( r:4 r:4 -- r ) LOSS-EUCLIDEAN ;\n: OBJECTIVE ( r:b:4 -- r ) DUP 4 LINEAR F SUM ;\n" + MAIN,
    ),
    "GS304": Code(
        "two shapes do not combine",
        "Operands of an elementwise word have the same row shape, or one is a scalar, or one's shape ends the other's "
        "(`r:t:d` with `r:d`). Nothing else broadcasts.",
        ": OBJECTIVE ( r:b:4 -- r ) DUP 3 LINEAR + SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) DUP 4 LINEAR + SUM SUM ;\n" + MAIN,
    ),
    "GS305": Code(
        "a size is not a constant, or no size",
        "Sizes are decided while compiling: an integer of at least 1, a CONSTANT, a dimension of the signature, or "
        "arithmetic on them.",
        ": OBJECTIVE ( r:b:4 -- r ) 1.5 LINEAR SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) 2 LINEAR SUM SUM ;\n" + MAIN,
    ),
    "GS306": Code(
        "a reduction of the batch has no place here",
        "SUM of a scalar adds up the batch. That stands in a word that names the batch axis, `( r:b:k -- r )`; a word "
        "of one row, and a scalar that is one for all rows, have no batch to reduce.",
        ": F ( r:4 -- r ) SUM SUM ;\n: OBJECTIVE ( r:b:4 -- r ) F SUM ;\n" + MAIN,
        ": F ( r:4 -- r ) SUM ;\n: OBJECTIVE ( r:b:4 -- r ) F SUM ;\n" + MAIN,
    ),
    "GS307": Code(
        "`TO` stores another type",
        "A local keeps its type: `TO` stores a value of the same row shape, an `n` or `f` widened to `r`. An xt "
        "in a local stays what it is.",
        ": OBJECTIVE ( r:b:4 -- r ) 0 { s } TO s s ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) r:4 ZEROS { s } TO s s SUM SUM ;\n" + MAIN,
    ),
    "GS308": Code(
        "a number where a flag is wanted",
        "AND, OR, XOR, NOT, SELECT and conditions take an `f`, which comparing gives. A number is compared first: "
        "`0 <>`. The other way round, a flag counts as 1 or 0 where an `r` is wanted.",
        ": OBJECTIVE ( r:b:4 -- r ) NOT SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) 0 <> NOT SUM SUM ;\n" + MAIN,
    ),
    "GS309": Code(
        "a place outside an axis",
        "Places on an axis run from 0. A constant outside is refused while compiling; one that is computed gives NaN.",
        ": OBJECTIVE ( r:b:4 -- r ) 4 AT SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) 3 AT SUM ;\n" + MAIN,
    ),
    "GS310": Code(
        "an integer does not fit in 64 bits",
        "Arithmetic of constants `n` is exact, between -2^63 and 2^63 - 1. A larger number is written as a real, with "
        "a point or an exponent.",
        "9223372036854775807 1+ CONSTANT LARGE\n: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n" + MAIN,
        "9223372036854775808.0 CONSTANT LARGE\n: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n" + MAIN,
    ),
    "GS311": Code(
        "a value or a parameter is too large",
        "One value, and one parameter, has at most 2147483647 numbers; a parameter, a table or a row of a file at most 8 axes.",
        ": OBJECTIVE ( r:b:4 -- r ) 2147483647 LINEAR SUM SUM ;\n" + MAIN,
        ": OBJECTIVE ( r:b:4 -- r ) 1000 LINEAR SUM SUM ;\n" + MAIN,
    ),
    "GS312": Code(
        "compiling would not come to an end",
        "Every call is compiled at its own place, at most 100 deep, and at most 250000 words in each stage. A word that "
        "calls another twice, which calls another twice, and so on, doubles the program each time; a word within loops within "
        "each other is run a few times for each of them. What repeats is best a loop, such as TIMES, and no row of calls.",
        ": A0 ( r -- r ) 2* ;\n"
        + "".join(f": A{n} ( r -- r ) A{n - 1} ;\n" for n in range(1, 101))
        + ": OBJECTIVE ( r:b:4 -- r ) SUM A100 SUM ;\n"
        + MAIN,
        ": A0 ( r -- r ) 2* ;\n: OBJECTIVE ( r:b:4 -- r ) SUM 100 ['] A0 TIMES SUM ;\n" + MAIN,
    ),
    "GS313": Code(
        "arithmetic on constants is not finite (a warning)",
        "A quotient by 0, a root or logarithm outside its domain, or a result beyond float32, of numbers that are known while "
        "compiling. Every value computed with it goes wrong. `INF` and `NAN` say that it is meant.",
        "1 0 / CONSTANT K\n: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE K * SUM SUM ;\n" + MAIN,
        "1 2 / CONSTANT K\n: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE K * SUM SUM ;\n" + MAIN,
    ),
}
