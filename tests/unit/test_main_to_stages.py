"""MAIN: settings, data, stages, branches and loops, all run while compiling (language.md, section 7)."""

from __future__ import annotations

import pytest

from geode.settings import Value
from tests.harness.programs import checked, codes, errors

OBJECTIVE = ": OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n"
TRAIN = ' "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN '


def settings(main: str, words: str = "") -> list[dict[str, Value]]:
    """The settings of each stage of a MAIN."""
    program = checked(f"{words}\n{OBJECTIVE}: MAIN ( -- ) {main} ;")
    return [stage.settings for stage in program.training.stages]


def main_codes(main: str, words: str = "") -> list[str]:
    """The codes of the errors of a MAIN."""
    return codes(f"{words}\n{OBJECTIVE}: MAIN ( -- ) {main} ;")


# --- settings


def test_a_stage_has_the_settings_made_before_it() -> None:
    """A later value replaces an earlier one; what comes behind TRAIN is the next stage's."""
    first, second = settings(f"OBJECTIVE-LOSS 5 EPOCHS 7 EPOCHS 0.5 ALPHA {TRAIN} 9 EPOCHS {TRAIN}")
    assert (first["epochs"], first["alpha"]) == (7, 0.5)
    assert (second["epochs"], second["alpha"]) == (9, 0.5)


def test_settings_take_arithmetic_on_constants() -> None:
    """Integers stay integers, and a real setting takes either."""
    (stage,) = settings(
        f"OBJECTIVE-LOSS N 2* POPULATION N 4 / EPOCHS 1 ALPHA N 3 / SIGMA-DECAY {TRAIN}", "8 CONSTANT N"
    )
    assert stage["population"] == 16
    assert stage["epochs"] == 2
    assert isinstance(stage["alpha"], float)
    assert stage["sigma_factor"] == 8 / 3


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        (f"OBJECTIVE-LOSS 1 POPULATION {TRAIN}", ["GS603"]),
        (f"OBJECTIVE-LOSS 2.5 EPOCHS {TRAIN}", ["GS602"]),
        (f"OBJECTIVE-LOSS TRUE EPOCHS {TRAIN}", ["GS602"]),
        (f"OBJECTIVE-LOSS 1 POPULATION 0 EPOCHS \"x\" SEED {TRAIN}", ["GS603", "GS603", "GS602"]),
        (f"OBJECTIVE-LOSS 3 POPULATION ANTITHETIC {TRAIN}", ["GS603"]),
        (f"OBJECTIVE-LOSS SCORE-SIGN {TRAIN}", ["GS603"]),
        (f"EPOCHS OBJECTIVE-LOSS {TRAIN}", ["GS302"]),
        (TRAIN, ["GS605"]),
        ("OBJECTIVE-LOSS", ["GS607"]),
        (f"OBJECTIVE-LOSS {TRAIN} 3", ["GS301"]),
        (f"OBJECTIVE-LOSS r:3 {TRAIN}", ["GS301"]),
        (f"OBJECTIVE-LOSS r:N DROP {TRAIN}", ["GS211"]),
        (f"OBJECTIVE-LOSS 2.5 {{ n }} r:n DROP {TRAIN}", ["GS305"]),
        ("OBJECTIVE-LOSS \"a.npy\" 4 NPY-INPUT ALL ['] OBJECTIVE TRAIN", ["GS610"]),
        ("OBJECTIVE-LOSS \"\" r:4 NPY-INPUT ALL ['] OBJECTIVE TRAIN", ["GS603"]),
        ("OBJECTIVE-LOSS \"a.npy\" r:1:1:1:1:1:1:1:1:4 NPY-INPUT ALL ['] OBJECTIVE TRAIN", ["GS603"]),
        ("OBJECTIVE-LOSS \"a.npy\" r:65536:65536 NPY-INPUT ALL ['] OBJECTIVE TRAIN", ["GS603"]),
        ("OBJECTIVE-LOSS \"a.txt\" r:4 TEXT-INPUT ALL ['] OBJECTIVE TRAIN", ["GS610"]),
        ("OBJECTIVE-LOSS \"a.txt\" 0 TEXT-INPUT ALL ['] OBJECTIVE TRAIN", ["GS603"]),
        ("OBJECTIVE-LOSS \"a.npy\" r:2:2 NPY-INPUT ALL ['] OBJECTIVE TRAIN", ["GS303"]),
        (f"OBJECTIVE-LOSS 3 RELU DROP {TRAIN}", ["GS608"]),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(main: str, expected: list[str]) -> None:
    """Ranges, types and combinations; independent mistakes are told in one run."""
    assert sorted(main_codes(main)) == sorted(expected)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("OBJECTIVE-LOSS", "OBJECTIVE-REWARD"),
        ("OBJECTIVE-LOSS ADAM-UPDATES", "SGD-UPDATES"),
        ("OBJECTIVE-LOSS SCORE-RAW", "SCORE-ZSCORE"),
        ("OBJECTIVE-LOSS ANTITHETIC", "INDEPENDENT"),
    ],
)
def test_two_choices_of_one_kind_contradict_each_other(first: str, second: str) -> None:
    """The error names both; the same choice twice, or with a TRAIN between, is none."""
    (error,) = errors(f"{OBJECTIVE}: MAIN ( -- ) {first} {second} {TRAIN} ;")
    assert error.code == "GS604"
    assert f"`{second}`" in error.message
    assert f"`{first.rsplit(maxsplit=1)[-1]}`" in error.message
    assert len(settings(f"{first} {first.rsplit(maxsplit=1)[-1]} {TRAIN} {second} {TRAIN}")) == 2


