"""What a name in a sweep file stands for, and the values that it takes.

In: names and texts of the file, facts of the program. Out: `Field`s and `Value`s, mistakes with near misses. Invariant: a
CONSTANT of the program comes before a setting of the same name; what the sweep itself decides (files of metrics) is no
field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from geode.record import dataclass
from geode.settings import FIELDS, SETTING_WORDS, SETTINGS, Setting
from geode.settings import Value as SettingValue
from rules.errors import near_miss
from rules.sweep.choice_text import FIELD_OF_KIND, read_choice
from rules.sweep.mistakes import Mistakes
from rules.sweep.program_facts import Facts
from rules.sweep.value import Value, is_lost, read_constant, read_setting, setting_text
from rules.sweep.yaml_nodes import Scalar

_KIND_OF = {
    next(setting.word for setting in SETTINGS if setting.field == field): kind for kind, field in FIELD_OF_KIND.items()
}
_REFUSED = {
    "OBJECTIVE": "whether a program minimises or maximises is its own and can't be part of a sweep",
    "METRICS-FILE": "every trial writes its metrics to metrics.jsonl in its own folder",
}


@dataclass(frozen=True, slots=True)
class Field:
    """What a name stands for: a CONSTANT (`constant` is the program's value), a kind of choice, or a setting.

    `fixes` are the settings that naming this one makes beside it: ALPHA-DECAY also chooses the schedule.
    """

    name: str
    constant: int | float | str | None = None
    kind: str | None = None
    setting: Setting | None = None
    fixes: tuple[tuple[str, SettingValue], ...] = ()


def fields_of(facts: Facts) -> dict[str, Field]:
    """Every name that a sweep of this program may use, by name."""
    fields = {kind: Field(kind, kind=kind) for kind in FIELD_OF_KIND}
    for setting in SETTINGS:
        if setting.word not in _KIND_OF and setting.word not in _REFUSED:
            fields[setting.word] = Field(setting.word, setting=setting)
    for word in SETTING_WORDS.values():
        plain = len(word.takes) == 1 and word.word not in _REFUSED and all(FIELDS[f].run_time for f, _ in word.fixes)
        if plain and word.word not in fields:
            fields[word.word] = Field(word.word, setting=FIELDS[word.takes[0]], fixes=word.fixes)
    for name, value in facts.constants.items():
        fields[name] = Field(name, constant=value)
    return fields


def find_field(name: Scalar, fields: Mapping[str, Field], mistakes: Mistakes) -> Field | None:
    """The field that a name stands for; a name's `!` may be left out. None after a mistake."""
    field = fields.get(name.text) or fields.get(name.text + "!")
    if field is not None:
        return field
    if name.text in _REFUSED:
        mistakes.add(name.line, f"`{name.text}`: {_REFUSED[name.text]}")
    elif name.text in _KIND_OF:
        mistakes.add(name.line, f"`{name.text}` is chosen by program text: `{_KIND_OF[name.text]}` under `choices`")
    else:
        close = near_miss(name.text, tuple(fields))
        hint = close if close.startswith(": did") else "; `geode words` lists the settings"
        mistakes.add(name.line, f"`{name.text}` is no setting and no CONSTANT of the program{hint}")
    return None


def read_value(field: Field, scalar: Scalar, mistakes: Mistakes) -> Value | None:
    """The value that stands in the file, None after a mistake."""
    if not scalar.text.strip():
        mistakes.add(scalar.line, f"`{field.name}` has no value here")
        return None
    try:
        if field.kind is not None:
            return replace(read_choice(field.kind, scalar.text), line=scalar.line)
        if field.setting is None:
            assert field.constant is not None
            text = read_constant(field.name, field.constant, scalar.text)
            return Value(text, defines=((field.name, text),), line=scalar.line)
        value = read_setting(field.setting, scalar.text)
    except ValueError as error:
        mistakes.add(scalar.line, str(error))
        return None
    if is_lost(value):
        mistakes.note(scalar.line, f"`{field.name}` {scalar.text} is 0 as a float32, so it does what 0 does")
    return Value(setting_text(field.setting, value), ((field.setting.field, value), *field.fixes), line=scalar.line)
