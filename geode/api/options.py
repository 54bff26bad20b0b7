"""Keyword arguments of the API -> options of the binary.

In: fields of the settings table by name, their values; the same by stage. Out: a list of options. Invariant: a name, a type
or a range that the table refuses is a `SettingError` before any process starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geode.api.errors import SettingError, shown
from geode.names import did_you_mean
from geode.settings import FIELDS, SETTING_WORDS, Setting, SettingWord, Value, check_given, option_name

_NOT_GIVEN = frozenset({"metrics"})  # the API reads the epochs' lines itself


def options_of(settings: Mapping[str, Any], stages: Mapping[int, Mapping[str, Any]] | None = None) -> list[str]:
    """The options for `settings`, which hold for all stages, and for `stages`, by the stage's number from 1."""
    options = []
    for word, value in _words(_checked(settings)):
        options.append(f"--{option_name(word)}" + ("" if value is None else f"={value}"))
    for stage, mine in _by_stage({} if stages is None else stages):
        for word, value in _words(_checked(mine)):
            options += ["--set", f"{stage}:{word}" + ("" if value is None else f"={value}")]
    return options


def _by_stage(stages: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The settings of each stage. Raises SettingError."""
    if not isinstance(stages, Mapping):
        raise SettingError(
            f"`stages` must be settings by a stage's number, {{2: {{'epochs': 5}}}}, not {shown(stages)}"
        )
    for stage, mine in stages.items():
        number = _plain(stage)
        if type(number) is not int or number < 1:
            raise SettingError(f"stages are numbered from 1, not {stage!r}")
        if not isinstance(mine, Mapping):
            raise SettingError(f"`stages`: those of stage {number} must be settings by name, not {shown(mine)}")
        yield number, mine


def known_settings() -> Sequence[str]:
    """The keywords that a run takes."""
    return [name for name, setting in FIELDS.items() if setting.run_time and name not in _NOT_GIVEN]


def _checked(settings: Mapping[str, Any]) -> dict[str, Value]:
    """The values as Python's own numbers and texts. Raises SettingError."""
    found: dict[str, Value] = {}
    for name, value in settings.items():
        setting = FIELDS.get(name)
        if setting is None:
            raise SettingError(f"unknown setting `{name}`: {did_you_mean(name, known_settings()) or _all_known()}")
        if name in _NOT_GIVEN:
            raise SettingError(f"`{name}` is no keyword: a run returns its metrics")
        if not setting.run_time:
            message = f"`{name}` is compiled in, so it is no keyword of a run"
            raise SettingError(f"{message}: set it in MAIN, or make what MAIN takes a CONSTANT and use `defines`")
        plain = _plain(value)
        problem = check_given(setting, plain)
        if setting.kind == "text" and isinstance(plain, str) and not plain.isprintable():
            problem = f"{setting.word} takes a text without control characters, not {plain!r}"
        if problem is not None:
            raise SettingError(f"`{name}`: {problem}")
        found[name] = plain
    return found


def _all_known() -> str:
    return f"known are {', '.join(known_settings())}"


def _plain(value: Any) -> Value:
    """NumPy's scalars and paths as the types that the table knows."""
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    item = getattr(value, "item", None)
    plain: Value = item() if callable(item) and getattr(value, "shape", None) == () else value
    return plain


def _words(values: Mapping[str, Value]) -> Iterator[tuple[str, str | None]]:
    """The settings words that set `values`, each with what it takes."""
    taken: set[str] = set()
    for field, value in values.items():
        if FIELDS[field].kind != "choice":
            continue
        word = next(w for w in SETTING_WORDS.values() if (field, value) in w.fixes)
        missing = [name for name in word.takes if name not in values]
        if missing:
            raise SettingError(f"`{field}` = {value!r} needs `{missing[0]}` too")
        taken.update(word.takes)
        yield word.word, _text(FIELDS[word.takes[0]], values[word.takes[0]]) if word.takes else None
    for field, value in values.items():
        if FIELDS[field].kind == "choice" or field in taken or value is None:
            continue
        giver = _giver(field)
        if giver is not None:
            (choice, chosen), *_ = giver.fixes
            raise SettingError(f"`{field}` goes with `{choice}` = {chosen!r}")
        yield FIELDS[field].word, _text(FIELDS[field], value)


def _giver(field: str) -> SettingWord | None:
    """The word that takes a field which has no option of its own: a schedule's factor."""
    if field not in {"alpha_factor", "sigma_factor"}:
        return None
    return next(word for word in SETTING_WORDS.values() if field in word.takes)


def _text(setting: Setting, value: Value) -> str:
    if setting.off is not None and type(value) in (int, float) and value == setting.off:
        return "off"
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)
