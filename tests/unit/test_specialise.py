"""Units and their symbols: which calls share a unit, and what changes a symbol."""

from __future__ import annotations

import pytest

from tests.harness.programs import compiled, symbols

NET = """
: LAYER ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: NET ( r:* -- r:4 ) 3 LAYER 2 LAYER 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:b:4 -- r ) DUP NET LOSS-EUCLIDEAN SUM ;
"""


def changed(before: str, after: str) -> set[str]:
    """The words whose symbols differ when `before` is replaced in the program."""
    assert before in NET
    old, new = symbols(NET), symbols(NET.replace(before, after))
    return {word for word in old if old[word] != new.get(word)}


def test_equal_calls_share_a_unit() -> None:
    """Where types, constants, levels and what is inside are equal, whatever the names of the weights."""
    words = ": L ( r:k -- r:k ) k LINEAR TRAINABLE ;\n: OBJECTIVE ( r:b:4 -- r ) L L L L SUM SUM ;"
    assert [unit.word for unit in compiled(words).units] == ["L", "L", "OBJECTIVE"]  # split, then materialised


def test_calls_with_other_shapes_or_constants_do_not() -> None:
    """A unit is a word at one specialisation."""
    found = [unit.symbol for unit in compiled(NET).units if unit.word == "LAYER"]
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("TRAINABLE RELU ;", "TRAINABLE RELU 2 * ;"),
        ("TRAINABLE RELU ;", "TRAINABLE SQUARE ;"),
        ("INIT-HE", "INIT-XAVIER"),
        ("LOSS-EUCLIDEAN SUM", "LOSS-EUCLIDEAN SQUARE SUM"),
    ],
)
def test_the_inside_of_a_word_keeps_every_symbol(before: str, after: str) -> None:
    """So the callers' text stays the same, and only the unit itself is compiled again."""
    assert changed(before, after) == set()
    old, new = compiled(NET).units, compiled(NET.replace(before, after)).units
    differing = {one.word for one, other in zip(old, new, strict=True) if one.text != other.text}
    assert len(differing) <= 1


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("INIT-HE TRAINABLE", "INIT-HE", {"LAYER", "NET", "OBJECTIVE"}),
        ("2 LAYER", "5 LAYER", {"LAYER", "NET", "OBJECTIVE"}),
        ("4 LINEAR TRAINABLE ;", "4 LINEAR ;", {"NET", "OBJECTIVE"}),
    ],
)
def test_parameters_change_the_symbols_of_the_word_and_of_its_callers(before: str, after: str, words: set[str]) -> None:
    """What a caller hands down is seen from outside."""
    assert changed(before, after) == words


def test_names_and_places_change_nothing_in_a_unit() -> None:
    """A renamed parameter path, a moved word and a comment leave the text of every unit as it is."""
    moved = "\n\n\\ a comment\n" + NET.replace("NET LOSS", "WRAPPED LOSS").replace(
        ": OBJECTIVE", ": WRAPPED ( r:* -- r:4 ) NET ;\n: OBJECTIVE"
    )
    old, new = compiled(NET), compiled(moved)
    assert [unit.text for unit in old.units] == [unit.text for unit in new.units]
    assert old.program_c != new.program_c


def test_a_symbol_is_a_file_name_however_long_the_word() -> None:
    """Long words are cut; the hash tells them apart."""
    words = [f"{'世' * 300}{last}" for last in "AB"]
    program = compiled(
        "".join(f": {word} ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n" for word in words)
        + f": OBJECTIVE ( r:b:4 -- r ) {' '.join(words)} SUM SUM ;"
    )
    symbols_ = [unit.symbol for unit in program.units]
    assert len(set(symbols_)) == 3
    assert all(len(symbol) < 200 for symbol in symbols_)
