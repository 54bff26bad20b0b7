"""Settings words, one entry per word of the settings table; MAIN runs them while compiling."""

from __future__ import annotations

from geode.settings import FIELDS, SETTING_WORDS, SettingWord
from geode.vocabulary.entry import Counter, Entry, Example

_FILES = {
    "metrics_file": '"metrics.jsonl"',
    "save_model": '"model.safetensors"',
    "save_model_all": '"state.safetensors"',
    "resume_model": '"start.safetensors"',
}


def _sample(field: str) -> str:
    """A value in the setting's range, as a program writes it."""
    setting = FIELDS[field]
    if setting.kind == "text":
        return _FILES[field]
    if setting.unit == "seconds":
        return "60"
    if isinstance(setting.default, int | float) and setting.off is None:
        return str(setting.default)
    return "10" if setting.kind == "integer" else "0.5"


# What must stand before a word for its example to mean something.
_BEFORE = {"BF16": "0.1 EGGROLL-R1 ", "SCORE-SIGN": "ANTITHETIC ", "SAVE-EVERY": '"state.safetensors" SAVE-MODEL-ALL '}
# A run begins with the weights of a file, so the word stands before the first stage.
_RESUMING = (
    "OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION .METRICS "
    """"start.safetensors" RESUME-MODEL "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN"""
)


def _entry(word: SettingWord) -> Entry:
    taken = " ".join(FIELDS[field].kind[0].replace("i", "n").replace("t", "s") for field in word.takes)
    effect = f"( {taken} -- )" if taken else "( -- )"
    use = " ".join([*map(_sample, word.takes), word.word])
    example = Example(settings=_BEFORE.get(word.word, "") + use)
    if word.word == "RESUME-MODEL":
        example = Example(main=_RESUMING)
    # A settings word inside a word that computes is refused; one that takes a value also misses it.
    counter = Counter("GS302", Example(settings=word.word)) if word.takes else Counter("GS608", Example(word.word))
    sets = ", ".join([*word.takes, *(f"{field} = {value}" for field, value in word.fixes)])
    summary = "; ".join([word.help, *map(_range, word.takes)])
    return Entry(word.word, "settings", effect, summary, f"settings: {sets}", example, counter)


def _range(field: str) -> str:
    """What a value may be, in which unit, and what holds without the word."""
    setting = FIELDS[field]
    unit = f" ({setting.unit})" if setting.unit else ""
    unset = setting.default is None or setting.default == setting.off
    return f"{setting.range_text}{unit}, {'off' if unset else setting.default} if not set"


ENTRIES: tuple[Entry, ...] = tuple(_entry(word) for word in SETTING_WORDS.values())