# --- words that MAIN calls


def test_words_of_main_take_and_leave_values() -> None:
    """Settings, data and numbers pass through words and locals; an n becomes an r where the signature says so."""
    words = """
: SETTINGS ( n r -- ) { epochs rate } epochs EPOCHS rate ALPHA OBJECTIVE-LOSS ;
: DATA ( s -- data ) 4 CSV-INPUT ;
: HALF ( r -- r ) 2/ ;
"""
    (stage,) = settings('3 5 HALF SETTINGS "rows.csv" DATA { d } d ALL [\'] OBJECTIVE TRAIN', words)
    assert stage["epochs"] == 3
    assert stage["alpha"] == 2.5


@pytest.mark.parametrize(
    ("words", "main", "expected"),
    [
        (": S ( s -- ) EPOCHS ;", "5 S", ["GS303"]),
        (": S ( n -- ) EPOCHS ;", "5. S", ["GS303"]),
        (": S ( -- n ) 5.5 ;", "S EPOCHS", ["GS301"]),
        (": S ( n -- ) ;", "5 S", ["GS301"]),
        (": S ( -- ) DROP ;", "5 S", ["GS302"]),
        (": S ( n -- ) EPOCHS ;", "S", ["GS302"]),
        ("", '5 { n } "x" TO n', ["GS307"]),
        ("", "['] OBJECTIVE { t } ['] OBJECTIVE TO t", ["GS307"]),
    ],
)
def test_words_of_main_are_held_to_their_signatures(words: str, main: str, expected: list[str]) -> None:
    """Types both ways; a word sees nothing of its caller's stack."""
    assert main_codes(main, words) == expected


# --- control


@pytest.mark.parametrize(
    ("body", "epochs"),
    [
        ("N 2 > IF 5 ELSE 6 THEN", 5),
        ("N 2 < IF 5 ELSE 6 THEN", 6),
        ("7 TRUE FALSE AND IF DROP 8 THEN", 7),
        ("0 4 0 DO I + LOOP", 6),
        ("0 0 4 DO I + -2 +LOOP", 6),
        ("1 4 4 DO 2* LOOP", 1),
        ("0 9 0 DO I 3 = IF LEAVE THEN 1+ LOOP", 3),
        ("0 3 0 DO 3 0 DO I J * + LOOP LOOP", 9),
        ("1 BEGIN 2* DUP 10 > UNTIL", 16),
        ("1 BEGIN DUP 10 < WHILE 3 * REPEAT", 27),
        ("3 { n } 2 0 DO n 1+ TO n LOOP n", 5),
        ("1 2 3 0> SELECT", 1),
        ("5 0 10 WITHIN IF 4 ELSE 3 THEN", 4),
    ],
)
def test_branches_and_loops_are_run(body: str, epochs: int) -> None:
    """On what is known while compiling."""
    (stage,) = settings(f"OBJECTIVE-LOSS {body} EPOCHS {TRAIN}", "3 CONSTANT N")
    assert stage["epochs"] == epochs


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("1 IF 5 EPOCHS THEN", ["GS308"]),
        ("3 0 DO I EPOCHS 0 +LOOP", ["GS407", "GS603"]),
        ("BEGIN FALSE UNTIL", ["GS409"]),
        ("1000000000 0 DO LOOP", ["GS409"]),
        ('"x" 0 DO LOOP', ["GS303"]),
    ],
)
def test_what_main_cannot_decide_is_refused(main: str, expected: list[str]) -> None:
    """A number is no condition, and a loop comes to an end."""
    assert sorted(main_codes(main)) == expected


