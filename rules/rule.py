"""What a rule is: a name, attributes, and a function from a checked call to a target's parts.

In: a `Context`, one call with its labels resolved. Out: a `Made`. Invariant: an implementation reads nothing but its
context, so analysis gives the same targets for the same BUILD files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.attribute import Attribute, Values
from rules.providers import Provider
from rules.target import Label


@dataclass(frozen=True, slots=True)
class Context:
    """A call of a rule: its label, its values, and by label the files and the other targets' providers it named."""

    label: Label
    values: Values
    files: Mapping[str, str]
    providers: Mapping[str, Provider]

    def file(self, name: str) -> str | None:
        """The path from the root of the file that the attribute `name` gives; None where it gives none."""
        text = self.values.optional_text(name)
        return None if text is None else self.files[text]


@dataclass(frozen=True, slots=True)
class Made:
    """What an implementation declares: paths from the root that it writes, and what it tells other rules."""

    outputs: tuple[str, ...]
    provider: Provider


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of BUILD files. `accepts` are the rules whose targets its labels may name; files it may always name."""

    name: str
    doc: str
    attributes: Mapping[str, Attribute]
    accepts: tuple[str, ...]
    implement: Callable[[Context], Made]
