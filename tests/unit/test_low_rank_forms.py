"""Which form a perturbed parameter takes: by its noise, its kind and what reads it."""

from __future__ import annotations

import re

import pytest

from geode.pipeline import CompiledProgram, compile_program
from geode.source import Source

NETWORK = """
: GRID ( -- r:4:4 ) r:4:4 PARAM TRAINABLE ;
: FIRST ( r:4 -- r:6 ) 6 AFFINE TRAINABLE RELU ;
: SECOND ( r:6 -- r:4 ) 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:b:4 -- r ) FIRST SECOND GRID SWAP MATMUL SQUARE SUM SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS {family} "rows.csv" 4 CSV-INPUT ALL { rows } rows ['] OBJECTIVE TRAIN {rest} ;
"""


def compiled(family: str, rest: str = "") -> CompiledProgram:
    """The network under a family of noise; `rest` stands after TRAIN."""
    text = NETWORK.replace("{family}", family).replace("{rest}", rest)
    return compile_program(Source("network.gs", text))


def forms(program: CompiledProgram) -> dict[str, str]:
    """The forms of each parameter as program.c has them, by name."""
    found = re.findall(r'\.name = "([^"]+)", .*?\.forms = ([A-Z_| ]+),', program.program_c)
    return {name: text.replace("GS_FORM_", "").lower() for name, text in found}


def test_dense_noise_splits_or_materialises() -> None:
    """Split where the input is the data, materialised where it differs by member."""
    assert forms(compiled("0.1 ES-GAUSSIAN")) == {
        "FIRST/weight": "split",
        "FIRST/bias": "materialised",
        "SECOND/weight": "materialised",
        "GRID/param": "materialised",
    }


@pytest.mark.parametrize("family", ["0.1 EGGROLL-R1", "0.1 3 EGGROLL", "0.1 OMELETTE-R1"])
def test_low_rank_noise_is_factored_in_every_layer(family: str) -> None:
    """Only what is read as a value is built: vectors, whose noise is dense, and a matrix that is no layer's."""
    program = compiled(family)
    assert forms(program) == {
        "FIRST/weight": "factored",
        "FIRST/bias": "materialised",
        "SECOND/weight": "factored",
        "GRID/param": "materialised",
    }
    units = {unit.word: unit for unit in program.units}
    assert "->wp" not in units["SECOND"].text
    assert "->e" not in units["FIRST"].text


def test_what_the_data_reaches_alone_is_hoisted() -> None:
    """W x once an epoch and B'x once a pair for the first layer; both in the member's function for the second."""
    units = {unit.word: unit.graph for unit in compiled("0.1 3 EGGROLL").units}
    assert re.search(r"linear-mean p0 %0 : r:b:6  epoch", units["FIRST"])
    assert re.search(r"linear-factor p0 %0 : r:b:3  pair", units["FIRST"])
    assert re.search(r"linear-correct p0 %\d %\d : r:b:6  member", units["FIRST"])
    assert re.search(r"linear-factor p0 %0 : r:b:3  member", units["SECOND"])
    assert re.search(r"linear-factored p0 %\d %0 : r:b:4  member", units["SECOND"])


def test_a_rank_has_units_of_its_own() -> None:
    """Symbols tell ranks apart; the two families of rank 1 share their units, and a stage without TRAIN shares them too."""
    symbols = [
        {u.symbol for u in compiled(family).units if u.word == "SECOND"}
        for family in ("0.1 2 EGGROLL", "0.1 3 EGGROLL")
    ]
    assert not symbols[0] & symbols[1]
    one = compiled("0.1 EGGROLL-R1", "rows ['] OBJECTIVE EVALUATE 0.1 OMELETTE-R1 rows ['] OBJECTIVE TRAIN")
    assert [u.word for u in one.units].count("SECOND") == 1
    two = compiled("0.1 EGGROLL-R1", "0.1 ES-GAUSSIAN rows ['] OBJECTIVE TRAIN")
    assert [u.word for u in two.units].count("SECOND") == 2
