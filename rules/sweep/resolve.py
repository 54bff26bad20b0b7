"""A sweep file with text -> a sweep with typed values.

In: a `SweepFile` and the names that its program allows. Out: a `Resolved`, every value typed, every name known, no name
given twice. Invariant: equal values of an axis are one; conditions name axes that are decided before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from geode.record import dataclass
from rules.errors import near_miss
from rules.sweep.mistakes import Mistakes
from rules.sweep.names import Field, find_field, read_value
from rules.sweep.sweep_file import Axis, Condition, Entry, SweepFile
from rules.sweep.value import Value
from rules.sweep.yaml_nodes import Scalar


@dataclass(frozen=True, slots=True)
class Match:
    """The axis `name` has a value with one of these texts."""

    name: str
    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Values:
    """An axis: its values in order, and where it applies."""

    name: str
    values: tuple[Value, ...]
    line: int
    when: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A name with one value, and its line."""

    name: str
    value: Value
    line: int


@dataclass(frozen=True, slots=True)
class Resolved:
    """A sweep with typed values; a group of `zips` has equally long axes that go in step."""

    fixed: tuple[Given, ...]
    axes: tuple[Values, ...]
    zips: tuple[tuple[Values, ...], ...]
    exclude: tuple[tuple[int, tuple[Match, ...]], ...]
    include: tuple[tuple[int, tuple[Given, ...]], ...]


def resolve(file: SweepFile, fields: Mapping[str, Field], mistakes: Mistakes) -> Resolved:
    """Type everything that the file names; what is wrong is added to `mistakes`."""
    names = _Names(fields, mistakes, {})
    fixed = tuple(given for pair in file.fixed if (given := names.given(pair[0], pair[1], once=True)) is not None)
    plain = [axis for axis in file.axes if not axis.when]
    zips = tuple(tuple(found for axis in group if (found := names.axis(axis, ()))) for group in file.zips)
    decided = {axis.name: axis for group in zips for axis in group}
    axes: dict[int, Values] = {}
    for axis in (*plain, *(axis for axis in file.axes if axis.when)):
        when = names.matches(axis.when, decided, "when", file)
        found = names.axis(axis, when)
        if found is not None:
            axes[id(axis)] = decided[found.name] = found
    in_order = tuple(axes[id(axis)] for axis in file.axes if id(axis) in axes)
    exclude = tuple((e.line, names.matches(e.conditions, decided, "exclude", file)) for e in file.exclude)
    include = tuple((entry.line, names.entry(entry)) for entry in file.include)
    if file.replicates is not None:
        for line in _lines_of_seed(in_order, zips, include):
            mistakes.add(line, "`SEED` can't be an axis beside `replicates`, which counts it up: keep one of them")
    return Resolved(fixed, in_order, zips, exclude, include)


@dataclass(frozen=True, slots=True)
class _Names:
    """Looks names up; `given_at` has the line where each that may stand once was given."""

    fields: Mapping[str, Field]
    mistakes: Mistakes
    given_at: dict[str, int]

    def field(self, name: Scalar, *, once: bool) -> Field | None:
        field = find_field(name, self.fields, self.mistakes)
        if field is None or not once:
            return field
        first = self.given_at.setdefault(field.name, name.line)
        if first != name.line:
            self.mistakes.add(name.line, f"`{field.name}` is given twice, first in line {first}")
        return field

    def given(self, name: Scalar, scalar: Scalar, *, once: bool) -> Given | None:
        field = self.field(name, once=once)
        value = None if field is None else read_value(field, scalar, self.mistakes)
        return None if field is None or value is None else Given(field.name, value, name.line)

    def axis(self, axis: Axis, when: tuple[Match, ...]) -> Values | None:
        """The axis with its values; those of a zip stay all, since they go in step."""
        field = self.field(axis.name, once=True)
        if field is None:
            return None
        values = [read_value(field, scalar, self.mistakes) for scalar in axis.values]
        known = [value for value in values if value is not None]
        return Values(field.name, tuple(known), axis.name.line, when) if len(known) == len(values) else None

    def entry(self, entry: Entry) -> tuple[Given, ...]:
        found: dict[str, Given] = {}
        for condition in entry.conditions:
            given = self.given(condition.name, condition.values[0], once=False)
            if given is not None and given.name in found:
                self.mistakes.add(condition.name.line, f"`{given.name}` is given twice in one entry")
            elif given is not None:
                found[given.name] = given
        return tuple(found.values())

    def matches(
        self, conditions: Iterable[Condition], decided: Mapping[str, Values], part: str, file: SweepFile
    ) -> tuple[Match, ...]:
        """Conditions on axes that are decided before."""
        found = []
        for condition in conditions:
            field = self.field(condition.name, once=False)
            if field is None:
                continue
            if field.name not in decided:
                self.mistakes.add(condition.name.line, _no_axis(field.name, part, decided, file))
                continue
            values = [read_value(field, scalar, self.mistakes) for scalar in condition.values]
            texts = frozenset(value.text for value in values if value is not None)
            known = {value.text for value in decided[field.name].values}
            for text in sorted(texts - known):
                hint = near_miss(text, tuple(value.text for value in decided[field.name].values))
                self.mistakes.note(condition.name.line, f"`{field.name}` is never {text}{hint}")
            found.append(Match(field.name, texts))
        return tuple(found)


def _no_axis(name: str, part: str, decided: Mapping[str, Values], file: SweepFile) -> str:
    if any(axis.name.text == name for axis in file.axes):
        return f"`{part}` names `{name}`, which has a condition of its own and is decided later"
    return f"`{part}` names `{name}`, which is no axis{near_miss(name, tuple(decided))}"


def _lines_of_seed(
    axes: Iterable[Values],
    zips: Iterable[Iterable[Values]],
    include: Iterable[tuple[int, tuple[Given, ...]]],
) -> list[int]:
    lines = [axis.line for axis in (*axes, *(axis for group in zips for axis in group)) if axis.name == "SEED"]
    return lines + [given.line for _, entry in include for given in entry if given.name == "SEED"]
