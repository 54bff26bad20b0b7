"""A sweep file -> its parts, names and values still as text.

In: the path of a `.sweep.yaml` file. Out: a `SweepFile`. Invariant: here only the form of the file is checked; what a
name means and which values it takes is for `rules.sweep.names`, which knows the program.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from geode.record import dataclass
from rules.errors import BuildError, near_miss
from rules.sweep.file_parts import Goal, RunOptions, Search, read_goal, read_integer, read_run, read_search
from rules.sweep.mistakes import Mistakes
from rules.sweep.yaml_nodes import Mapping, Node, Scalar, Sequence, read_yaml

_PARTS = ("program", "set", "matrix", "choices", "zip", "exclude", "include", "replicates", "goal", "run", "search")
KINDS = ("updates", "perturbation", "shaping", "sampling")


@dataclass(frozen=True, slots=True)
class Condition:
    """A name that must have one of these values."""

    name: Scalar
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """A name and the values that it takes, where every condition of `when` holds."""

    name: Scalar
    values: tuple[Scalar, ...]
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of `exclude` or `include`."""

    line: int
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class SweepFile:
    """A sweep file; `axes` are those of `matrix` and `choices`, a group of `zips` goes in step."""

    path: str
    program: Scalar | None
    fixed: tuple[tuple[Scalar, Scalar], ...] = ()
    axes: tuple[Axis, ...] = ()
    zips: tuple[tuple[Axis, ...], ...] = ()
    exclude: tuple[Entry, ...] = ()
    include: tuple[Entry, ...] = ()
    replicates: int | None = None
    replicates_line: int = 1
    goal: Goal = field(default_factory=Goal)
    run: RunOptions = field(default_factory=RunOptions)
    search: Search | None = None


