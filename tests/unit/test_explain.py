"""`geode explain`: of a program, of a code, of a word; and what is wrong with anything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geode.cli import run_command_line
from geode.codes import CODES
from geode.explain.levels import UnitLevels, program_levels
from geode.explain.levels_to_text import levels_to_record, levels_to_text
from tests.harness.native import QUICK_START, ROOT
from tests.harness.programs import checked

L = ": L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n"
EXAMPLES = sorted((ROOT / "examples").glob("*.gs"))


def units(words: str) -> dict[str, list[UnitLevels]]:
    """The units of a program by word."""
    found: dict[str, list[UnitLevels]] = {}
    for unit in program_levels(checked(words)):
        found.setdefault(unit.word, []).append(unit)
    return found


def levels(unit: UnitLevels) -> list[tuple[str | None, str, str, str]]:
    """Word, type, level and width of each value that a word leaves."""
    return [(v.word, v.type, v.level, v.width) for v in unit.values if v.left]


def test_values_have_level_and_width() -> None:
    """Preprocessing once a run, luck once an epoch, a parameter's value uniform and by member."""
    (unit,) = units(": OBJECTIVE ( r:b:4 -- r ) 2* RANDN * r:4 PARAM TRAINABLE TANH + SUM SUM ;")["OBJECTIVE"]
    assert levels(unit) == [
        ("2*", "r:b:4", "run", "row"),
        ("RANDN", "r:b", "epoch", "row"),
        ("*", "r:b:4", "epoch", "row"),
        ("PARAM", "r:4", "member", "uniform"),
        ("TANH", "r:4", "member", "uniform"),
        ("+", "r:b:4", "member", "row"),
        ("SUM", "r:b", "member", "row"),
        ("SUM", "r", "member", "uniform"),
    ]


@pytest.mark.parametrize(
    ("settings", "first", "second"),
    [
        ("", ("split",), ("materialised",)),
        ("0.1 EGGROLL-R1", ("factored",), ("factored",)),
        ("0.1 2 EGGROLL", ("factored",), ("factored",)),
    ],
)
def test_a_layers_form_is_told(settings: str, first: tuple[str, ...], second: tuple[str, ...]) -> None:
    """By the stage's noise and by what reaches its input; a layer that is not trained has none."""
    found = units(
        ": L ( <layer> n -- <layer> ) LINEAR TRAINABLE ;\n"
        ": OBJECTIVE ( r:b:4 -- r ) 3 LINEAR 2 L 2 L SUM SUM ;\n"
        f': MAIN ( -- ) OBJECTIVE-LOSS {settings} "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;'
    )
    assert [unit.parameters[0].forms for unit in found["L"]] == [first, second]
    assert [unit.places[0].parameters for unit in found["L"]] == [("L/weight",), ("L.2/weight",)]
    (fixed,) = found["OBJECTIVE"][0].parameters
    assert (fixed.trained, fixed.forms) == (False, ())
    assert next(v.operation for v in found["OBJECTIVE"][0].values if v.parameter == 0) == "W x"


def test_a_tied_weight_may_have_two_forms() -> None:
    """Split at the application whose input no perturbation reaches, materialised at the other."""
    found = units(L + ": OBJECTIVE ( r:b:4 -- r ) ['] L ~ { w } w w SUM SUM ;")["L"]
    assert [(u.parameters[0].forms, u.places[0].parameters) for u in found] == [
        (("split",), ("=w/weight",)),
        (("materialised",), ("=w/weight",)),
    ]


def test_units_of_one_word_are_told_apart() -> None:
    """Each bears a number where there are several, and a call says which it runs; a word with one unit bears none."""
    program = checked(
        L + ": M ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n: OBJECTIVE ( r:b:4 -- r ) ['] L ~ { w } w w M SUM SUM ;"
    )
    text = levels_to_text(program)
    heads = [line.partition(" (")[0] for line in text.splitlines() if line.startswith(("L", "M"))]
    assert heads == ["L #1", "L #2", "M"]
    assert [line.split("  call ")[1] for line in text.splitlines() if "  call " in line] == ["L #1", "L #2", "M"]
    first, second, third, caller = program_levels(program)
    assert [(u.word, u.form) for u in (first, second, third)] == [("L", 1), ("L", 2), ("M", 1)]
    assert [v.callee for v in caller.values if v.callee is not None] == [1, 2, 1]


