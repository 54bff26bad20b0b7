"""The settings table: consistent in itself, fresh in the runtime, its checks shared by compiled and run-time values."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from geode.emit.settings_to_c import choice_name, settings_to_files
from geode.settings import (
    FIELDS,
    SETTING_WORDS,
    SETTINGS,
    check_given,
    check_value,
    check_values,
    defaults,
    main,
    option_name,
)


def test_every_default_is_allowed() -> None:
    """Defaults pass the checks that a program's own values pass."""
    assert check_values(defaults()) is None
    for setting in SETTINGS:
        assert check_value(setting, setting.default) is None, setting.word


def test_words_set_fields_that_exist_to_values_that_are_allowed() -> None:
    """What a word fixes is a value of that field; names of words, fields and options are unique."""
    assert len(FIELDS) == len(SETTINGS)
    assert len({option_name(word) for word in SETTING_WORDS}) == len(SETTING_WORDS)
    for word in SETTING_WORDS.values():
        assert word.takes or word.fixes
        assert set(word.takes) <= set(FIELDS)
        for field, value in word.fixes:
            assert check_value(FIELDS[field], value) is None, word.word


def test_every_choice_has_a_word_for_each_of_its_values() -> None:
    """No optimizer, shaping or schedule stands in the table that a program could not choose."""
    fixed = {pair for word in SETTING_WORDS.values() for pair in word.fixes}
    for setting in SETTINGS:
        for value in setting.values:
            assert (setting.field, value) in fixed


def test_the_defaults_are_those_of_the_language() -> None:
    """The table of language.md: a change here is a change of the language."""
    expected: dict[str, object] = {
        "epochs": 100,
        "population": 256,
        "seed": 0,
        "workers": 0,
        "alpha": 0.01,
        "sigma": 0.01,
    }
    expected |= {"sampling": "independent", "perturbation": "gaussian", "shaping": "rank-shaped", "noise_reuse": 1}
    expected |= {"sgdm_beta": 0.9, "rmsprop_beta": 0.99, "rmsprop_epsilon": 1e-8, "weight_decay": 0.0}
    expected |= {"adam_beta1": 0.9, "adam_beta2": 0.999, "adam_epsilon": 1e-8}
    expected |= {"muon_beta": 0.95, "muon_warmup": 0, "muon_kappa": 0.2, "muon_steps": 5, "metrics_every": 1}
    assert {name: value for name, value in defaults().items() if name in expected} == expected


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("epochs", [1, 2**53], [0, -1, 1.0, True, "3", None, 2**53 + 1]),
        ("population", [2, 65536], [1, 0, 2.5]),
        ("seed", [0, 2**64 - 1], [-1, 2**64]),
        ("workers", [0, 1024], [1025]),
        ("rank", [1, 4, 65536], [0, -1, 2.5, 65537]),
        ("sigma", [1e-37, 1, 0.5], [0, -0.1, math.inf, math.nan, 1e-40]),
        ("alpha", [0, 0.01, 3e38], [-1e-9, 1e39, math.nan]),
        ("adam_beta1", [0, 0.999], [1, 1.5, -0.1]),
        ("adam_epsilon", [1e-8], [0, -1]),
        ("update_clip", [0.5, math.inf], [0, -1, math.nan]),
        ("stop_below", [-5, 0, -math.inf], [math.inf, math.nan]),
        ("optimizer", ["adam"], ["lion", None, 3]),
        ("metrics", [True, False], [1, "yes", None]),
        ("metrics_file", ["a.jsonl", None], ["", 3]),
    ],
)
def test_ranges(field: str, good: list[object], bad: list[object]) -> None:
    """Each value on the right side of its limits passes; the message of another names the setting."""
    setting = FIELDS[field]
    for value in good:
        assert check_value(setting, value) is None  # type: ignore[arg-type]
    for value in bad:
        message = check_value(setting, value)  # type: ignore[arg-type]
        assert message is not None
        assert message.startswith(f"{setting.word} takes ")


def test_off_is_no_number_where_numbers_begin_above_it() -> None:
    """SAVE-EVERY 0 is refused, as its range says; PATIENCE 0, which is in its range, and the default are not."""
    assert check_given(FIELDS["save_every"], 0) == "SAVE-EVERY takes an integer at least 1, not 0"
    assert check_value(FIELDS["save_every"], 0) is None
    assert check_given(FIELDS["save_every"], 1) is None
    assert check_given(FIELDS["patience"], 0) is None
    assert check_given(FIELDS["save_every"], False) is not None


def test_values_that_do_not_fit_each_other() -> None:
    """Odd populations under ANTITHETIC and SCORE-SIGN without it, as in the runtime."""
    values = defaults()
    assert check_values({**values, "sampling": "antithetic", "population": 3}) == (
        "ANTITHETIC needs an even POPULATION, not 3"
    )
    assert check_values({**values, "population": 3}) is None
    assert "ANTITHETIC" in (check_values({**values, "shaping": "sign"}) or "")
    assert check_values({**values, "sampling": "antithetic", "shaping": "sign"}) is None


def test_the_runtime_tables_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    """gs_settings_table.h and .c are what this table gives; --check says so by its status."""
    for path, text in settings_to_files():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python -m geode.settings"
    assert main(["--check"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_stale_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--check with another text on disk fails and names the file; without it the file is written."""
    stale = tmp_path / "gs_settings_table.h"
    monkeypatch.setattr("geode.emit.settings_to_c.settings_to_files", lambda: [(stale, "new")])
    assert main(["--check"]) == 1
    assert main([]) == 0
    assert stale.read_text(encoding="utf-8") == "new"
    assert main(["--wrong"]) == 2


def test_names_in_c() -> None:
    """Enumerators and options are made from words by one rule each."""
    assert choice_name("alpha_schedule", "cosine") == "GS_ALPHA_SCHEDULE_COSINE"
    assert choice_name("shaping", "rank-shaped") == "GS_SHAPING_RANK_SHAPED"
    assert [option_name(word) for word in ("MUON-BETA!", ".METRICS", "EPOCHS")] == ["muon-beta", "metrics", "epochs"]
