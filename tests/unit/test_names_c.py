"""Words as C identifiers, both directions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geode.emit.names import c_identifier, word_of_identifier


@pytest.mark.parametrize(
    ("word", "identifier"),
    [
        ("SINE-AE", "SINE_AE"),
        ("1+", "1x002b"),
        ("a_b", "ax005fb"),
        ("x", "x0078"),
        ("X", "x0058"),
        ("µ", "x00b5"),
        ("世", "x4e16"),
        ("🙂", "X01f642"),
    ],
)
def test_letters_and_digits_stand_for_themselves(word: str, identifier: str) -> None:
    """- is _, all else is its code point."""
    assert c_identifier(word) == identifier
    assert word_of_identifier(identifier) == word


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=12))
def test_every_word_comes_back(word: str) -> None:
    """The mapping is one-to-one, and gives nothing but letters, digits and underscores."""
    identifier = c_identifier(word)
    assert re.fullmatch(r"[A-Za-z0-9_]*", identifier)
    assert word_of_identifier(identifier) == word
