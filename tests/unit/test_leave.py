"""LEAVE from inside BEGIN loops does what a plain Python loop does, row by row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from geode.reference.interpret import Batch, evaluate
from geode.settings import FIELDS
from tests.harness.programs import checked, codes


def in_a_loop(x: float) -> float:
    """One BEGIN in a DO."""
    for _ in range(4):
        while True:
            if x > 1:
                return x
            x += 0.7
            if x > 0.9:
                break
        x -= 0.5
    return x


def other_depth(x: float) -> float:
    """The stack is one deeper in the BEGIN than at LEAVE."""
    for turn in range(4):
        count = 5.0
        while True:
            if x > 1.5:
                return 10 * count + x
            count += 1
            if count > 6 + turn:
                break
        x += 1
    return x


def two_deep(x: float) -> float:
    """A BEGIN in a BEGIN, in the condition of WHILE and behind it."""
    for turn in range(3):
        while x < 4:
            while True:
                x += 1
                if x > 2.5:
                    return x + 100 * turn
                if x > turn:
                    break
        x -= 9
    return x


def inner_loop_only(x: float) -> float:
    """LEAVE belongs to the innermost of two counted loops."""
    for outer in range(3):
        for _ in range(2):
            while True:
                if x > outer:
                    break
                x += 0.75
                if x > 3:
                    continue
            break
        x += 1
    return x


def shadow(x: float) -> float:
    """What stands behind the BEGIN is not run by rows that are gone; locals keep what they had."""
    y = x
    for turn in range(5):
        while True:
            y = 2 * y
            if y > 3 + turn:
                return y
            if abs(y) >= 1:
                break
            y += 0.25
        y = -y
    return y + 1000


CASES: dict[str, tuple[Callable[[float], float], str]] = {
    "in-a-loop": (in_a_loop, "x 4 0 DO BEGIN DUP 1 > IF LEAVE THEN 0.7 + DUP 0.9 > UNTIL 0.5 - LOOP"),
    "other-depth": (
        other_depth,
        "x 4 0 DO 5 BEGIN OVER 1.5 > IF 10 * + LEAVE THEN 1+ DUP I 6 + > UNTIL DROP 1+ LOOP",
    ),
    "two-deep": (
        two_deep,
        "x 3 0 DO BEGIN DUP 4 < WHILE BEGIN 1+ DUP 2.5 > IF I 100 * + LEAVE THEN DUP I > UNTIL REPEAT 9 - LOOP",
    ),
    "inner-loop-only": (
        inner_loop_only,
        "x 3 0 DO 2 0 DO BEGIN DUP J > IF LEAVE THEN 0.75 + FALSE UNTIL LOOP 1+ LOOP",
    ),
    "locals": (
        shadow,
        ("x { y } FALSE 5 0 DO BEGIN y 2* TO y y I 3 + > IF DROP TRUE LEAVE THEN "
        "y ABS 1 < NOT DUP NOT IF y 0.25 + TO y THEN UNTIL y NEGATE TO y LOOP y SWAP IF ELSE 1000 + THEN"),
    ),
    "unconditional": (lambda x: x, "x 4 0 DO BEGIN LEAVE TRUE UNTIL 5 + LOOP"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rows_leave_as_in_python(name: str) -> None:
    """Each of 41 rows, to float64's last digits."""
    expected, body = CASES[name]
    program = checked(
        f": OBJECTIVE ( r -- r ) {{ x }} {body} ;\n"
        ': MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 1 CSV-INPUT ALL [\'] ROW TRAIN ;'.replace(
            ": MAIN", ": ROW ( r:1 -- r ) 0 AT OBJECTIVE ;\n: MAIN"
        )
    )
    rows = np.linspace(-3, 3, 41)[:, None]
    settings = {name: field.default for name, field in FIELDS.items()}
    (found,) = evaluate(program.stages[0].root, {}, Batch(len(rows), rows), settings)
    assert np.allclose(found, [expected(float(x)) for x in rows[:, 0]], rtol=1e-6)


def test_the_stack_at_leave_is_that_of_the_loop_that_is_left() -> None:
    """A value too many is told at LEAVE."""
    words = "x 4 0 DO 5 BEGIN OVER 1 > IF LEAVE THEN 1+ DUP 8 > UNTIL DROP LOOP"
    assert codes(f": OBJECTIVE ( r:b:4 -- r ) SUM {{ x }} {words} SUM ;") == ["GS408"]


def test_a_loop_of_the_definition_is_needed() -> None:
    """A BEGIN alone can't be left."""
    assert codes(": OBJECTIVE ( r:b:4 -- r ) SUM BEGIN LEAVE TRUE UNTIL SUM ;") == ["GS405"]
