"""A value of a sweep: text that is equal for equal values, and what it does to the program.

In: a setting and the text that stands in the file. Out: a `Value`, or what is wrong. Invariant: a value has the type of
its setting, whatever YAML would make of the text: `1e-3` and `0.001` are one number, `no` is never a flag.
"""

from __future__ import annotations

import re
import struct
from dataclasses import field

from geode.record import dataclass
from geode.settings import FLOAT32_MAX, Setting, check_given
from geode.settings import Value as SettingValue

_INTEGER = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLAGS = {"0": False, "1": True, "false": False, "true": True}


@dataclass(frozen=True, slots=True)
class Value:
    """`text` names it; `settings` are the fields that it sets, `defines` the CONSTANTs that it replaces; `line` is where it
    stands.
    """

    text: str
    settings: tuple[tuple[str, SettingValue], ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    line: int = field(default=1, compare=False)


def read_setting(setting: Setting, text: str) -> SettingValue:
    """`text` as a value of `setting`. Raises ValueError with what is wanted."""
    wrong = f"`{setting.word}` is {setting.range_text}, not `{text}`"
    beyond = f"`{setting.word}` is {setting.limits_text}, not `{text}`"
    value: SettingValue
    if setting.off is not None and text == "off":
        return int(setting.off) if setting.kind == "integer" else setting.off
    match setting.kind:
        case "integer":
            if not _INTEGER.fullmatch(text):
                raise ValueError(wrong + _hint(text))
            if len(text) > 25:
                raise ValueError(beyond)
            value = int(text)
        case "real":
            value = read_real(text, wrong, beyond)
        case "flag":
            if text not in _FLAGS:
                raise ValueError(f"`{setting.word}` is true or false, not `{text}`")
            value = _FLAGS[text]
        case _:
            value = text
    if check_given(setting, value) is not None:
        too_large = isinstance(value, (int, float)) and value > setting.maximum
        raise ValueError(beyond if too_large else wrong)
    return value


def read_real(text: str, wrong: str, beyond: str) -> float:
    """A decimal number within float32. Raises ValueError with `wrong`, with `beyond` for a number outside float32."""
    if not _REAL.fullmatch(text) or len(text) > 100:
        raise ValueError(wrong + _hint(text))
    value = float(text) + 0.0  # no negative zero
    if abs(value) > FLOAT32_MAX:
        raise ValueError(beyond)
    return value


def is_lost(value: SettingValue) -> bool:
    """Whether a number that is not 0 becomes 0 as a float32, which is what reaches the weights."""
    return isinstance(value, float) and value != 0.0 and struct.unpack("<f", struct.pack("<f", value))[0] == 0.0


def read_constant(name: str, old: float | str, text: str) -> str:
    """`text` as a value of the CONSTANT `name`, which the program gives as `old`. Raises ValueError with what is wanted."""
    if isinstance(old, str):
        return text
    if isinstance(old, int):
        if not _INTEGER.fullmatch(text) or len(text) > 25 or not -(2**63) <= int(text) < 2**63:
            raise ValueError(f"the CONSTANT `{name}` is an integer within 64 bits, not `{text}`" + _hint(text))
        return str(int(text))
    wrong = f"the CONSTANT `{name}` is a number within float32, not `{text}`"
    return repr(read_real(text, wrong, wrong))


def setting_text(setting: Setting, value: SettingValue) -> str:
    """A value as a sweep file writes it, equal for equal values, with every digit that it has."""
    if setting.off is not None and type(value) in (int, float) and value == setting.off:
        return "off"
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value)
        case _:
            return str(value)


def _hint(text: str) -> str:
    """For digits in groups, which YAML and programs know and a sweep file does not: without the marks."""
    plain = text.replace("_", "")
    return f": write {plain}" if plain != text and _REAL.fullmatch(plain) else ""
