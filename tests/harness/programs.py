"""Short ways to take a program through the compiler from a test.

In: the words of a program; where MAIN is missing, one that trains OBJECTIVE on rows of four numbers. Out: the compiled
program, its parameters, or its errors. Invariant: no file is read and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from geode.diagnostics import CompileErrors, Diagnostic
from geode.graph.values import Parameter
from geode.pipeline import CheckedProgram, CompiledProgram, check_program, compile_program
from geode.source import Source

MAIN = '\n: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n'


def text_of(words: str) -> str:
    """`words` with a MAIN."""
    return words if ": MAIN" in words else words + MAIN


def checked(words: str, **defines: str) -> CheckedProgram:
    """The program up to its graphs."""
    return check_program(Source("t.gs", text_of(words)), defines=defines)


def compiled(words: str, defines: Mapping[str, str] | None = None) -> CompiledProgram:
    """The program as C text."""
    return compile_program(Source("t.gs", text_of(words)), defines=defines)


def errors(words: str, defines: Mapping[str, str] | None = None) -> tuple[Diagnostic, ...]:
    """The errors of a program that is wrong."""
    with pytest.raises(CompileErrors) as caught:
        compiled(words, defines)
    return caught.value.diagnostics


def codes(words: str, defines: Mapping[str, str] | None = None) -> list[str]:
    """The codes of the errors of a program that is wrong."""
    return [diagnostic.code for diagnostic in errors(words, defines)]


def parameters(words: str) -> dict[str, Parameter]:
    """The parameters of a program by name."""
    return {parameter.name: parameter for parameter in checked(words).parameters}


def symbols(words: str) -> dict[str, str]:
    """The symbol of each word's unit; of a word with several units the last one."""
    return {unit.word: unit.symbol for unit in compiled(words).units}
