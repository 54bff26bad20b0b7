"""Program text under `choices` -> the settings that it makes.

In: a kind (`updates`, `perturbation`, `shaping`, `sampling`) and text such as `0.02 4 EGGROLL`. Out: a `Value`. Invariant:
the text is numbers and settings words, read as MAIN would run them; exactly one of the words is of the kind, and none is
of another kind.
"""

from __future__ import annotations

from collections.abc import Mapping

from geode.settings import FIELDS, SETTING_WORDS, SettingWord
from geode.settings import Value as SettingValue
from rules.errors import near_miss
from rules.sweep.value import Value, read_setting, setting_text

FIELD_OF_KIND: Mapping[str, str] = {
    "updates": "optimizer",
    "perturbation": "perturbation",
    "shaping": "shaping",
    "sampling": "sampling",
}


def words_of_kind(kind: str) -> tuple[str, ...]:
    """The words of the language that choose for this kind."""
    field = FIELD_OF_KIND[kind]
    return tuple(word.word for word in SETTING_WORDS.values() if any(name == field for name, _ in word.fixes))


def read_choice(kind: str, text: str) -> Value:
    """The value of a choice. Raises ValueError with what is wrong."""
    known = words_of_kind(kind)
    settings: dict[str, SettingValue] = {}
    shown: list[str] = []
    waiting: list[str] = []  # texts that no word has taken yet
    chosen = ""
    for token in text.split():
        word = SETTING_WORDS.get(token)
        if word is None:
            if not token[0].isdigit() and token[0] not in "+-.":
                raise ValueError(f"`{token}` is no word for `{kind}`{near_miss(token, known)}")
            waiting.append(token)
            continue
        _refuse_other_kind(word, kind)
        if token in known:
            if chosen:
                raise ValueError(f"`{chosen}` and `{token}` both choose the {kind}: keep one")
            chosen = token
        if len(waiting) != len(word.takes):
            count = len(word.takes) or "no"
            raise ValueError(f"`{token}` takes {count} value{'' if count == 1 else 's'}, not {len(waiting)}")
        for field, given in zip(word.takes, waiting, strict=True):
            settings[field] = read_setting(FIELDS[field], given)
            shown.append(setting_text(FIELDS[field], settings[field]))
        settings.update(word.fixes)
        shown.append(token)
        waiting = []
    if waiting:
        raise ValueError(f"no word takes `{' '.join(waiting)}`")
    if not chosen:
        raise ValueError(f"`{text}` chooses no {kind}; known: {', '.join(known)}")
    return Value(" ".join(shown), tuple(settings.items()))


def _refuse_other_kind(word: SettingWord, kind: str) -> None:
    for other, field in FIELD_OF_KIND.items():
        if other != kind and any(name == field for name, _ in word.fixes):
            raise ValueError(f"`{word.word}` belongs under `{other}`, not `{kind}`")
    if any(name == "direction" for name, _ in word.fixes):
        raise ValueError(f"`{word.word}` is the program's own and can't be part of a sweep")
