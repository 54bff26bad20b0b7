"""Random objectives of several passes: values of every row and numbers of the batch, each made of earlier ones.

In: a seed. Out: a word `( r:b:4 -- r )` that reduces the batch again and again. Invariant: the text depends on the seed
alone; values stay finite and of moderate size, and every score depends on the weights, so that scores compare.
"""

from __future__ import annotations

from random import Random

_UNARY = ("TANH", "SIN", "ABS", "NEGATE", "2/", "SQUARE 9 MIN", "RELU", "SIGMOID", "1+", "ABS 1+ RECIP", "ABS 1+ LN")
_BRANCHES = (
    "DUP 0> IF 2/ ELSE SIN THEN",
    "3 0 DO 0.5 * I + COS LOOP",
    "BEGIN DUP ABS 1 > WHILE 2/ REPEAT",
    "DUP ABS 3 MIN 0 DO 0.5 + LOOP",
)
_BINARY = ("+", "-", "MIN", "MAX", "* -9 9 CLAMP", "ABS 1+ /", "2DUP < SELECT")
_BATCH = ("MEAN", "SUM 0.01 *", "AMAX", "AMIN", "ABS 1 MIN 1 MAX PRODUCT")
_STEPS = 14


def random_objective(seed: int, name: str) -> str:
    """The definition of OBJECTIVE-name and of the words that it calls."""
    random = Random(seed)
    rows = ["x 0 AT", "x 1 AT", "y 0 AT", "y 2 AT", "x SUM 0.3 *", "y SUM 0.3 *"]  # what gives a number of every row
    batch: list[str] = []  # what gives one number
    words = ["{ x } x " + f"NET-{name} " + "{ y }"]

    def keep(values: list[str], text: str) -> None:
        local = f"v{len(words)}"
        words.append(f"{text} {{ {local} }}")
        values.append(local)

    for _ in range(random.randint(4, _STEPS)):
        kind = random.randrange(8)
        a, b = random.choice(rows), random.choice(rows)
        if kind == 0:
            keep(rows, f"{a} {random.choice(_UNARY)}")
        elif kind == 1:
            keep(rows, f"{a} {b} {random.choice(_BINARY)}")
        elif kind == 2:
            keep(rows, f"{a} {random.choice(_BRANCHES)}")
        elif kind == 3:
            keep(rows, f"{a} {b} 2 VEC {random.randint(1, 3)} LINEAR{random.choice(('', ' TRAINABLE'))} TANH SUM")
        elif kind == 4:
            keep(rows, f"{a} DUP MEAN - DUP SQUARE MEAN 0.1 + SQRT /")
        elif kind == 5 and batch:
            keep(rows, f"{a} {random.choice(batch)} {random.choice(_BINARY)}")
        elif kind == 6 and len(batch) > 1:
            keep(batch, f"{random.choice(batch)} {random.choice(batch)} {random.choice(_BINARY)}")
        else:
            keep(batch, f"{a} {random.choice(_BATCH)}")
    end = " ".join(
        [
            f"{rows[-1]} MEAN",
            f"{random.choice(rows)} SUM 0.01 * +",
            "y SUM TANH MEAN +",
            *(f"{b} +" for b in batch[-3:]),
        ]
    )
    return (
        f": NET-{name} ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n"
        f": BATCH-{name} ( r:b:4 -- r ) {' '.join(words)} {end} ;\n"
        f": OBJECTIVE-{name} ( r:b:4 -- r ) BATCH-{name} ;"
    )