# --- data and stages


def test_rows_are_a_part_of_a_part() -> None:
    """ROWS of ROWS counts from the first of the outer ones."""
    program = checked(
        f'{OBJECTIVE}: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT 100 50 ROWS 10 20 ROWS ALL '
        "['] OBJECTIVE TRAIN ;"
    )
    data = program.training.stages[0].batch.data
    assert data is not None
    assert (data.first, data.count) == (110, 20)


def test_two_stages_on_rows_of_different_lengths() -> None:
    """A word without a fixed number of columns may be trained on one file and then on another."""
    program = checked(
        ": O ( r:k -- r ) SUM r PARAM TRAINABLE - SQUARE ;\n: MAIN ( -- ) OBJECTIVE-LOSS "
        '"a.csv" 4 CSV-INPUT ALL [\'] O TRAIN "b.csv" 5 CSV-INPUT ALL [\'] O TRAIN ;'
    )
    assert [file.row_floats for file in program.training.files] == [4, 5]
    assert [p.name for p in program.parameters] == ["param"]


def test_rows_have_the_shape_that_their_input_says() -> None:
    """Bytes of a text in a vector, an array's rows in any shape, sizes from CONSTANTs and locals, `r` for scalars."""
    program = checked(
        "3 CONSTANT H\n: O ( r:* -- r ) DUP r PARAM TRAINABLE * LOSS-MSE ;\n"
        ": MAIN ( -- ) OBJECTIVE-LOSS 5 { w }\n"
        '"a.npy" r:H:w NPY-INPUT ALL [\'] O TRAIN "a.npy" r NPY-INPUT ALL [\'] O TRAIN\n'
        '"a.txt" w TEXT-INPUT ALL [\'] O TRAIN ;'
    )
    assert [(file.kind, file.shape) for file in program.training.files] == [
        ("npy", (3, 5)),
        ("npy", ()),
        ("text", (5,)),
    ]
    assert [file.row_floats for file in program.training.files] == [15, 1, 5]


# --- -D


def test_a_defined_value_replaces_a_constant_and_what_is_computed_from_it() -> None:
    """At the place where the CONSTANT stands."""
    program = checked("3 CONSTANT A A 2* CONSTANT B\n: OBJECTIVE ( r:b:4 -- r ) B LINEAR SUM SUM ;", A="5")
    assert program.parameters[0].shape == (10, 4)


@pytest.mark.parametrize(
    ("value", "text"),
    [("3", "5.5"), ("3", "x"), ("3", ""), ("3", "9223372036854775808"), ("2.5", "1e39"), ("2.5", "nan")],
)
def test_a_defined_value_has_the_type_of_the_constant(value: str, text: str) -> None:
    """An integer for an integer, a number within float32 for a real."""
    assert codes(f"{value} CONSTANT A\n{OBJECTIVE}", {"A": text}) == ["GS611"]


@pytest.mark.parametrize(("value", "text"), [("3", "1_000"), ("2.5", "3"), ("2.5", "-1e-3"), ('"a"', "any thing")])
def test_values_are_written_as_in_a_program(value: str, text: str) -> None:
    """An integer may stand where a real does; a string is taken as it is."""
    checked(f"{value} CONSTANT A\n{OBJECTIVE}", A=text)


def test_a_defined_name_must_be_a_constant() -> None:
    """The nearest one is offered."""
    (error,) = errors(f"3 CONSTANT HIDDEN\n{OBJECTIVE}", {"HIDEN": "5"})
    assert error.code == "GS611"
    assert error.help == "did you mean `HIDDEN`?"
