"""Settings words, one entry per word of the settings table; MAIN runs them while compiling."""

from __future__ import annotations

from geode.settings import FIELDS, SETTING_WORDS, SettingWord
from geode.vocabulary.entry import Counter, Entry, Example


def _sample(field: str) -> str:
    """A value in the setting's range, as a program writes it."""
    setting = FIELDS[field]
    if setting.kind == "text":
        return '"metrics.jsonl"'
    if setting.unit == "seconds":
        return "60"
    if isinstance(setting.default, int | float) and setting.off is None:
        return str(setting.default)
    return "10" if setting.kind == "integer" else "0.5"


def _entry(word: SettingWord) -> Entry:
    taken = " ".join(FIELDS[field].kind[0].replace("i", "n").replace("t", "s") for field in word.takes)
    effect = f"( {taken} -- )" if taken else "( -- )"
    use = " ".join([*map(_sample, word.takes), word.word])
    before = "ANTITHETIC " if word.word == "SCORE-SIGN" else ""
    # A settings word inside a word that computes is refused; one that takes a value also misses it.
    counter = Counter("GS302", Example(settings=word.word)) if word.takes else Counter("GS608", Example(word.word))
    sets = ", ".join([*word.takes, *(f"{field} = {value}" for field, value in word.fixes)])
    return Entry(word.word, "settings", effect, word.help, f"settings: {sets}", Example(settings=before + use), counter)


ENTRIES: tuple[Entry, ...] = tuple(_entry(word) for word in SETTING_WORDS.values())