def test_one_unit_at_several_places_stands_once() -> None:
    """With every path that leads to it."""
    (unit,) = units(L + ": OBJECTIVE ( r:b:4 -- r ) DUP L SWAP L + SUM SUM ;")["L"]
    assert [(place.root, place.path) for place in unit.places] == [("OBJECTIVE", "L"), ("OBJECTIVE", "L.2")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_explained(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text and JSON, status 0: every stage, every trained parameter with a form, every level one of the four."""
    monkeypatch.chdir(ROOT)
    assert run_command_line(["explain", str(path)]) == 0
    text = capsys.readouterr().out
    assert run_command_line(["explain", "--json", str(path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [f"stage {n}: {stage['title']}" in text for n, stage in enumerate(record["stages"], 1)].count(False) == 0
    for unit in record["units"]:
        assert {value["level"] for value in unit["values"]} <= {"run", "epoch", "pair", "member"}
        assert all(bool(p["forms"]) == p["trained"] for p in unit["parameters"])


def test_the_quick_start_reads_as_the_design_says(capsys: pytest.CaptureFixture[str]) -> None:
    """NEURON: W x once an epoch, E x once a pair, the activation for each member; LINO materialised."""
    assert run_command_line(["explain", str(QUICK_START)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "3:35 LINEAR r:b:8 epoch row W x",
        "3:35 LINEAR r:b:8 pair row E x",
        "3:60 RELU r:b:8 member row relu",
        "4:35 LINEAR r:b:100 member row (W + s E) x",
    ):
        assert line in lines


def test_a_split_layer_in_a_loop_is_said_to_share_nothing() -> None:
    """The parameter's line says what its values' lines say."""
    loop = (
        ": O ( r:4 -- r ) { x } 0 3 0 DO x 4 LINEAR TRAINABLE SUM + LOOP ;\n"
        ': MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] O TRAIN ;'
    )
    text = levels_to_text(checked(loop))
    assert "split: W x and E x apart, but in a loop, out of which nothing is taken: all for each member" in text
    assert "once a pair, joined" not in text
    (unit,) = program_levels(checked(loop))
    assert {value.level for value in unit.values if value.parameter == 0} == {"member"}
    flat = levels_to_text(checked(loop.replace("0 3 0 DO", "").replace("+ LOOP", "")))
    assert "split: W x once an epoch, E x once a pair, joined for each member" in flat


def test_a_stage_says_what_its_step_size_means() -> None:
    """1/sigma is in the estimate: with SGD a text without it writes alpha/sigma; ADAM's step has its own size."""
    main = (
        ": O ( r:4 -- r ) 1 LINEAR TRAINABLE SUM ;\n"
        ": MAIN ( -- ) OBJECTIVE-LOSS 64 POPULATION ANTITHETIC {} 0.02 ES-GAUSSIAN 0.01 ALPHA\n"
        "  \"rows.csv\" 4 CSV-INPUT {{ d }} d 8 BATCH ['] O TRAIN d 3 5 ROWS ALL ['] O EVALUATE ;"
    )
    text = levels_to_text(checked(main.format("SGD-UPDATES")))
    assert "stage 1: TRAIN O on 8 at a time of all rows of rows.csv" in text
    assert "stage 2: EVALUATE O on rows 3 to 7 of rows.csv" in text
    assert "g = 1/(N sigma) sum of s u E over the members, N = 64" in text
    assert "(here a = 0.5)" in text
    record = levels_to_record(checked(main.format("ADAM-UPDATES")))
    assert "has a size of its own" in "\n".join(record["stages"][0]["step_size"])
    assert record["stages"][1]["step_size"] == []


def test_a_code_and_a_word_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """A code in any case; a word as `geode words` prints it."""
    assert run_command_line(["explain", "gs301"]) == 0
    assert capsys.readouterr().out.startswith(f"GS301: {CODES['GS301'].title}\n")
    assert run_command_line(["explain", "--json", "GS301"]) == 0
    assert json.loads(capsys.readouterr().out)["repair"] == CODES["GS301"].repair
    assert run_command_line(["words", "LINEAR"]) == 0
    page = capsys.readouterr().out
    assert run_command_line(["explain", "LINEAR"]) == 0
    assert capsys.readouterr().out == page


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("GS999", "no code `GS999`: did you mean `GS"),
        ("GS31", "no code `GS31`: did you mean `GS301`"),
        ("LINAER", "no code, word or program `LINAER`: did you mean `LINEAR`?"),
        ("nothing-like-it", "a program is a file that ends in .gs"),
        ("missing.gs", "missing.gs:1:1: error GS107"),
    ],
)
def test_what_is_unknown_gets_a_near_miss(subject: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1, one message on stderr."""
    assert run_command_line(["explain", subject]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