def read_sweep_file(path: Path, shown: str, mistakes: Mistakes) -> SweepFile:
    """The sweep in `path`, which messages call `shown`. Raises BuildError if it cannot be read at all."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BuildError(f"{shown}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BuildError(f"{shown}: cannot be read: it is not UTF-8") from None
    document = read_yaml(text, mistakes)
    if not isinstance(document, Mapping):
        if not mistakes.found:
            mistakes.add(1, "a sweep file starts with `program: FILE.gs` and has a `matrix:`")
        mistakes.fail_if_any()
    assert isinstance(document, Mapping)
    for name, _ in document.entries:
        if name.text not in _PARTS:
            mistakes.add(name.line, f"a sweep has no part `{name.text}`{near_miss(name.text, _PARTS)}")
    return _read(document, shown, mistakes)


def _read(document: Mapping, shown: str, mistakes: Mistakes) -> SweepFile:
    program = document.get("program")
    if program is not None and not (isinstance(program, Scalar) and program.text):
        mistakes.add(program.line, "`program` is the name of a .gs file")
        program = None
    replicates, line = None, 1
    node = document.get("replicates")
    if node is not None:
        replicates, line = read_integer(node, "replicates", 1, mistakes), node.line
    search = document.get("search")
    matrix, choices, zips = document.get("matrix"), document.get("choices"), document.get("zip")
    if search is not None:
        for part, node in (("matrix", matrix), ("choices", choices), ("zip", zips)):
            if node is not None:
                mistakes.add(node.line, f"`search` stands in place of a matrix: `{part}` can't stand beside it")
    assert program is None or isinstance(program, Scalar)
    return SweepFile(
        shown,
        program,
        _fixed(document.get("set"), mistakes),
        (*_axes(matrix, "matrix", mistakes), *_axes(choices, "choices", mistakes)),
        _zips(zips, mistakes),
        _entries(document.get("exclude"), "exclude", mistakes),
        _entries(document.get("include"), "include", mistakes),
        replicates,
        line,
        read_goal(document.get("goal"), mistakes),
        read_run(document.get("run"), mistakes),
        None if search is None else read_search(search, mistakes),
    )


def _pairs(node: Node | None, part: str, mistakes: Mistakes) -> tuple[tuple[Scalar, Node], ...]:
    if node is None or (isinstance(node, Scalar) and not node.text):
        return ()
    if isinstance(node, Mapping):
        return node.entries
    mistakes.add(node.line, f"`{part}` is a mapping of names and values")
    return ()


def _fixed(node: Node | None, mistakes: Mistakes) -> tuple[tuple[Scalar, Scalar], ...]:
    found = []
    for name, value in _pairs(node, "set", mistakes):
        if isinstance(value, Scalar):
            found.append((name, value))
        else:
            mistakes.add(value.line, f"`{name.text}` under `set` has one value; several stand under `matrix`")
    return tuple(found)


def _axes(node: Node | None, part: str, mistakes: Mistakes) -> tuple[Axis, ...]:
    return tuple(
        axis
        for name, value in _pairs(node, part, mistakes)
        if _has_room(name, part, mistakes) and (axis := _axis(name, value, part, mistakes)) is not None
    )


def _has_room(name: Scalar, part: str, mistakes: Mistakes) -> bool:
    if part == "choices" and name.text not in (*KINDS, *_PARTS):
        mistakes.add(name.line, f"`choices` has no kind `{name.text}`{near_miss(name.text, KINDS)}")
        return False
    if name.text in _PARTS:
        mistakes.add(
            name.line, f"`{name.text}` is a part of the file and no axis: write it at the margin, beside `{part}`"
        )
        return False
    if part == "matrix" and name.text in KINDS:
        mistakes.add(name.line, f"`{name.text}` stands under `choices`, which holds program text")
        return False
    return True


def _axis(name: Scalar, value: Node, part: str, mistakes: Mistakes) -> Axis | None:
    when: tuple[Condition, ...] = ()
    if isinstance(value, Mapping):
        for key, node in value.entries:
            if key.text not in ("values", "when"):
                mistakes.add(key.line, f"an axis has `values` and `when`, not `{key.text}`")
            elif key.text == "when":
                when = _conditions(node, "when", mistakes)
        values = value.get("values")
        if values is None:
            mistakes.add(value.line, f"`{name.text}` needs `values: […]`")
            return None
    else:
        values = value
    if isinstance(values, Scalar):
        mistakes.add(values.line, f"`{name.text}` wants a list, [{values.text}]; a fixed value stands under `set`")
        return None
    texts = _scalars(values, f"`{name.text}` of `{part}`", mistakes)
    return Axis(name, texts, when) if texts else None


def _scalars(node: Node, what: str, mistakes: Mistakes) -> tuple[Scalar, ...]:
    """The items of a list that is not empty; () after a mistake."""
    if isinstance(node, Sequence) and node.items and all(isinstance(item, Scalar) for item in node.items):
        return tuple(item for item in node.items if isinstance(item, Scalar))
    if isinstance(node, Sequence) and node.items:
        wrong = next(item for item in node.items if not isinstance(item, Scalar))
        kind = "a list" if isinstance(wrong, Sequence) else "a mapping"
        mistakes.add(wrong.line, f"{what} is a list of values: a value is a number, a text or a flag, not {kind}")
    else:
        mistakes.add(node.line, f"{what} is a list of values, at least one")
    return ()


def _conditions(node: Node, what: str, mistakes: Mistakes) -> tuple[Condition, ...]:
    if not isinstance(node, Mapping) or not node.entries:
        mistakes.add(node.line, f"`{what}` is a mapping of names and values: {{ALPHA: 0.01}}")
        return ()
    found = []
    for name, value in node.entries:
        values = (value,) if isinstance(value, Scalar) else _scalars(value, f"`{name.text}` of `{what}`", mistakes)
        if values:
            found.append(Condition(name, values))
    return tuple(found)


def _zips(node: Node | None, mistakes: Mistakes) -> tuple[tuple[Axis, ...], ...]:
    groups = node.items if isinstance(node, Sequence) else () if node is None else (node,)
    found = []
    for group in groups:
        axes = tuple(
            Axis(name, texts)
            for name, value in _pairs(group, "zip", mistakes)
            if (texts := _scalars(value, f"`{name.text}` of `zip`", mistakes))
        )
        lengths = {len(axis.values) for axis in axes}
        if len(lengths) > 1:
            told = ", ".join(f"{axis.name.text} has {len(axis.values)}" for axis in axes)
            mistakes.add(group.line, f"the lists of one `zip` go in step and must be equally long: {told}")
        elif axes:
            found.append(axes)
    return tuple(found)


def _entries(node: Node | None, part: str, mistakes: Mistakes) -> tuple[Entry, ...]:
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        mistakes.add(node.line, f"`{part}` is a list of mappings: [{{ALPHA: 0.01}}]")
        return ()
    found = []
    for item in node.items:
        conditions = _conditions(item, part, mistakes)
        for condition in conditions if part == "include" else ():
            if len(condition.values) > 1:
                mistakes.add(condition.name.line, f"`{condition.name.text}`: an entry of `include` is one trial")
        if conditions:
            found.append(Entry(item.line, conditions))
    return tuple(found)
