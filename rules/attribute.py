"""What a rule may be told in a BUILD file: attributes with a type, a default and one line of doc.

In: the keyword arguments of one rule call. Out: `Values`, every attribute of the rule with a checked value, or the
list of what is wrong with the call. Invariant: a rule never sees a value of another type than its attribute declares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from geode.record import dataclass
from rules.errors import near_miss

Kind = Literal["text", "integer", "label", "labels", "texts", "table"]
Value = str | int | tuple[str, ...] | Mapping[str, str] | None

_EXPECTED: Mapping[Kind, str] = {
    "text": "text",
    "integer": "an integer",
    "label": "a label or the name of a file",
    "labels": "a list of labels or names of files",
    "texts": "a list of texts",
    "table": "a table of names and values",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its type, one line of doc, what it is where none is given, and what it may be.

    `choices` bounds texts and integers (empty: any). `accepts` are the rules whose targets a label may name; `files` is
    whether it may name a file. `stands_for` marks the file whose label means the target itself.
    """

    kind: Kind
    doc: str
    default: Value = None
    required: bool = False
    choices: tuple[str | int, ...] = ()
    stands_for: bool = False
    accepts: tuple[str, ...] = ()
    files: bool = True


NAME = Attribute("text", "the target's name, unique in its BUILD file", required=True)


@dataclass(frozen=True, slots=True)
class Values:
    """The checked values of one call, by attribute."""

    of: Mapping[str, Value]

    def text(self, name: str) -> str:
        """A text that is there."""
        value = self.of[name]
        assert isinstance(value, str)
        return value

    def optional_text(self, name: str) -> str | None:
        """A text, or None."""
        return None if self.of[name] is None else self.text(name)

    def optional_integer(self, name: str) -> int | None:
        """An integer, or None."""
        value = self.of[name]
        assert value is None or isinstance(value, int)
        return value

    def integer(self, name: str) -> int:
        """An integer that is there."""
        value = self.optional_integer(name)
        assert value is not None
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list, or a single label as a list of one, or nothing."""
        value = self.of[name]
        if value is None:
            return ()
        if isinstance(value, str):
            return (value,)
        assert isinstance(value, tuple)
        return value

    def table(self, name: str) -> Mapping[str, str]:
        """A table of texts."""
        value = self.of[name]
        assert isinstance(value, Mapping)
        return value


def check_attributes(
    rule: str, attributes: Mapping[str, Attribute], given: Mapping[str, object]
) -> tuple[Values | None, list[str]]:
    """The values of a call of `rule`, or None and a message for each mistake."""
    wrong = [
        f"{rule} has no attribute `{name}`{near_miss(name, tuple(attributes))}"
        for name in given
        if name not in attributes
    ]
    values: dict[str, Value] = {}
    for name, attribute in attributes.items():
        if name not in given or given[name] is None:
            values[name] = attribute.default
            if attribute.required:
                wrong.append(f"{rule} needs `{name}`: {attribute.doc}")
            continue
        value = _convert(attribute.kind, given[name])
        if value is None:
            wrong.append(f"`{name}` of {rule} must be {_EXPECTED[attribute.kind]}, not {_say(given[name])}")
        elif attribute.choices and value not in attribute.choices:
            wrong.append(_not_among(name, value, attribute.choices))
        values[name] = value
    return (None, wrong) if wrong else (Values(values), [])


def _convert(kind: Kind, value: object) -> Value:
    """`value` as the attribute's type, None if it is of another."""
    match kind:
        case "text" | "label":
            return value if isinstance(value, str) and value else None
        case "integer":
            return value if isinstance(value, int) and not isinstance(value, bool) else None
        case "labels" | "texts":
            whole = isinstance(value, list) and all(isinstance(item, str) and item for item in value)
            return tuple(map(str, value)) if whole and isinstance(value, list) else None
        case "table":
            return _table(value)


def _table(value: object) -> Mapping[str, str] | None:
    if not isinstance(value, dict) or not all(isinstance(name, str) and name for name in value):
        return None
    if not all(isinstance(item, (str, int, float)) and not isinstance(item, bool) for item in value.values()):
        return None
    return {str(name): item if isinstance(item, str) else repr(item) for name, item in sorted(value.items())}


def _not_among(name: str, value: Value, choices: tuple[str | int, ...]) -> str:
    if isinstance(value, str):
        return f"`{name}` cannot be `{value}`{near_miss(value, tuple(map(str, choices)))}"
    return f"`{name}` cannot be {value}; known: {', '.join(map(str, choices))}"


def _say(value: object) -> str:
    """A value as BUILD files write it."""
    if isinstance(value, bool):
        return str(value)
    return f'"{value}"' if isinstance(value, str) else repr(value)
