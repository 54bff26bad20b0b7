"""How large a model may be for a GPU: one number, told when a program is checked, and when its options ask for more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.diagnostics import CompileErrors
from geode.graph.check_target import state_numbers
from geode.pipeline import check_program
from geode.source import Source
from geode.syntax.file_to_text import file_to_text
from tests.harness.metal import SMALL_BUILD, emulated_once, for_metal, needs_cxx, told
from tests.harness.native import build
from tests.metal.small import SETTINGS, SMALL

MOST = 2**31 - 1
LARGE = """{target}
: OBJECTIVE ( r:3 -- r ) {inner} LINEAR TRAINABLE TANH {outer} LINEAR{trained} SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 8 POPULATION {optimizer} "datasets/xor.csv" 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""
# By what they take with (3 + outer) x inner weights: the message's number, or None where it is not too large.
SIZES: dict[str, tuple[dict[str, str | int], int | None]] = {
    "sgd": ({"inner": 8000, "outer": 40000}, 7 * 8000 * 40003 + 16),
    "as many as there may be": ({"inner": 8000, "outer": 38340}, None),
    "a little more": ({"inner": 8000, "outer": 38345}, 7 * 8000 * 38348 + 16),
    "weights that are not trained": ({"inner": 8000, "outer": 40000, "trained": ""}, None),
    # 3 x 16000 in two copies and two squares of 9 numbers, padded to 16; 16000 x 14000 with squares of 14000.
    "muon": (
        {"inner": 16000, "outer": 14000, "optimizer": "MUON-UPDATES"},
        9 * 16000 * 14003 + 2 * 16 + 2 * 14000**2 + 16,
    ),
    "the processor": ({"inner": 8000, "outer": 40000, "target": "TARGET-CPU"}, None),
}


@pytest.mark.parametrize("name", SIZES)
def test_too_large_a_model_is_told_before_it_is_built(name: str) -> None:
    """With the number of weights, and of all that training keeps for them; two of seven without training."""
    given, numbers = SIZES[name]
    values = {"target": "TARGET-APPLE-METAL", "trained": " TRAINABLE", "optimizer": "", **given}
    source = Source("p.gs", LARGE.format(**values))
    if numbers is None:
        check_program(source)
        return
    assert numbers > MOST
    with pytest.raises(CompileErrors) as caught:
        check_program(source)
    (error,) = caught.value.diagnostics
    assert (error.code, error.span.text if error.span else "") == ("GS612", "TARGET-APPLE-METAL")
    inner, outer = given["inner"], given["outer"]
    assert isinstance(inner, int)
    assert isinstance(outer, int)
    assert error.message == (
        f"{inner * (3 + outer)} weights and what training keeps for them are {numbers} numbers, and a kernel of "
        f"`TARGET-APPLE-METAL` counts {MOST}"
    )
    assert ("MUON" in (error.help or "")) == (name == "muon")


@needs_cxx
@pytest.mark.native
@pytest.mark.parametrize(
    "name", ["quick", *(pytest.param(n, marks=pytest.mark.slow) for n in ("independent", "omelette"))]
)
def test_host_and_compiler_count_the_same(name: str, tmp_path: Path) -> None:
    """The host's limit lowered to the compiler's count: it trains; lowered by one more it does not, and says the count."""
    source = tmp_path / "p.gs"
    source.write_text(for_metal(SMALL.format(settings=SETTINGS[name], batch="ALL")), encoding="utf-8")
    checked = check_program(file_to_text(str(source)))
    (item,) = checked.stages
    numbers = state_numbers(item.stage, item.root, checked.parameters, ())
    program = build(source, tmp_path / "out", *SMALL_BUILD)
    assert told(emulated_once(program, "--epochs", "1", GEODE_DEVICE_NUMBERS=str(numbers)))
    done = emulated_once(program, "--epochs", "1", GEODE_DEVICE_NUMBERS=str(numbers - 1))
    assert done.status == 3
    assert re.search(rf"26 weights and what training keeps for them are {numbers} numbers", done.err)
    assert "epoch=" not in done.out
