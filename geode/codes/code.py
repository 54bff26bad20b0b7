"""What a diagnostic code stands for.

In: written by hand in this package's tables. Out: read by `geode explain`, the documentation and the tests.
Invariant: `example` is a program that fails with the code, `repair` the same program put right, which compiles.
"""

from __future__ import annotations

from geode.record import dataclass

# Parts of examples and repairs: a word and a MAIN that trains it without data, and a word and a MAIN that reads rows.
GOAL = ": GOAL ( -- r ) r PARAM TRAINABLE SQUARE ;\n"
RUN = "OBJECTIVE-LOSS 1 EPISODES ['] GOAL TRAIN ;\n"
PROGRAM = GOAL + ": MAIN ( -- ) " + RUN
OBJECTIVE = ": OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM SUM ;\n"
TRAIN = '  "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n'


@dataclass(frozen=True, slots=True)
class Code:
    """One code: a title of a few words, an explanation of one or two sentences, a small program that fails with it, and
    that program repaired.

    `example` is None where no program text can show the mistake; the explanation then says what does. `defines` are the
    values of `-D` that both are compiled with.
    """

    title: str
    explanation: str
    example: str | None
    repair: str | None = None
    defines: tuple[tuple[str, str], ...] = ()
