"""Settings table -> C text of the runtime's `gs_settings_table.h` and `gs_settings_table.c`.

In: `geode.settings`. Out: text: enums and struct in the header, the records in the other file.
Invariant: the struct's fields, the enums and the records all come from the one table, in its order.
"""

from __future__ import annotations

import math
from pathlib import Path

from geode.settings import FIELDS, SETTING_WORDS, SETTINGS, Setting, Value, option_name

_TYPES = {"integer": "uint64_t", "real": "double", "flag": "bool", "text": "const char *"}
_NOTE = "Written by `python -m geode.settings` from geode/settings.py; edit that."


def settings_to_files() -> list[tuple[Path, str]]:
    """The two files and the text that belongs in each."""
    runtime = Path(__file__).parent.parent / "runtime"
    return [(runtime / "gs_settings_table.h", _header()), (runtime / "gs_settings_table.c", _records())]


def choice_name(field: str, value: str) -> str:
    """The C enumerator of one value of a choice: ("optimizer", "muon") -> GS_OPTIMIZER_MUON."""
    return f"GS_{field}_{value}".upper().replace("-", "_")


def _header() -> str:
    lines = [
        "/* gs_settings_table.h -- the settings of one stage, field by field.",
        f" * {_NOTE} */",
        "#ifndef GS_SETTINGS_TABLE_H",
        "#define GS_SETTINGS_TABLE_H",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        "",
    ]
    for setting in SETTINGS:
        if setting.kind == "choice":
            names = ", ".join(choice_name(setting.field, value) for value in setting.values)
            lines += [f"enum gs_{setting.field} {{ {names} }};"]
    lines += ["", "struct gs_settings {"]
    for setting in SETTINGS:
        kind = f"enum gs_{setting.field}" if setting.kind == "choice" else _TYPES[setting.kind]
        gap = "" if kind.endswith("*") else " "
        lines += [f"    {kind}{gap}{setting.field}; /* {setting.word}: {setting.help} */"]
    lines += ["};", "", "#endif", ""]
    return "\n".join(lines)


def _records() -> str:
    lines = [
        "/* gs_settings_table.c -- name, range and help of every setting, and the options of the binary.",
        f" * {_NOTE} */",
        "#include <stddef.h>",
        "",
        '#include "gs_settings.h"',
        "",
    ]
    for setting in SETTINGS:
        if setting.kind == "choice":
            values = ", ".join(f'"{value}"' for value in setting.values)
            lines += [f"static const char *const {setting.field}_values[] = {{{values}, NULL}};"]
    lines += ["", "const struct gs_setting gs_setting_table[] = {"]
    lines += [_record(setting) for setting in SETTINGS]
    lines += ["};", f"const size_t gs_setting_count = {len(SETTINGS)};", ""]
    lines += ["const struct gs_setting_word gs_setting_words[] = {"]
    position = {setting.field: index for index, setting in enumerate(SETTINGS)}
    words = 0
    for word in SETTING_WORDS.values():
        fields = [*word.takes, *(name for name, _ in word.fixes)]
        if len(word.takes) <= 1 and all(FIELDS[name].run_time for name in fields):
            lines += [_word(word.word, word.help, word.takes, word.fixes, position)]
            words += 1
    lines += [_word("SIGMA", FIELDS["sigma"].help, ("sigma",), (), position)]
    lines += ["};", f"const size_t gs_setting_word_count = {words + 1};", ""]
    return "\n".join(lines)


def _record(setting: Setting) -> str:
    number = "(double)" if setting.kind == "integer" else ""
    parts = [
        f'.name = "{setting.word}", .option = "{option_name(setting.word)}"',
        f".kind = GS_SETTING_{setting.kind.upper()}, .offset = offsetof(struct gs_settings, {setting.field})",
    ]
    if setting.kind == "integer":
        parts += [f".least = {setting.minimum}u, .most = {setting.maximum}u"]
    if setting.kind == "real":
        parts += [f".minimum = {_real(setting.minimum)}, .maximum = {_real(setting.maximum)}"]
        parts += [f".above = {_bool(setting.above)}, .below = {_bool(setting.below)}"]
    parts += [f".fingerprint = {_bool(setting.fingerprint)}"]
    if setting.off is not None:
        parts += [f".has_off = true, .off = {number}{_real(setting.off)}"]
    if setting.kind == "choice":
        parts += [f".values = {setting.field}_values"]
    parts += [f'.range = "{setting.range_text}"']
    parts += [f'.unit = "{setting.unit}", .group = "{setting.group}", .help = "{setting.help}"']
    return "    {" + ",\n     ".join(parts) + "},"


def _word(
    word: str, text: str, takes: tuple[str, ...], fixes: tuple[tuple[str, Value], ...], position: dict[str, int]
) -> str:
    taken = position[takes[0]] if takes else -1
    fixed, value = -1, "0"
    if fixes:
        ((name, given),) = fixes
        fixed = position[name]
        value = choice_name(name, given) if isinstance(given, str) else str(int(bool(given)))
    return (
        f'    {{.word = "{word}", .option = "{option_name(word)}", .takes = {taken}, .fixes = {fixed}, '
        f'.value = {value}, .help = "{text}"}},'
    )


def _real(x: float) -> str:
    x = float(x)
    if math.isinf(x):
        return "__builtin_inf()" if x > 0 else "-__builtin_inf()"
    return x.hex() if x != int(x) or abs(x) > 1e15 else f"{x:.1f}"


def _bool(x: bool) -> str:
    return "true" if x else "false"
