"""Programs of many words, for what compiling costs.

In: how many definitions. Out: program text in which every word is called once: plain words of a few operations, words
that call them, one in twenty with a layer. Invariant: the text depends on the count alone; values stay of moderate size.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

GROUP = 9  # plain words under one word that calls them
_SECTION = 10  # groups under one word

_BODIES = (
    "{ x } x SIN x 0.5 * +",
    "DUP TANH SWAP 0.25 * -",
    "{ x } x ABS 1+ LN x + 2/",
    "DUP 0> IF 0.5 * ELSE 0.25 * THEN",
    "{ x } 0 { s } 3 0 DO s x I + 0.1 * SIN + TO s LOOP s",
    "BEGIN DUP ABS 2 > WHILE 2/ REPEAT",
    "{ x } x -1 1 CLAMP x SQUARE 4 MIN 0.125 * +",
    "{ x } x 3 VEC 0.3 * DUP SUM SWAP AMAX - ".replace("x 3 VEC", "x x 1+ x 2/ 3 VEC"),
)


def large_program(words: int) -> str:
    """A program of `words` definitions besides OBJECTIVE and MAIN that reads rows of four numbers."""
    random = Random(words)
    lines: list[str] = []
    groups: list[str] = []
    made = 0
    while made < words:
        plain = min(GROUP, words - made - 1)
        names = [f"W{made + k}" for k in range(plain)]
        layer = len(groups) % 2 == 0 and plain > 0
        for place, name in enumerate(names):
            if layer and place == 0:
                lines.append(f": {name} ( r -- r ) 4 IOTA * 3 LINEAR TRAINABLE TANH SUM ;")
            else:
                lines.append(f": {name} ( r -- r ) {random.choice(_BODIES)} ;")
        groups.append(f"G{len(groups)}")
        lines.append(f": {groups[-1]} ( r -- r ) {' '.join(names)} ;")
        made += plain + 1
    sections = [groups[k : k + _SECTION] for k in range(0, len(groups), _SECTION)]
    calls = " ".join(" ".join(section) for section in sections)
    lines.append(f": OBJECTIVE ( r:b:4 -- r ) SUM {calls} SQUARE MEAN ;")
    lines.append(
        ': MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION .METRICS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;'
    )
    return "\n".join([*lines, ""])


def deep_loops(depth: int) -> str:
    """WORD ( r -- r ) with `depth` loops of two turns in each other, counted ones and others: 2^depth times its input, added
    up in a local that is a number until the innermost turn has been seen; rows past 1e9 LEAVE."""
    body = "s x + TO s"
    for level in range(depth):
        body = f"2 0 DO {body} s 1e9 > IF LEAVE THEN LOOP" if level % 2 else f"0 BEGIN {body} 1+ DUP 1 > UNTIL DROP"
    return f": WORD ( r -- r ) {{ x }} 0 {{ s }} {body} s ;"


def many_locals(count: int) -> str:
    """SUMS ( r -- r ) with `count` locals, the first its input and each other one more than the one before: their sum."""
    names = [f"v{k}" for k in range(count)]
    made = [f"{before} 1+ {{ {name} }}" for before, name in pairwise(names)]
    return f": SUMS ( r -- r ) {{ v0 }} {' '.join(made)} {' '.join(names)} {'+ ' * (count - 1)};"
