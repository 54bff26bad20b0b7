"""`-D PERTURBATION=…`: the program with another perturbation, as if its text said so."""

from __future__ import annotations

import pytest

from geode.diagnostics import CompileErrors
from geode.pipeline import compile_program
from geode.source import Source

PROGRAM = """TARGET-CPU
: NET ( r:4 -- r:2 ) 2 LINEAR INIT-HE TRAINABLE ;
: GOAL ( r:4 -- r ) NET SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 8 POPULATION ANTITHETIC 0.1 ES-GAUSSIAN "d.csv" 4 CSV-INPUT ALL ['] GOAL TRAIN ;
"""


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("eggroll:4", "4 EGGROLL"),
        ("eggroll", "EGGROLL-R1"),
        ("omelette-r1", "OMELETTE-R1"),
        ("gaussian:1", "ES-GAUSSIAN"),
    ],
)
def test_text_is_that_of_the_program_with_these_words(value: str, words: str) -> None:
    """Units, program.c and settings.c are equal, letter by letter."""
    given = compile_program(Source("p.gs", PROGRAM), defines={"PERTURBATION": value})
    written = compile_program(Source("p.gs", PROGRAM.replace("ES-GAUSSIAN", words)))
    assert given == written


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("egroll:4", "-D PERTURBATION=egroll:4: a perturbation is gaussian or eggroll or omelette-r1"),
        ("gaussian:2", "-D PERTURBATION=gaussian:2: the rank of gaussian is 1"),
        ("eggroll:0", "-D PERTURBATION=eggroll:0: the rank of eggroll is an integer at least 1"),
        ("eggroll:x", "-D PERTURBATION=eggroll:x: the rank of eggroll is an integer at least 1"),
    ],
)
def test_a_wrong_one_is_told(value: str, message: str) -> None:
    """What was given, and what it may be."""
    with pytest.raises(CompileErrors) as caught:
        compile_program(Source("p.gs", PROGRAM), defines={"PERTURBATION": value})
    (found,) = caught.value.diagnostics
    assert found.code == "GS611"
    assert found.message.startswith(message)


def test_a_constant_of_that_name_comes_first() -> None:
    """The program's own CONSTANT is what -D replaces."""
    text = PROGRAM.replace(": NET", "3 CONSTANT PERTURBATION\n: NET").replace(
        "8 POPULATION", "PERTURBATION 2 * POPULATION"
    )
    given = compile_program(Source("p.gs", text), defines={"PERTURBATION": "5"})
    assert ".population = UINT64_C(10)" in given.settings_c
    assert "GS_PERTURBATION_GAUSSIAN" in given.settings_c
