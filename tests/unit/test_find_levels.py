"""At which level a value is known, and in which form a layer is computed (engine.md, "Form")."""

from __future__ import annotations

import re

import pytest

from tests.harness.programs import compiled


def levels(words: str, word: str = "OBJECTIVE") -> list[tuple[str, str]]:
    """Operation and level of every node of a word's unit, but for inputs and what is known while compiling."""
    (graph,) = (unit.graph for unit in compiled(words).units if unit.word == word)
    found = re.findall(r"^  %\d+ = (\S+).* : \S+  (\w+)$", graph, re.MULTILINE)
    return [(operation, level) for operation, level in found if operation not in ("input", "known")]


def test_what_depends_on_the_data_alone_is_computed_once_a_run() -> None:
    """A sum of the rows, before any perturbed parameter."""
    assert levels(": OBJECTIVE ( r:b:4 -- r ) SQUARE SUM SUM ;") == [
        ("mul", "run"),
        ("reduce-sum", "run"),
        ("batch-sum", "run"),
    ]


def test_the_first_layer_is_split() -> None:
    """W x once an epoch, E x once a pair, joined for each member."""
    assert levels(": OBJECTIVE ( r:b:4 -- r ) 3 LINEAR TRAINABLE SUM SUM ;") == [
        ("linear-mean", "epoch"),
        ("linear-noise", "pair"),
        ("linear-join", "member"),
        ("reduce-sum", "member"),
        ("batch-sum", "member"),
    ]


def test_a_layer_behind_a_perturbed_one_is_materialised() -> None:
    """Its input differs by member, so nothing can be taken out of the member loop."""
    names = [
        operation
        for operation, _ in levels(": OBJECTIVE ( r:b:4 -- r ) 3 LINEAR TRAINABLE 2 LINEAR TRAINABLE SUM SUM ;")
    ]
    assert names == ["linear-mean", "linear-noise", "linear-join", "linear-perturbed", "reduce-sum", "batch-sum"]


@pytest.mark.parametrize(("before", "level"), [("", "run"), ("2 LINEAR TRAINABLE ", "member")])
def test_a_layer_that_is_not_trained_has_the_level_of_its_input(before: str, level: str) -> None:
    """Its weights never change."""
    found = levels(f": OBJECTIVE ( r:b:4 -- r ) {before}3 LINEAR SUM SUM ;")
    assert found[-3:-1] == [("linear-mean", level), ("reduce-sum", level)]


def test_a_trained_parameter_read_as_a_value_differs_by_member() -> None:
    """One that is not trained is known for the whole run."""
    assert ("parameter-value", "member") in levels(": OBJECTIVE ( r:b:4 -- r ) r:4 PARAM TRAINABLE * SUM SUM ;")
    assert ("parameter-value", "run") in levels(": OBJECTIVE ( r:b:4 -- r ) r:4 PARAM * SUM SUM ;")


def test_a_layer_is_split_if_and_only_if_no_perturbed_value_reaches_its_input() -> None:
    """Dataflow decides, through words and both ways round a sum."""
    words = ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n: OBJECTIVE ( r:b:4 -- r ) DUP L + L SUM SUM ;"
    graphs = [unit.graph for unit in compiled(words).units if unit.word == "L"]
    assert [("linear-join" in graph, "linear-perturbed" in graph) for graph in graphs] == [(True, False), (False, True)]


def test_a_loop_has_one_level() -> None:
    """What a turn changes may be different in the next: the loop runs where its most variable value is known."""
    words = ": OBJECTIVE ( r:b:4 -- r ) SUM 3 0 DO 2* LOOP r PARAM TRAINABLE * SUM ;"
    assert ("end", "run") in levels(words)
    perturbed = ": OBJECTIVE ( r:b:4 -- r ) SUM 3 0 DO r PARAM TRAINABLE * LOOP SUM ;"
    assert ("end", "member") in levels(perturbed)


def test_a_word_called_with_inputs_of_two_levels_becomes_two_units() -> None:
    """The forms of its layers differ."""
    words = """
: L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:b:4 -- r ) L L SUM SUM ;
"""
    assert [unit.word for unit in compiled(words).units] == ["L", "L", "OBJECTIVE"]


@pytest.mark.parametrize("noise", ["", "0.1 EGGROLL-R1"])
def test_what_leaves_a_members_loop_unreached_is_split_there(noise: str) -> None:
    """A loop has one level: what it carries beside a member's value is at that level, and so is the layer behind it."""
    words = (
        ": OBJECTIVE ( r:b:4 -- r ) { x } x r:4 PARAM TRAINABLE * { y }\n"
        "  3 0 DO x 2* TO x y SIN TO y LOOP x 4 LINEAR TRAINABLE y + SUM SUM ;\n"
        f': MAIN ( -- ) OBJECTIVE-LOSS {noise} "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;'
    )
    forms = [item for item in levels(words) if item[0].startswith("linear")]
    middle = "linear-factor" if noise else "linear-noise"
    end = "linear-correct" if noise else "linear-join"
    assert forms == [("linear-mean", "member"), (middle, "member"), (end, "member")]


def test_a_loop_waits_for_what_it_carries_on() -> None:
    """Its level is that of the values that a turn hands to the next, also of one that stood before the loop."""
    words = ": OBJECTIVE ( r:b:4 -- r ) { x } r:4 PARAM TRAINABLE x * { y } x 3 0 DO 2* TO x y LOOP x + SUM SUM ;"
    assert ("end", "member") in levels(words)
