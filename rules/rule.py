"""What a rule is: a name, attributes, a function from a checked call to a target's parts, and one to its steps.

In: a `Context`, one call with its labels resolved. Out: a `Made`, then `Step`s. Invariant: an implementation
reads nothing but its context, so analysis gives the same targets for the same BUILD files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from geode.record import dataclass
from rules.attribute import Attribute, Values
from rules.providers import Provider
from rules.step import Step
from rules.target import Label, Target


@dataclass(frozen=True, slots=True)
class Context:
    """A call of a rule: its label, its values, and by text the files (paths from the root) and targets it named."""

    label: Label
    values: Values
    files: Mapping[str, str]
    targets: Mapping[str, Target]

    def file(self, name: str) -> str | None:
        """The path from the root of the file that the attribute `name` gives; None where it gives none."""
        text = self.values.optional_text(name)
        return None if text is None else self.files[text]

    def named(self, name: str) -> tuple[Target, ...]:
        """The targets that the attribute `name` gives, each once."""
        texts = self.values.texts(name)
        return tuple({t.label: t for text in texts if (t := self.targets.get(text)) is not None}.values())

    def labels(self, name: str) -> tuple[str, ...]:
        """Their labels."""
        return tuple(str(target.label) for target in self.named(name))


@dataclass(frozen=True, slots=True)
class Made:
    """What an implementation declares: paths from the root that it writes, and what it tells other rules."""

    outputs: tuple[str, ...]
    provider: Provider


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of BUILD files.

    `implement` raises ValueError with what is wrong with a call; `steps` gives what a target has to do below a root;
    `groups` has a line for each kind of step, which is what doing all steps of that kind means.
    """

    name: str
    doc: str
    attributes: Mapping[str, Attribute]
    implement: Callable[[Context], Made]
    steps: Callable[[Target, Path], Iterator[Step]]
    groups: Mapping[str, str]
