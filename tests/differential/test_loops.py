"""Loops that rows leave in their own time compute what the interpreter says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.agreement import run_both
from tests.harness.example_program import BASE, DATA, write_rows

NET = ": NET ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;"
LOOPS = {
    # The branch with LEAVE is longer than what stands before it.
    "leave-behind-work": "{ v } v SUM 0 { x n } 5 0 DO n 1+ TO n x v 1 AT + TO x "
    "x 0 > IF x SIN SIN SIN SIN SIN SIN TO x LEAVE THEN LOOP x n +",
    "leave-in-nested-loops": "{ v } 0 { s } 4 0 DO 3 0 DO s v J AT + TO s s 1 > IF LEAVE THEN LOOP "
    "s -1 < IF s 2 / TO s LEAVE THEN LOOP s",
}


@pytest.mark.native
@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS)
def test_a_loop_with_leave_computes_what_the_interpreter_says(body: str, tmp_path: Path) -> None:
    """The scores of two epochs, to 1e-4."""
    write_rows(tmp_path)
    text = f"{NET}\n: OBJECTIVE ( r:4 -- r ) NET {body} ;\n: MAIN ( -- ) {BASE} {DATA} ALL ['] OBJECTIVE TRAIN ;\n"
    assert run_both(text, tmp_path, dtype="float32").differences(0) == []
