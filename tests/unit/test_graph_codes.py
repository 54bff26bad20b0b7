"""The codes that are reported behind the front end: the example of each fails with it, through the whole pipeline."""

from __future__ import annotations

import pytest

from geode.codes import CODES
from geode.diagnostics import CompileErrors
from geode.pipeline import compile_program
from geode.source import Source

WARNINGS = {"GS313", "GS614", "GS615", "GS616", "GS617"}
BEHIND = [code for code in CODES if (code[2] in "356" or "GS405" < code < "GS500") and CODES[code].example is not None]


@pytest.mark.parametrize("code", BEHIND)
def test_the_example_of_each_code_fails_with_it_alone(code: str) -> None:
    """The example has the one mistake that the code names; one that is only a warning compiles."""
    try:
        diagnostics = compile_program(
            Source("t.gs", CODES[code].example or ""), defines=dict(CODES[code].defines)
        ).warnings
    except CompileErrors as errors:
        diagnostics = errors.diagnostics
    assert [d.code for d in diagnostics] == [code]
    assert [d.severity for d in diagnostics] == ["warning" if code in WARNINGS else "error"]
