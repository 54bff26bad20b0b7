"""The codes that are reported behind the front end: the example of each fails with it, through the whole pipeline."""

from __future__ import annotations

import pytest

from geode.codes import CODES
from geode.diagnostics import CompileErrors
from geode.pipeline import compile_program
from geode.source import Source

BEHIND = [code for code in CODES if (code[2] in "356" or "GS405" < code < "GS500") and CODES[code].example is not None]


@pytest.mark.parametrize("code", BEHIND)
def test_the_example_of_each_code_fails_with_it_alone(code: str) -> None:
    """The example has the one mistake that the code names."""
    with pytest.raises(CompileErrors) as caught:
        compile_program(Source("t.gs", CODES[code].example or ""))
    assert [d.code for d in caught.value.diagnostics] == [code]
