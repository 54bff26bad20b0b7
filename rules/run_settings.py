"""A table of settings in a BUILD file -> options of a program.

In: settings words and values, `{"EPOCHS": 200, "2:ALPHA": "1e-3", "ADAM-UPDATES": ""}`. Out: `--set` options. Invariant:
every name is one that a program knows at run time and every value is one that it takes, so a mistake is told before
anything is built.
"""

from __future__ import annotations

from collections.abc import Mapping

from geode.settings import FIELDS, SETTING_WORDS, Setting, check_given, option_name
from rules.errors import near_miss

_OF_THE_RULE = {"metrics-file": "metrics.jsonl is written anyway", "save-model": "say `model`"}


def settings_to_options(settings: Mapping[str, str]) -> tuple[str, ...]:
    """`--set NAME=V` for each setting, in the order of the names. Raises ValueError with what is wrong."""
    options: list[str] = []
    for name, value in settings.items():
        _check(name, value)
        options += ["--set", f"{name}={value}" if value else name]
    return tuple(options)


def _check(name: str, value: str) -> None:
    stage, colon, rest = name.rpartition(":")
    word = option_name(rest)
    if colon and not stage.isdigit():
        raise ValueError(f"`{name}` is no setting: before the colon stands the number of a stage, `2:ALPHA`")
    if word in _OF_THE_RULE:
        raise ValueError(f"`{name}` cannot be set here: {_OF_THE_RULE[word]}")
    known = {option_name(other): (other, FIELDS[entry.takes[0]] if entry.takes else None, _run_time(other))
             for other, entry in SETTING_WORDS.items()}  # fmt: skip
    known["sigma"] = ("SIGMA", FIELDS["sigma"], True)
    if word not in known:
        raise ValueError(f"unknown setting `{name}`{near_miss(rest, tuple(other for other, _, _ in known.values()))}")
    spelt, setting, run_time = known[word]
    if not run_time:
        raise ValueError(f"`{spelt}` is compiled in: it stands in the program's text")
    if setting is None:
        if value:
            raise ValueError(f'`{spelt}` takes no value: write "{spelt}": ""')
        return
    wrong = None if value == "off" and setting.off is not None else check_given(setting, _typed(setting, value))
    if wrong is not None:
        raise ValueError(wrong)


def _run_time(word: str) -> bool:
    entry = SETTING_WORDS[word]
    fields = [*entry.takes, *(field for field, _ in entry.fixes)]
    return len(entry.takes) <= 1 and all(FIELDS[field].run_time for field in fields)


def _typed(setting: Setting, value: str) -> int | float | str:
    """The value as the setting's type, the text itself where it is of another."""
    if setting.off is not None and value == "off":
        return setting.off
    try:
        match setting.kind:
            case "integer":
                return int(value)
            case "real":
                return float(value)
            case _:
                return value
    except ValueError:
        return value
