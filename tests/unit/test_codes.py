"""The table of codes and the compiler agree."""

from __future__ import annotations

import re
from pathlib import Path

import geode
from geode.codes import CODES

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
