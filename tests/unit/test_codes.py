"""The table of codes and the compiler agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import geode
from geode.codes import CODES
from geode.explain.code_page import code_record, code_to_text, example_message
from geode.pipeline import compile_program
from geode.source import Source

PACKAGE = Path(geode.__file__).parent


def test_the_compiler_uses_the_codes_of_the_table_and_no_others() -> None:
    """Every code written in the compiler's text stands in the table, and every code of the table is used."""
    used = {
        code
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "codes"
        for code in re.findall(r"\"(GS\d{3})\"", path.read_text(encoding="utf-8"))
    }
    assert used == set(CODES)


def test_codes_are_in_ascending_order_and_in_their_hundreds() -> None:
    """The table is sorted, and a code is three digits from 101 to 999."""
    assert list(CODES) == sorted(CODES)
    assert all(re.fullmatch(r"GS[1-69]\d\d", code) for code in CODES)


def test_every_code_has_a_title_and_an_explanation() -> None:
    """A title is short and no sentence; an explanation is made of sentences."""
    for code in CODES.values():
        assert len(code.title) <= 72
        assert not code.title.endswith(".")
        assert code.explanation.endswith(".")
        assert code.explanation != code.title


NO_TEXT = {"GS101", "GS901"}  # bytes that are no text; a fault of the compiler itself
SHOWN = [code for code in CODES if code not in NO_TEXT]


def test_every_code_that_a_program_can_cause_has_an_example_and_a_repair() -> None:
    """All but those that no program text can show."""
    assert {name for name, code in CODES.items() if code.example is None or code.repair is None} == NO_TEXT


@pytest.mark.parametrize("name", SHOWN)
def test_the_repair_compiles_and_the_example_does_not(name: str) -> None:
    """The example gets a message with the code; the repair is another program, which gets none."""
    code = CODES[name]
    assert f" {name}: " in (example_message(name, code) or "")
    assert code.repair != code.example
    repaired = compile_program(Source("example.gs", code.repair or ""), defines=dict(code.defines))
    assert {warning.code for warning in repaired.warnings} <= {"GS616"}  # small programs need no weights


@pytest.mark.parametrize("name", CODES)
def test_the_page_of_a_code_holds_what_the_table_says(name: str) -> None:
    """Title, explanation, example, message and repair; a code without an example has neither."""
    code, page, record = CODES[name], code_to_text(name), code_record(name)
    assert page.startswith(f"{name}: {code.title}\n")
    assert " ".join(page.split()).find(" ".join(code.explanation.split())) > 0
    assert ("fails" in page, "repaired:" in page) == (code.example is not None, code.repair is not None)
    assert record["message"] is None or all(line.rstrip() in page for line in record["message"].splitlines())
