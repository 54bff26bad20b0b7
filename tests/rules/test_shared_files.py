"""Programs of many units: which share a file, what an edit compiles again, and what is shown of one of them."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from rules.disassemble import disassemble
from rules.emission import Text, Unit
from rules.shared_files import MANY, SMALL, compiled_files

from .conftest import Workshop, ran, replace_unit

pytestmark = pytest.mark.native


def unit(number: int, length: int = 0) -> Unit:
    """Adds its number, with a function of its own besides."""
    name = f"unit_{number}"
    text = (
        f"int {name}_run(int x);\nint {name}_rest(int x);\nint {name}_rest(int x)\n{{\n    return x + {number};\n}}\n"
    )
    text += f"int {name}_run(int x)\n{{\n    return {name}_rest(x);\n}}\n"
    return Unit(name, f"WORD{number}", text + "/* */\n" * (length // 6))


def many(count: int) -> Text:
    """A program of `count` units that prints the sum of their numbers."""
    declared = "".join(f"int unit_{k}_run(int x);\n" for k in range(count))
    body = "".join(f"    x = unit_{k}_run(x);\n" for k in range(count))
    program = (
        f'#include "gs_shape.h"\n{declared}int gs_program(void)\n{{\n    int x = gs_start;\n{body}    return x;\n}}\n'
    )
    return Text("many", tuple(map(unit, range(count))), program, '#include "gs_shape.h"\nconst int gs_start = 4;\n')


def test_few_units_have_a_file_each() -> None:
    """Below MANY; large ones are not counted."""
    units = [*map(unit, range(MANY - 1)), unit(MANY, SMALL + 1)]
    assert compiled_files(units) == {one.symbol: [one.symbol] for one in units}


def test_many_units_share_files_that_stay_the_same() -> None:
    """Each is in one file, large ones alone; one more changes nothing for the others until the files are twice as many."""
    units = [*map(unit, range(100)), unit(100, SMALL + 1)]
    files = compiled_files(units)
    assert Counter(symbol for symbols in files.values() for symbol in symbols) == Counter(one.symbol for one in units)
    assert files["unit_100"] == ["unit_100"]
    assert len(files) == 9
    assert max(map(len, files.values())) < 30
    more = compiled_files([*units, unit(101)])
    assert {stem: [s for s in symbols if s != "unit_101"] for stem, symbols in more.items()} == files


def test_specialisations_of_a_word_are_in_one_file() -> None:
    """What an edit of the word changes is compiled at once."""
    twice = [Unit(f"{one.symbol}_{form}", one.word, one.text) for one in map(unit, range(50)) for form in "ab"]
    files = compiled_files(twice)
    assert 1 < len(files) < 50
    for symbols in files.values():
        assert all(symbol.removesuffix("_a") + "_b" in symbols for symbol in symbols if symbol.endswith("_a"))


def test_an_edit_compiles_one_file_again(workshop: Workshop) -> None:
    """First build: as many compiles as files; then the one of the edited unit, with the right result."""
    text = many(80)
    files = compiled_files(text.units)
    first = workshop.build(text)
    assert {name for name in ran(first) if "units_" in name} == {f"compile c/{stem}" for stem in files}
    assert subprocess.run([first.program], capture_output=True, check=True).stdout == f"{sum(range(80)) + 4}\n".encode()
    assert ran(workshop.build(text)) == set()
    edited = workshop.build(replace_unit(text, "WORD7", "x + 7", "x + 8"))
    (stem,) = (stem for stem, symbols in files.items() if "unit_7" in symbols)
    assert ran(edited) == {f"compile c/{stem}", "link"}
    assert (
        subprocess.run([edited.program], capture_output=True, check=True).stdout == f"{sum(range(80)) + 5}\n".encode()
    )
    assert any("c/unit_7.c" in outcome.why for outcome in edited.outcomes)


def test_what_is_left_of_shared_files_goes(workshop: Workshop) -> None:
    """A program that came to have few units: its folder holds no text and no object of the files before."""
    workshop.build(many(80))
    workshop.build(many(3))
    left = [path.name for path in Path(workshop.root / "build").rglob("units_*")]
    assert left == []


def test_one_unit_of_a_file_is_shown_alone(workshop: Workshop) -> None:
    """Its own functions and no other's."""
    text = many(80)
    result = workshop.build(text)
    place = [one.symbol for one in text.units].index("unit_7")
    path = result.unit_objects[place]
    beside = [
        one.symbol
        for one, other in zip(text.units, result.unit_objects, strict=True)
        if other == path and one.word != "WORD7"
    ]
    assert beside
    labels = re.findall(r"<(\w+)>:", disassemble(workshop.tool(), path, others=beside))
    assert set(labels) == {"unit_7_run", "unit_7_rest"}
    everything = re.findall(r"<(\w+)>:", disassemble(workshop.tool(), path))
    assert len(everything) == 2 * (len(beside) + 1)
